"""What sentences say that an expression gives: "`double(2)` is `4`", `double(2) == 4`, "`a` becomes `b`".

A sentence with a condition of its own, or about what is approximate, says nothing that could be tried.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Stated(NamedTuple):
    expression: str
    value: str
    sentence: str
    raises: bool = False
    """The value is the name of an error."""
    must: bool = False
    """Its words cannot be about how it was before."""


class Turned(NamedTuple):
    """What something becomes; the sentence does not say by which function."""

    given: str
    value: str
    sentence: str


MOST_TEXT = 20_000
LONGEST = 300
_CODE = re.compile(r"```[^\n]*\n(?P<block>.*?)```|`(?P<word>[^`\n]+(?:\n[^`\n]+)?)`", re.DOTALL)
_CALL = re.compile(r"(?<![\w.$`])[A-Za-z_$][\w.$]*\(")
_IS_CALL = re.compile(r"(?:await |new )*[A-Za-z_$][\w.$]*\(")
_DEFINES = re.compile(r"\b(?:def|function|func|fn)\s*$")
_MARK = re.compile(r"\x01(\d+)\x02")
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|。\s*|\n\s*\n|\n\s*(?=[-*] |\d+\. )")
_VALUE = (
    r"(?:\x01(?P<{0}>\d+)\x02"
    r"|(?P<{0}_plain>\"[^\"\n]*\"|'[^'\n]*'|[-+]?\d[\d_.]*\d|[-+]?\d|\[[^\]\n]*\]|\{{[^}}\n]*\}}"
    r"|(?:None|True|False|true|false|null|undefined|NaN)\b))"
)
_SURELY = (
    r"(?:must|should|shall|has to|have to|needs? to|ought to|stays?|remains?|still|keeps?|continues? to)"
)
_LINK = (
    rf"\s*,?\s*(?:(?:(?:now|then|thus|also|always|too|hence|it|will|would|to|{_SURELY})\s+)*)"
    r"(?:is|be|gives?|giving|returns?|returning|yields?|equals?|produces?|evaluates? to|results? in"
    r"|comes? out as|becomes?|turns? into|stays|remains|→|⇒|->|=>|={1,3})"
    r"\s*(?:equal to|exactly|now|still|again|the (?:string|number|value|list|array|object|tuple|dict))?\s*"
)
_GIVES = re.compile(rf"\x01(?P<given>\d+)\x02{_LINK}{_VALUE.format('value')}")
_FOR = re.compile(
    rf"(?:{_SURELY}?)\s*(?:be|is|gives?|returns?|yields?|produces?)\s+{_VALUE.format('value')}\s+for\s+\x01(?P<given>\d+)\x02"
)
_RAISES = re.compile(
    rf"\x01(?P<given>\d+)\x02\s*(?:(?:(?:now|then|also|always|will|to|{_SURELY})\s+)*)"
    r"(?:raises?|raising|throws?|throwing)\s+(?:an? |the )?"
    r"(?:\x01(?P<value>\d+)\x02|(?P<value_plain>[A-Z]\w*))"
)
_EASTERN = re.compile(
    rf"\x01(?P<given>\d+)\x02\s*(?:の結果|の値|의 결과|의 값)?\s*(?:[はが]|[은는이가])"
    rf"\s*{_VALUE.format('value')}\s*(?=を返|になる|となる|になり|である|です|でなけれ|"
    r"[을를] (?:반환|돌려|리턴)|이다|입니다|이어야|여야|[이가] (?:된|되|됩))"
)
_EASTERN_NOT = re.compile(r"ない|ません|않|아니")
_INTO = re.compile(
    rf"\x01(?P<given>\d+)\x02\s*(?:becomes|turns into|is turned into|is made into|→|->|into)\s*"
    rf"{_VALUE.format('value')}"
)
_INSTEAD = re.compile(
    rf"(?:{_SURELY}|(?:but|and) (?:it )?(?:must|should))\s+(?:be|give|return|yield|become|equal)\s+"
    rf"{_VALUE.format('value')}"
)
_CONDITION = re.compile(
    r"\b(?:if|when|with|without|unless|after|once|under|given|having|where|while|whenever|on|in)\b",
    re.IGNORECASE,
)
_SO = re.compile(
    r"(?:\b(?:so|thus|hence|therefore|that is|example|instance)|[ei]\.\s?[ge]\.|:)\W*$", re.IGNORECASE
)
_PROVIDED = re.compile(
    r"\s*,?\s*(?:if|when|unless|once|after|where|with|without|under|in|on|while|provided|as long|only|for)\b",
    re.IGNORECASE,
)
_PLAINLY_BEHIND = re.compile(
    r"\s*(?:[.,;:)!?\u2014\u2013-]|$|\x01|\n|and\b|but\b|instead\b|rather\b|too\b|as well\b|not\b)"
)
_BEFORE = re.compile(
    r"\b(?:not|never|wrong\w*|today|currently|at the moment|until now|so far|right now|at present|used to|bug"
    r"|although|instead of|rather than|no longer|about|approximately|roughly|like)\b|n't\b",
    re.IGNORECASE,
)
_DOTS = re.compile(r"(?<![\w\])])\.\.\.(?![\w\[{(])|…|\.\.\.[\])},]")


def stated_values(texts: Sequence[str]) -> list[Stated]:
    found = [each for text in texts for each in _in_text(text[:MOST_TEXT])]
    return list({(each.expression, each.value): each for each in found if isinstance(each, Stated)}.values())


def turned_values(texts: Sequence[str]) -> list[Turned]:
    found = [each for text in texts for each in _in_text(text[:MOST_TEXT])]
    return list(dict.fromkeys(each for each in found if isinstance(each, Turned)))


def _in_text(text: str) -> Iterator[Stated | Turned]:
    codes: list[str] = []

    def marked(code: str) -> str:
        codes.append(code)
        return f"\x01{len(codes) - 1}\x02"

    def hidden(found: re.Match[str]) -> str:
        if found["word"] is None:
            blocks.append(found["block"])
            return "\n\n"
        return marked(" ".join(found["word"].split("\n")))

    blocks: list[str] = []
    text = "\n".join(_without_prompts(text, blocks))
    plain = _calls_marked(_CODE.sub(hidden, text), marked)
    for block in blocks:
        yield from _in_block(block)
    for code in codes:
        yield from _compared(code, code)
    sentences = [each for each in _SENTENCE.split(plain) if each]
    for at, sentence in enumerate(sentences):
        yield from _in_sentence(sentence, sentences[at + 1] if at + 1 < len(sentences) else "", codes)


def _without_prompts(text: str, blocks: list[str]) -> Iterator[str]:
    """Takes out what is typed at Python's prompt, with the line below it."""
    lines = iter(text.split("\n"))
    for line in lines:
        if line.strip().startswith(">>> "):
            blocks.append(f"{line.strip()[4:]} == {next(lines, '').strip()}")
        else:
            yield line


def _calls_marked(text: str, marked: object) -> str:
    """Calls that stand in a sentence without quotes."""
    mark = marked if callable(marked) else str
    done, at = "", 0
    while found := _CALL.search(text, at):
        end = _closed(text, found.end() - 1)
        defined = _DEFINES.search(text[: found.start()][-20:])
        if not end or defined or "\x01" in text[found.start() : end]:
            done, at = done + text[at : found.end()], found.end()
            continue
        done, at = done + text[at : found.start()] + str(mark(text[found.start() : end])), end
    return done + text[at:]


def _closed(text: str, at: int) -> int:
    """Finds what is behind the bracket that opens here; 0: it is not closed."""
    depth, quote = 0, ""
    for index in range(at, min(len(text), at + LONGEST)):
        char = text[index]
        if quote:
            quote = "" if char == quote and text[index - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        else:
            depth += (char in "([{") - (char in ")]}")
            if depth == 0:
                return index + 1
    return 0


def _in_block(block: str) -> Iterator[Stated]:
    for line in block.split("\n"):
        plain = line.strip().rstrip(";").removeprefix("assert ")
        yield from _compared(plain, plain)


_SIGNS = ("===", "==", "# =>", "// =>", "# ->", "// ->", "→", "⇒", "->", "=>", "  # ", " // ")


def _compared(code: str, sentence: str) -> Iterator[Stated]:
    """`call(1) == 2`, `call(1) → 2`, `call(1)  # 2`."""
    for sign in _SIGNS:
        at = _outside(code, sign)
        if at > 0:
            yield from _stated(code[:at], code[at + len(sign) :], sentence, must=sign.startswith("=="))
            return


def _outside(code: str, sign: str) -> int:
    """Where the sign stands in no bracket and no string; -1: nowhere."""
    depth, quote = 0, ""
    for at, char in enumerate(code):
        if quote:
            quote = "" if char == quote and code[at - 1] != "\\" else quote
        elif depth == 0 and code.startswith(sign, at):
            return at
        elif char in "\"'":
            quote = char
        else:
            depth += (char in "([{") - (char in ")]}")
    return -1


def _stated(
    expression: str, value: str, sentence: str, *, must: bool = False, raises: bool = False
) -> Iterator[Stated]:
    expression, value = expression.strip(), value.strip().rstrip(".;")
    first = _IS_CALL.search(expression)
    if first is None or _DEFINES.search(expression[: first.start()]):
        return
    fits = 0 < len(expression) <= LONGEST and 0 < len(value) <= LONGEST
    if fits and not _DOTS.search(expression) and not _DOTS.search(value):
        yield Stated(expression, value, " ".join(sentence.split())[:LONGEST], raises, must)


def _in_sentence(sentence: str, following: str, codes: Sequence[str]) -> Iterator[Stated | Turned]:
    shown = _MARK.sub(lambda found: f"`{codes[int(found[1])]}`", sentence)
    for pattern in (_RAISES, _FOR, _GIVES, _EASTERN):
        for found in pattern.finditer(sentence):
            given, value = codes[int(found["given"])], _value(found, codes)
            if pattern is _EASTERN and _EASTERN_NOT.search(sentence[found.end() :]):
                continue
            must = bool(re.search(_SURELY, sentence[found.start() : found.end()]))
            behind = sentence[found.end() :]
            if instead := _corrected(behind, following):
                value, must = _value(instead, codes), True
            elif not _holds_as_it_is(sentence[: found.start()], behind, found, must=must):
                continue
            yield from _stated(given, value, shown, must=must, raises=pattern is _RAISES)
    for found in _INTO.finditer(sentence):
        given = codes[int(found["given"])]
        ahead, behind = sentence[: found.start()], sentence[found.end() :]
        is_value = bool(found["value"]) and not _IS_CALL.search(given)
        if is_value and _holds_as_it_is(ahead, behind, found, must=False):
            yield Turned(given, _value(found, codes), " ".join(shown.split())[:LONGEST])


def _corrected(behind: str, following: str) -> re.Match[str] | None:
    """What it must be in the place of what it is."""
    near = _INSTEAD.search(behind)
    if near and not _MARK.search(behind[: near.start()]):
        return near
    return re.match(rf"(?:it|that|this)?\s*{_INSTEAD.pattern}", following, re.IGNORECASE)


def _holds_as_it_is(ahead: str, behind: str, found: re.Match[str], *, must: bool) -> bool:
    if _BEFORE.search(ahead) and not must:
        return False
    if _CONDITION.search(ahead) and not _SO.search(ahead):
        return False
    if found["value"] is None and not _PLAINLY_BEHIND.match(behind):
        return False
    return not _PROVIDED.match(behind)


def _value(found: re.Match[str], codes: Sequence[str]) -> str:
    return codes[int(found["value"])] if found["value"] else found["value_plain"]

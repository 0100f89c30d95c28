"""What a test asserts, and how much: by words that the common libraries share."""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

LONGEST = 2000


class Strength(IntEnum):
    EMPTY = 0
    """It cannot fail."""
    VAGUE = 1
    """There is something, or it is true."""
    PARTIAL = 2
    """A bound, a part, a kind."""
    EXACT = 3


_START = re.compile(
    r"(?<![\w.\"'`#@])(?:"
    r"assert\w*!?(?=[ (])|expect(?=[ (.])|refute\w*(?=[ (])|pytest\.(?:raises|warns|fail)\("
    r"|(?:raises|warns)\(|raise AssertionError\b"
    r"|(?:self|cls|this|require|assert|Assert|Assertions|chai\.assert|np\.testing)\.\w*\("
    r"|\w[\w.]*\.(?:assert_\w+|[sS]hould)\b"
    r"|if\b.*\{$"
    r"|(?:check|verify|ensure|validate)(?=[A-Z_(])\w*\()"
)
_COMMENT = re.compile(r"\s*(?:#(?!\[)|//|/?\*)")
_GO_FAILS = re.compile(r"\s*t\.(?:Error|Fatal|Fail)")
_METHOD = re.compile(r"(?:self|cls|this)\.(?!assert|fail)")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`")
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SPACE = re.compile(r"\s+")

_SAME = re.compile(
    r"assert[ (]+(?P<a>[^=<>!]+?) == (?P=a)\)?|assert_?\w*!?\((?P<b>[^,]+), ?(?P=b)\)"
    r"|expect\((?P<c>.+)\)\.to\w+\((?P=c)\)|assert[ (]+(?:True|true|1|not False)\)?"
    r"|assert(?:!|True|_true)?\([Tt]rue\)"
    r"|.*(?:\bor True|\|\| ?true)\)*"
)
_VAGUE = re.compile(
    r"toBeTruthy|toBeDefined|toBeFalsy|not\.toBe(?:Null|Undefined)|toHaveBeenCalled\(\)|assert_called\(\)"
    r"|not\.toThrow|[iI]s_?[nN]ot_?(?:None|Null)|NotNull|NotNil|not_nil|NotEmpty|NoError|NotZero|[iI]s_?[tT]rue"
    r"|be_truthy|is not None|!= ?(?:None|null|nil)|raises\((?:Base)?Exception\)"
    r"|\bis_some\(\)|\bis_ok\(\)"
)
_PLAIN = re.compile(r"(?:==|\bis) ?(?:True|False|true|false|0|\[\]|\{\}|\"\"|'')\)*(?:, .*)?$")
_EXACT = re.compile(
    r"==|(?<!Not)(?<!not)(?<!not_)[eE]qual\w*[( ]|assert_eq|toBe\(|toStrictEqual|toEqual|\beql?\b|\bis None"
    r"|IsNone|toBeNull|toBeUndefined|\.Nil\(|IsNull|raises|Raises|Throws?|toThrow\(.|CloseTo|AlmostEqual|allclose|InDelta"
    r"|InEpsilon|(?:called|Called)_?\w*[wW]ith|snapshot|Snapshot|DeepEqual|JSONEq|Same\(|unless .*!="
)
_PARTIAL = re.compile(
    r"[<>]|!=|\bin\b|[cC]ontain|[mM]atch|[rR]egex|assertIn\b|Greater|Less|isinstance|[iI]nstanceOf|[nN]ot_?[eE]qual|assert_ne"
    r"|not\.to|startswith|endswith|toThrow\(\)|Called|called|include|assertLen|\.Len\(|ErrorIs|\.Error\("
)
_BARE = re.compile(
    r"(?:assert!?|self\.assert(?:True|False)|assert(?:True|False|That)?|(?:require|assert)\.(?:True|False|ok))\b"
)


class Assertion(NamedTuple):
    line: int
    text: str
    strength: Strength
    values: tuple[str, ...]
    """Literals: what is expected, and of what."""
    words: frozenset[str]
    """What it speaks of, without the words of assertions themselves."""

    @property
    def plain(self) -> bool:
        """Whether it compares with what is often said without a comparison: empty, zero or true."""
        return bool(_PLAIN.search(self.text))


_VOCABULARY = re.compile(
    r"assert\w*|expect|to\w*|not|is|in|None|True|False|true|false|null|nil|self|cls|this|require|Equals?|NotNil|Nil|t|and|or"
    r"|len|if|unless|be_\w+|eq|pytest|approx|raises|abs|rel|delta|places|isinstance|should|Should|Be|Assert|Assertions|NotEmpty"
)


def without_strings(text: str) -> str:
    return _STRING.sub(" ", text)


def values_of(text: str) -> tuple[str, ...]:
    strings = (quoted[1:-1] for quoted in _STRING.findall(text))
    return (*strings, *_NUMBER.findall(without_strings(text)))


def words_of(text: str) -> list[str]:
    return _WORD.findall(without_strings(text))


def is_comment(line: str) -> bool:
    return bool(_COMMENT.match(line))


def assertions(lines: Sequence[str], first: int) -> list[Assertion]:
    """`first` is the number of the first line."""
    return list(_found(lines, first))


def _found(lines: Sequence[str], first: int) -> Iterator[Assertion]:
    skip = 0
    for index, line in enumerate(lines):
        if index < skip or is_comment(line):
            continue
        position = 0
        while start := _START.search(line, position):
            if start[0].startswith("if"):
                if index + 1 < len(lines) and _GO_FAILS.match(lines[index + 1]):
                    condition = _SPACE.sub(" ", line.strip().removeprefix("if").removesuffix("{").strip())
                    yield _weighed(first + index, f"unless {condition}")
                break
            if _METHOD.match(start[0]):
                position = start.end()
                continue
            text, ended, position = _statement(lines, index, start.start())
            yield _weighed(first + index, text)
            if ended > index:
                skip = ended + 1
                break


def _statement(lines: Sequence[str], index: int, start: int) -> tuple[str, int, int]:
    """Returns the text from `start` to where its brackets are closed, with line and column of its end."""
    depth = 0
    parts: list[str] = []
    length = 0
    while index < len(lines):
        line = lines[index]
        column, depth, over = _scan(line, start, depth)
        parts.append(line[start:column].strip())
        length += column - start
        chained = index + 1 < len(lines) and lines[index + 1].lstrip().startswith(".")
        if over or length > LONGEST or (depth <= 0 and not chained):
            break
        index, start = index + 1, 0
    return (
        _SPACE.sub(" ", " ".join(parts)).rstrip(" ;:,{").replace("( ", "(").replace(" )", ")"),
        index,
        column,
    )


def _scan(line: str, start: int, depth: int) -> tuple[int, int, bool]:
    """Returns where the statement stops on this line, how deep in brackets, and whether it is over."""
    column = start
    while column < len(line):
        character = line[column]
        string = _STRING.match(line, column) if character in "\"'`" else None
        if string:
            column = string.end()
            continue
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth < 0:
                return column, depth, True
        elif depth == 0 and (character == ";" or line.startswith(("  #", " // "), column)):
            return column, depth, True
        column += 1
    return column, depth, False


def _weighed(line: int, text: str) -> Assertion:
    words = frozenset(word for word in words_of(text) if not _VOCABULARY.fullmatch(word))
    return Assertion(line, text, _strength(text), values_of(text), words)


def _strength(text: str) -> Strength:
    if text.startswith("unless "):
        if re.search(r"err != nil|== nil|^unless !\w+$", text):
            return Strength.VAGUE
        return Strength.EXACT if "!=" in text or "DeepEqual" in text or "Equal(" in text else Strength.PARTIAL
    if _SAME.fullmatch(text):
        return Strength.EMPTY
    plain = _STRING.sub("'text'", text)
    if _VAGUE.search(plain):
        return Strength.VAGUE
    if _EXACT.search(plain) and "not.to" not in plain and "not_to" not in plain:
        return Strength.EXACT
    if _PARTIAL.search(plain):
        return Strength.PARTIAL
    # A helper of the tests' own may assert anything.
    return Strength.VAGUE if _BARE.match(text) else Strength.EXACT

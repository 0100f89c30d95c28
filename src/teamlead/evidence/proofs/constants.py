"""Constants, and what stands in tables, made wrong. Of JavaScript and Go by their words and brackets."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from teamlead.evidence.proofs.faults import Edit, Fault, in_turns, planted
from teamlead.evidence.sources.brackets import Code, Span, code
from teamlead.evidence.sources.languages import Language

Place = tuple[int, int]
"""Where something begins in a text, and ends."""
FEW = 3
"""Of each kind, in one place."""
NO_BEHAVIOUR = re.compile(
    r"timeout|delay|retr(?:y|ies)|buffer|chunk|cache|stacklevel|maxsize|version|help|description|metavar|title",
    re.IGNORECASE,
)
"""What says how fast something is, or is only told."""
IS_PROSE = re.compile(r"\w+\W?\s+\w+\W?\s+\w+")
_CHOICE = re.compile(r"\|[^|()\[\]\\\n]+(?=\))")
_BEFORE = re.compile(r"\w+\W*\Z")
_NUMBER = re.compile(r"(?:0|[1-9]\d*)(?:\.\d+)?")
_VALUE = re.compile(rf"(?<![\w.]){_NUMBER.pattern}(?![\w.])|(?P<quote>[\"'`])(?P<text>[^\n]*?)(?P=quote)")
_TELLS = re.compile(
    r"\b(?:throw|panic|console|log|logger|import|require|package|Errorf|errors|Error)\b|use strict"
)
_BEFORE_A_VALUE = frozenset({"=", "(", ",", ":", "[", "return", "?", "||", "&&", "??", "{"})


def constants(
    text: str,
    spoken: Language,
    ran: Collection[int],
    added: Collection[int],
    kept: Collection[str] = (),
) -> list[Fault]:
    """Of the lines that were added and ran. `kept`: what stood in the lines in whose place they are."""
    read = code(text, spoken)
    if read is None or any(len(line) > 1000 for line in text.split("\n")):
        return []
    lines = text.split("\n")
    wanted = {
        number
        for number, line in enumerate(lines, 1)
        if number in ran and number in added and not _TELLS.search(line) and not NO_BEHAVIOUR.search(line)
    }
    ways = (
        _left_out(read, spoken, wanted),
        _other_number(read, wanted, kept),
        _other_text(read, spoken, wanted, kept),
    )
    return list(in_turns(islice(way, FEW) for way in ways))


def shown(said: str) -> str:
    """Its first line, and of that no more than one can read."""
    line = said.partition("\n")[0].strip()
    return line if len(line) <= 60 else f"{line[:57]}..."


def without_last_choice(pattern: str) -> str | None:
    """Of a pattern with choices. None: it has none."""
    found = list(_CHOICE.finditer(pattern)) if "(" in pattern else []
    return pattern[: found[-1].start()] + pattern[found[-1].end() :] if found else None


def worn(before: str, after: str) -> frozenset[str]:
    """Numbers, and texts without their quotes, of the lines of `before` that are in `after` no more."""
    left = set(after.split("\n"))
    gone = (line for line in before.split("\n") if line not in left)
    return frozenset(found["text"] or found[0] for line in gone for found in _VALUE.finditer(line))


def another(text: str) -> str:
    """Of the same length: one that is longer may do the same, as in a set of letters."""
    end = "-" if text.endswith("_") else "_"
    return text[:-1] + end if text and text[-2:-1] != "\\" else text + end


def alike(text: str, place: Place, lines: Collection[int]) -> list[Place]:
    """With the places where the same stands behind the same words: one alone breaks the other."""
    start, end = place
    head = _BEFORE.search(text, text.rfind("\n", 0, start) + 1, start)
    if head is None:
        return [place]
    pattern = re.compile(rf"\b{re.escape(head[0])}({re.escape(text[start:end])})(?![\w.])")
    found = (found.span(1) for found in pattern.finditer(text))
    return [each for each in found if text.count("\n", 0, each[0]) + 1 in lines] or [place]


def replaced(text: str, places: Sequence[Place], instead: str) -> str:
    for start, end in reversed(places):
        text = text[:start] + instead + text[end:]
    return text


def times(places: Sequence[Place]) -> str:
    return f" ({len(places)} times)" if len(places) > 1 else ""


def _left_out(read: Code, spoken: Language, lines: set[int]) -> Iterator[Fault]:
    for at in sorted(read.closed, reverse=True):
        parts = read.parts(Span(at + 1, read.closed[at] - 1)) if _is_table(read, spoken, at) else []
        new = [number for number, part in enumerate(parts) if read.words[part.first].line in lines]
        if len(parts) > 1 and new:
            part = parts[new[-1]]
            # With the comma that stands behind it, or before.
            behind = read.word(part.last + 1) == ","
            span, kept = (
                (Span(part.first, part.last + 1), "") if behind else (Span(part.first - 1, part.last), " ")
            )
            fault = planted(read, Edit(span, kept, f"`{shown(read.source(part))}` is left out"))
            yield fault._replace(line=read.words[part.first].line)


def _is_table(read: Code, spoken: Language, at: int) -> bool:
    """And no block, index or list of arguments."""
    word, before = read.words[at], read.word(at - 1)
    if word.text not in {"[", "{"} or at == 0:
        return False
    if spoken == "go":
        return word.text == "{" and (read.text[word.start - 1] not in " \t\n" or before in {"{", ","})
    if before not in _BEFORE_A_VALUE:
        return False
    if word.text == "[":
        return True
    parts = read.parts(Span(at + 1, read.closed[at] - 1))
    return all(read.word(part.first + 1) == ":" for part in parts)


def _other_number(read: Code, lines: set[int], kept: Collection[str]) -> Iterator[Fault]:
    done = set[Place]()
    for at in reversed(range(len(read.words))):
        word = read.words[at]
        is_number = not word.string and word.text not in kept and _NUMBER.fullmatch(word.text)
        if word.line in lines and is_number:
            more = str(float(word.text) + 1) if "." in word.text else str(int(word.text) + 1)
            places = alike(read.text, (word.start, word.end), lines)
            if done.isdisjoint(places):
                done |= set(places)
                said = f"`{word.text}` is {more}{times(places)}"
                yield Fault(word.line, said, replaced(read.text, places, more))


def _other_text(read: Code, spoken: Language, lines: set[int], kept: Collection[str]) -> Iterator[Fault]:
    for at in reversed(range(len(read.words))):
        word = read.words[at]
        is_new = word.line in lines and word.text[1:-1] not in kept
        if is_new and word.string and not IS_PROSE.search(word.text):
            fewer, quote = without_last_choice(word.text), word.text[0]
            quoted = quote == '"' or (quote == "'" and spoken == "javascript")
            instead = f"{quote}{another(word.text[1:-1])}{quote}" if quoted else ""
            other = fewer if fewer is not None else instead
            if other:
                said = f"`{shown(word.text)}` is {shown(other)}"
                yield planted(read, Edit(Span(at, at), other, said))

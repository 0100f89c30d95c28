"""Which error an assertion expects: any, one of a kind, or one that says something."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from teamlead.evidence.weakening.assertions import values_of

_PYTHON = re.compile(r"(?:\w+\.)?(?P<name>raises|warns|assert(?:Raises|Warns)(?:Regexp?|Message)?)\(")
_OF_FUNCTION = re.compile(r"(?:\w+\.)*(?:throws|throwsAsync|rejects)\(")
_OF_VALUE = re.compile(r"(?:expect|assert).*\.(?:toThrow|toThrowError|throw|throws|rejectedWith)\(")
_SAYS = re.compile(r"\b(?:match|expected_regex|expected_message) ?= ?")
_KIND = re.compile(r"(?:\w+\.)*[A-Z]\w*|\([\w., ]+\)")
_BROAD = frozenset({"Exception", "BaseException", "Error", "Warning", ""})
"""Names that fit all, or almost all."""
_OPEN, _CLOSED = frozenset("([{"), frozenset(")]}")


class ExpectedError(NamedTuple):
    kind: str
    """Empty: any."""
    says: str
    """What its message, or another part of it, is compared with. Empty: with nothing."""

    @property
    def broad(self) -> bool:
        return self.kind.rpartition(".")[2] in _BROAD


def expected_error(text: str) -> ExpectedError | None:
    """Of an assertion; None, if it expects none."""
    if found := _PYTHON.match(text):
        kind, *rest = _arguments(text, found.end())
        named = next((each for each in (kind, *rest) if _SAYS.match(each)), "")
        of_message = "Regex" in found["name"] or "Message" in found["name"]
        says = named or (rest[0] if of_message and rest else "")
        return ExpectedError("" if _SAYS.match(kind) else kind, says)
    if found := _OF_FUNCTION.match(text):
        _, *rest = _arguments(text, found.end())
        # What Node is given as a string there is what it says if nothing is thrown.
        return _thrown([each for each in rest if each[:1] not in "\"'`"])
    if (found := _OF_VALUE.match(text)) and "not." not in text:
        return _thrown(_arguments(text, found.end()))
    return None


def expects_less(old: ExpectedError | None, now: ExpectedError | None) -> bool:
    """Whether errors pass that did not."""
    if old is None or now is None:
        return False
    return bool(old.says and not now.says) or (now.broad and not old.broad and not now.says)


def says_what(text: str, message: str) -> bool:
    """Whether it speaks of the words that a message was compared with."""
    words = [word for value in values_of(message) or (message,) for word in re.findall(r"\w+", value)]
    return bool(words) and set(words) <= set(re.findall(r"\w+", text))


def _thrown(arguments: list[str]) -> ExpectedError:
    kind = next((each for each in arguments if _KIND.fullmatch(each)), "")
    return ExpectedError(kind, next((each for each in arguments if each and each != kind), ""))


def _arguments(text: str, start: int) -> list[str]:
    return [each.strip() for each in _split(text, start)] or [""]


def _split(text: str, start: int) -> Iterator[str]:
    depth, begin, quote = 0, start, ""
    for column in range(start, len(text)):
        character = text[column]
        if quote:
            if character == quote and text[column - 1] != "\\":
                quote = ""
        elif character in "\"'`":
            quote = character
        elif character in _OPEN:
            depth += 1
        elif character == "," and depth == 0:
            yield text[begin:column]
            begin = column + 1
        elif character in _CLOSED:
            depth -= 1
            if depth < 0:
                yield text[begin:column]
                return
    yield text[begin:]

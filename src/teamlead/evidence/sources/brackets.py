"""Source text as words in brackets: enough to find where something begins and ends."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from teamlead.evidence.sources.languages import Language
from teamlead.evidence.sources.tokens import Token, tokens

_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Span(NamedTuple):
    """Words in a row, by the numbers of the first and the last."""

    first: int
    last: int


class Code(NamedTuple):
    text: str
    words: Sequence[Token]
    closed: Mapping[int, int]
    """Where each bracket that opens is closed, by their numbers."""
    opened: Mapping[int, int]

    def word(self, at: int) -> str:
        return self.words[at].text if 0 <= at < len(self.words) else ""

    def after(self, at: int) -> int:
        """Returns the number of the next word; behind the whole of it for a bracket that opens."""
        return self.closed.get(at, at) + 1

    def source(self, span: Span) -> str:
        """As it stands there."""
        return self.text[self.words[span.first].start : self.words[span.last].end]

    def brief(self, span: Span) -> str:
        """Its first line."""
        return self.source(span).partition("\n")[0].strip()

    def outside(self, span: Span) -> list[str]:
        """Its words that stand in no bracket of its own, and the brackets."""
        found, at = list[str](), span.first
        while at <= span.last:
            found.append(self.word(at))
            at = self.closed.get(at, at + 1)
        return found

    def parts(self, span: Span) -> list[Span]:
        """What commas divide."""
        found, first, at = list[Span](), span.first, span.first
        while at <= span.last + 1:
            if at > span.last or self.word(at) == ",":
                found += [Span(first, at - 1)] if at > first else []
                first = at + 1
            at = self.after(at)
        return found

    def next_line(self, at: int) -> bool:
        """Whether what follows the word stands on another line."""
        word = self.words[at]
        return at + 1 < len(self.words) and self.words[at + 1].line > word.line + word.text.count("\n")


def code(text: str, spoken: Language) -> Code | None:
    """None: its brackets do not match, so it is none that we can read."""
    words = [word for word in tokens(text, spoken) if not word.text.startswith(("//", "/*"))]
    closed, left = dict[int, int](), list[int]()
    for at, word in enumerate(words):
        if word.string:
            continue
        if word.text in _CLOSING:
            left.append(at)
        elif word.text in _CLOSING.values():
            if not left or _CLOSING[words[left[-1]].text] != word.text:
                return None
            closed[left.pop()] = at
    return None if left else Code(text, words, closed, {end: start for start, end in closed.items()})

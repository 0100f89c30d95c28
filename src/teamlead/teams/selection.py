"""Which team fits a task: the one of whose keywords most are in it.

How a keyword is met depends on its own script, at each of its ends. A word of letters is met as a whole word,
so that "UI" is not met by "build". Korean is met from the beginning of a word on, since particles follow it.
Chinese characters and kana are met wherever they stand, since nothing parts words there.
"""

import unicodedata
from collections.abc import Iterable
from typing import Literal, NamedTuple

Script = Literal["letters", "hangul", "unparted", ""]

_HANGUL = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xA960, 0xA97F), (0xAC00, 0xD7FF))
_UNPARTED = (
    *((0x3005, 0x3007), (0x3040, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF)),
    *((0xF900, 0xFAFF), (0x20000, 0x3134F)),
)


class Keywords(NamedTuple):
    """Of one team."""

    team: str
    keywords: tuple[str, ...]


class Scored(NamedTuple):
    team: str
    met: tuple[str, ...]
    """Its keywords that the task has, each once, as the team spells them."""

    @property
    def score(self) -> int:
        return len(self.met)


def scores(task: str, teams: Iterable[Keywords]) -> list[Scored]:
    """In the order of the teams."""
    text = folded(task)
    return [Scored(team.team, _met(text, team.keywords)) for team in teams]


def best(scored: Iterable[Scored]) -> Scored | None:
    """The first of those with the highest score; None where no keyword is met."""
    found = max(scored, key=lambda each: each.score, default=None)
    return found if found and found.score else None


def folded(text: str) -> str:
    """Equal for texts that a reader takes for the same."""
    if text.isascii():
        return " ".join(text.casefold().split())
    once = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", once).split())


def _met(text: str, keywords: Iterable[str]) -> tuple[str, ...]:
    words: dict[str, str] = {}
    for keyword in keywords:
        words.setdefault(folded(keyword), keyword)
    return tuple(keyword for word, keyword in words.items() if word and _holds(text, word))


def _holds(text: str, word: str) -> bool:
    at = text.find(word)
    if at < 0:
        return False
    first, last = _script(word[0]), _script(word[-1])
    while at >= 0:
        before = _script(text[at - 1]) if at else ""
        end = at + len(word)
        behind = _script(text[end]) if end < len(text) else ""
        begins = first in {"", "unparted"} or before != first
        ends = last != "letters" or behind != "letters"
        if begins and ends:
            return True
        at = text.find(word, at + 1)
    return False


def _script(character: str) -> Script:
    code = ord(character)
    if any(low <= code <= high for low, high in _HANGUL):
        return "hangul"
    if any(low <= code <= high for low, high in _UNPARTED):
        return "unparted"
    return "letters" if character == "_" or character.isalnum() or unicodedata.combining(character) else ""

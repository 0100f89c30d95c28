"""Words that people and agents write, compared by what they mean and not by how they are written."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Generic, TypeVar

_ASIDE = re.compile(r"[(（][^()（）]*[)）]\s*$")  # noqa: RUF001
_IGNORED = re.compile(r"[\s_*`\-‐–]+")  # noqa: RUF001
SHORTEST = 3
"""Letters of a word that can be a misspelling of another."""

Meaning = TypeVar("Meaning", bound=str)


def key(words: str) -> str:
    """Equal for spellings of the same word. Case, spaces, hyphens, markup and a last aside do not matter."""
    folded = unicodedata.normalize("NFKC", words).casefold()
    return _IGNORED.sub("", _ASIDE.sub("", folded)) or folded.strip()


def one_letter_less(word: str) -> list[str]:
    """The word, and what is left of it without one of its letters.

    Two words that are at most one edit apart share one of these. So the nearest of many words is found at the
    same cost, however many there are.
    """
    return [word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]


class Vocabulary(Generic[Meaning]):
    """What words mean, each meaning with several words in any language."""

    def __init__(self, table: Mapping[Meaning, Iterable[str]]) -> None:
        self._table = table
        self._meanings = {key(word): meaning for meaning, words in table.items() for word in words}
        self._longest = max(map(len, self._meanings), default=0)

    def meaning(self, word: str) -> Meaning | None:
        return self._meanings.get(key(word))

    def nearest(self, word: str) -> str | None:
        """The known word that is one edit away, as the table spells it."""
        given = key(word)
        if not SHORTEST <= len(given) <= self._longest + 1:
            return None
        return next((self._near[form] for form in sorted(one_letter_less(given)) if form in self._near), None)

    @cached_property
    def _near(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for word in (word for words in self._table.values() for word in words):
            for form in one_letter_less(key(word)):
                found.setdefault(form, word)
        return found

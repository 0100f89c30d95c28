"""The names of tests as paths: file, class, test."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher

from teamlead.core.evidence.values import TestStatus

MOST_PAIRS = 2500
ALIKE = 0.5
_SEPARATOR = re.compile(r"::| › | > ")


def file_of(name: str) -> str:
    return _SEPARATOR.split(name, maxsplit=1)[0]


def parent_of(name: str) -> str:
    """Its class, or else its file. What stands in brackets is a parameter, and may look like anything."""
    plain = name.partition("[")[0]
    separators = [found.start() for found in _SEPARATOR.finditer(plain)]
    return plain[: separators[-1]] if separators else ""


def title_of(name: str) -> str:
    return name[len(parent_of(name)) :]


def above(name: str) -> Iterator[str]:
    """What may stand for it as a whole: its class, its file; of a dotted module, what it is part of.

    And each word of a dotted name: unittest calls what it cannot load by its last one.
    """
    plain = name.partition("[")[0]
    while parent := parent_of(name):
        yield parent
        name = parent
    dotted = "." in name
    while "." in name:
        name = name.rpartition(".")[0]
        yield name
    if dotted:
        yield from re.split(r"\.|::", plain)


class Roll:
    """Who was called, and how it ended."""

    def __init__(self, names: Mapping[str, TestStatus]) -> None:
        self.names = names
        self._below: dict[str, TestStatus] = {}
        for name, status in names.items():
            for whole in above(name):
                if self._below.get(whole) != "failed":
                    self._below[whole] = status

    def end_of(self, name: str, before: TestStatus = "failed") -> TestStatus | None:
        """How it ended, or what it is part of, or all its parts. None: it was not called.

        A package that passed does not speak for a test that passed `before` by its own name: it was not run.
        """
        if name in self.names:
            return self.names[name]
        for whole in above(name):
            if whole in self.names:
                end = self.names[whole]
                return None if end == "passed" and before == "passed" else end
        return self._below.get(name)


def alike(name: str, other: str) -> bool:
    """Whether two tests in one place may be the same: by their words, or but for their parameters."""
    title, other_title = _plain_title(name), _plain_title(other)
    return title == other_title or SequenceMatcher(None, title, other_title).ratio() >= ALIKE


def _plain_title(name: str) -> str:
    title = title_of(name).partition("[")[0].lower()
    return re.sub(r"\W|_", "", title).removeprefix("test")


def moves(gone: Iterable[str], new: Iterable[str]) -> dict[str, str]:
    """Which test is which: first those that kept their title, then the most alike in one class or file."""
    left: dict[str, list[str]] = defaultdict(list)
    for name in new:
        left[title_of(name)].append(name)
    found: dict[str, str] = {}
    for name in gone:
        if left[title_of(name)]:
            found[name] = left[title_of(name)].pop(0)
    there = _by_parent(name for names in left.values() for name in names)
    for parent, old in _by_parent(name for name in gone if name not in found).items():
        found |= _paired(old, there.get(parent, []))
    return found


def _by_parent(names: Iterable[str]) -> dict[str, list[str]]:
    """Files and packages themselves are in no group: another name is another one."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if parent := parent_of(name):
            groups[parent].append(name)
    return groups


def _paired(old: list[str], new: list[str]) -> dict[str, str]:
    if len(old) * len(new) > MOST_PAIRS:
        return dict(zip(old, new, strict=False))
    alike = sorted(
        ((SequenceMatcher(None, a, b).ratio(), a, b) for a in old for b in new), key=lambda pair: -pair[0]
    )
    found: dict[str, str] = {}
    for _, a, b in alike:
        if a not in found and b not in found.values():
            found[a] = b
    return found

"""What calling tests outside of their program comes to, whatever they are written in."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.outside_program import FAILED, MARKER
from teamlead.evidence.sources.languages import Language, language
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_texts
from teamlead.system.git import Git

MOST_FILES = 20
MOST_TESTS = 300
LEAST_SECONDS = 20.0

Told = dict[str, str]
"""What became of each test."""


class Called(NamedTuple):
    check: CheckResult
    ran: Ran
    ways: Mapping[str, list[Told]]

    @property
    def bare(self) -> Told:
        return next(iter(self.ways.get("bare", [])), {})

    def failed(self, way: str, test: str) -> bool:
        """Each time."""
        told = self.ways.get(way, [])
        return bool(told) and all(each.get(test, "").startswith(FAILED) for each in told)

    def passed(self, way: str, test: str) -> bool:
        told = self.ways.get(way, [])
        return bool(told) and all(each.get(test) == "passed" for each in told)


def by_a_program(bench: Bench, programs: Iterable[str]) -> CheckResult | None:
    """The first check that has one of these programs run tests."""
    for check in bench.case.checks:
        if check.passed and check.suite and not set(programs).isdisjoint(check.suite.programs):
            return check
    return None


def files(git: Git, commit: str) -> list[str]:
    listing = git.run("ls-tree", "-r", "-z", "--name-only", commit).fields
    return [path for path in (field.decode("utf-8", "replace") for field in listing) if "\ufffd" not in path]


def changed_sources(bench: Bench, spoken: Language) -> list[str]:
    there = bench.is_there()
    return [path for path in there if language(path) == spoken and not is_of_tests(path)]


def tests_of(
    git: Git, bench: Bench, spoken: Language, belongs: Callable[[Text], bool], paths: Iterable[str]
) -> list[Text]:
    """The touched ones, and of the rest those that belong to what was changed."""
    touched = set(bench.is_there())
    tests = [path for path in paths if language(path) == spoken and is_test(path)]
    first = sorted(tests, key=lambda path: path not in touched)[:MOST_TESTS]
    texts = read_texts(git, bench.base, bench.work, first) if first else []
    found = [text for text in texts if text.after and (text.path in touched or belongs(text))]
    return found[:MOST_FILES]


async def read(ran: Ran) -> Mapping[str, list[Told]]:
    """Nothing: it told nothing that could be read."""
    try:
        log = await asyncio.to_thread(Path(ran.end.log).read_text, "utf-8", "replace")
        told = json.loads(log.rpartition(MARKER)[2])
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


async def read_lines(ran: Ran) -> Mapping[str, list[Told]]:
    """Where each test is told of alone. One that comes a second time begins another run."""
    ways: dict[str, list[Told]] = {}
    try:
        log = await asyncio.to_thread(Path(ran.end.log).read_text, "utf-8", "replace")
        lines = [line.removeprefix(MARKER) for line in log.splitlines() if line.startswith(MARKER)]
        found = [dict(json.loads(line)) for line in lines]
    except (OSError, ValueError):
        return {}
    for each in found:
        for way, told in each.items():
            runs = ways.setdefault(way, [{}])
            if not told.keys().isdisjoint(runs[-1]):
                runs.append({})
            runs[-1].update(told)
    return ways


def name_of_program(bench: Bench) -> str:
    """One that no code can know: it would tell where it is called from."""
    return f"m{bench.work[:12]}"


def seconds(check: CheckResult) -> float:
    return max(LEAST_SECONDS, check.seconds)

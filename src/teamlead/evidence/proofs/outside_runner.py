"""Tests, called by a program of our own: code that knows when it is tested does something else there.

The touched tests are called, and those that import what was changed. One that fails unless everything looks
like a test program is certain. Where only names make the difference, or where it fails in any case, the test
may need what its test program does for it.
"""

import asyncio
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.values import Evidence, Proofs, Verdict
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs import outside_program
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.harness import MOST_TESTS, is_of_tests
from teamlead.evidence.proofs.outside_program import FAILED, MARKER
from teamlead.evidence.proofs.traces import Trace, Traced, trace
from teamlead.evidence.proofs.variants import stored
from teamlead.evidence.weakening.files_of_tests import Text, is_test, read_texts
from teamlead.system.git import Git

SAME_OUTSIDE = "it does the same where nothing shows that it is tested"
MOST_FILES = 20
LEAST_SECONDS = 10.0
_PROGRAMS = frozenset({"pytest", "unittest"})
_SETTINGS = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_PATHS = re.compile(r"\bPYTHONPATH=(\S+)|^\s*pythonpath\s*=\s*(.+)$", re.MULTILINE)

Told = dict[str, str]


class _Asked(NamedTuple):
    files: list[str]
    """Of tests."""
    places: list[str]
    """That modules are imported from."""


class _Outcome(NamedTuple):
    ways: dict[str, list[Told]]

    def failed(self, way: str, test: str) -> bool:
        """Each time."""
        told = self.ways.get(way, [])
        return bool(told) and all(each.get(test, "").startswith(FAILED) for each in told)

    def passed(self, way: str, test: str) -> bool:
        told = self.ways.get(way, [])
        return bool(told) and all(each.get(test) == "passed" for each in told)

    @property
    def bare(self) -> Told:
        return self.ways["bare"][0]


async def outside_runner(bench: Bench) -> Proofs:
    found = await bench.once(trace)
    traced = next((check for check in found.checks if check.python and _by_a_program(check)), None)
    asked = await bench.look(_asked, bench, found, traced) if traced else None
    if traced is None or asked is None or not asked.files:
        return Proofs()
    ran = await _called(bench, traced, asked)
    outcome = await asyncio.to_thread(_read, ran) if ran else None
    return Proofs(tuple(_told(traced, ran, outcome))) if ran and outcome else Proofs()


def _by_a_program(traced: Traced) -> bool:
    suite = traced.check.suite
    return suite is not None and not _PROGRAMS.isdisjoint(suite.programs)


async def _called(bench: Bench, traced: Traced, asked: _Asked) -> Ran | None:
    text = await asyncio.to_thread(Path(outside_program.__file__).read_text, "utf-8")
    program = f"{text}\n\nmain({asked.files!r}, {asked.places!r})\n"
    # A name that no code can know: it would tell where it is called from.
    name = f"m{bench.work[:12]}.py"
    return await bench.run_with(
        bench.work,
        {name: await bench.look(stored, program.encode())},
        traced.check,
        around=lambda _: f"{shlex.quote(traced.python)} -B {name}",
        within=max(LEAST_SECONDS, traced.check.seconds),
    )


def _asked(git: Git, bench: Bench, found: Trace, traced: Traced) -> _Asked:
    listing = git.run("ls-tree", "-r", "-z", "--name-only", bench.work).fields
    paths = [path for path in (field.decode("utf-8", "replace") for field in listing) if "\ufffd" not in path]
    touched = {change.path for change in bench.changes}
    tests = sorted((path for path in paths if _is_called(path)), key=lambda path: path not in touched)
    around = [path for path in paths if PurePosixPath(path).name in {"conftest.py", *_SETTINGS}]
    texts = read_texts(git, bench.work, bench.work, [*tests[:MOST_TESTS], *around])
    housed = [text for text in texts if text.path in around]
    modules = {_module(source.path) for source in found.sources if not is_of_tests(source.path)}
    files = [
        text.path
        for text in texts
        if text.path not in around and (text.path in touched or _imports(text, modules))
        if not _has_more_done_for_it(text, housed)
    ]
    told = [traced.check.command, *(text.after or "" for text in housed if text.path in _SETTINGS)]
    return _Asked(files[:MOST_FILES], list(_places(told, files)))


def _is_called(path: str) -> bool:
    return (
        path.endswith(".py")
        and is_test(path)
        and bool(re.match(r"test|.*_test\.py", PurePosixPath(path).name))
    )


def _module(path: str) -> str:
    file = PurePosixPath(path)
    return file.parent.name if file.stem == "__init__" else file.stem


def _imports(text: Text, modules: set[str]) -> bool:
    lines = re.findall(r"^\s*(?:from|import)\s.*", text.after or "", re.MULTILINE)
    return any(not modules.isdisjoint(re.findall(r"\w+", line)) for line in lines)


def _has_more_done_for_it(text: Text, housed: Sequence[Text]) -> bool:
    """By fixtures that it does not ask for."""
    above = [each for each in housed if PurePosixPath(each.path).parent in PurePosixPath(text.path).parents]
    return any("autouse" in (each.after or "") for each in (text, *above))


def _places(told: Sequence[str], files: Sequence[str]) -> Iterator[str]:
    for found in _PATHS.finditer("\n".join(told)):
        yield from (place for place in re.findall(r"[\w./-]+", found[1] or found[2]) if place != "PWD")
    yield from (".", "src", "lib")
    yield from dict.fromkeys(str(folder) for file in files for folder in PurePosixPath(file).parents)


def _read(ran: Ran) -> _Outcome | None:
    try:
        _, marker, told = Path(ran.end.log).read_text("utf-8", "replace").rpartition(MARKER)
        return _Outcome(json.loads(told)) if marker else None
    except (OSError, ValueError):
        return None


def _told(traced: Traced, ran: Ran, outcome: _Outcome) -> Iterator[Evidence]:
    failed = [test for test, told in outcome.bare.items() if told.startswith(FAILED)]
    certain = [test for test in failed if outcome.failed("named", test) and outcome.passed("tested", test)]
    rest = [test for test in failed if test not in certain]
    if certain:
        told = f"{listed(certain)} passes only where it looks as if a test program called it"
        yield _item(traced, ran, "objected", f"{told}: do the same, tested or not")
    if rest:
        told = f"{listed(rest)} passes in the check, and fails when it is called without its test program"
        asked = f"{told}. Does the code find out whether it is tested? Which line does?"
        yield _item(traced, ran, "flagged", told, asked)
    if not failed and "passed" in outcome.bare.values():
        count = sum(told == "passed" for told in outcome.bare.values())
        yield _item(
            traced, ran, "proven", f"{count} of its tests hold when they are called without their program"
        )


def _item(traced: Traced, ran: Ran, verdict: Verdict, found: str, question: str = "") -> Evidence:
    command = look_again(traced.check.command, ran.commit, ran.end.room)
    return Evidence(
        "proof", verdict, SAME_OUTSIDE, found, command=command, log=ran.end.log, question=question
    )

"""Which of the lines that a change adds ran in its checks, and in which of their tests.

That is one further run of each, with source that notes it.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.added_secrets import added_lines
from teamlead.evidence.proofs import go_coverage as go
from teamlead.evidence.proofs import javascript_coverage as javascript
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.chosen_tests import Choice, of_unittest
from teamlead.evidence.proofs.constants import worn
from teamlead.evidence.proofs.python_probes import FOLDER, LOADED, MORE, VARIABLE, with_probes
from teamlead.evidence.proofs.python_statements import Statement, added_statements, parsed
from teamlead.evidence.proofs.variants import EXECUTABLE, Entry, Files, entries, stored
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

MARKER = "teamlead: what ran"
_PYTHON = "python "
_NOTE = re.compile(rf"(\d+):(\d+|{javascript.TRANSFORMED})(?: (.+))?")
_READER = f"{FOLDER}/read.cjs"
_AROUND = f"""export {VARIABLE}="$PWD/{FOLDER}/notes"
[ ! -f {_READER} ] || export {javascript.VARIABLE}="$PWD/{FOLDER}/v8"
ASKING(
COMMAND
)
ended=$?
echo
echo '{MARKER}'
cat "${VARIABLE}" 2>/dev/null
[ ! -f {_READER} ] || node {_READER}
cat {FOLDER}/{go.PROFILES} 2>/dev/null
exit $ended
"""


Place = tuple[str, int]
"""A line of a file."""


class Source(NamedTuple):
    """A changed file of Python, JavaScript or Go."""

    path: str
    text: str
    statements: tuple[Statement, ...]
    """Those that were added."""
    added: frozenset[int]
    """All lines that were."""
    kept: frozenset[str] = frozenset()
    """Constants that stood in lines which are gone: in new lines they are nothing new."""


class Traced(NamedTuple):
    """A check that passed, and where it came along."""

    check: CheckResult
    ran: Ran
    loaded: frozenset[str]
    lines: frozenset[Place]
    python: str
    """The program that loaded them; empty: none was loaded."""
    transformed: frozenset[str]
    """Of what was loaded, that of which nobody knows which lines ran."""
    tests: Mapping[Place, tuple[str, ...]]
    """Which of them ran it; without a place where they are not all known."""


class Untraced(NamedTuple):
    """A check that passed, and of which nobody knows where it came along."""

    check: CheckResult
    reason: str


class Trace(NamedTuple):
    sources: tuple[Source, ...] = ()
    checks: tuple[Traced, ...] = ()
    untraced: tuple[Untraced, ...] = ()
    """Those that tell of tests."""
    no_check: str = "no check"
    """Who does not run what none of these runs: others may that nobody could follow, or may tell of."""

    def transformed(self, source: Source) -> bool:
        return any(source.path in check.transformed for check in self.checks)

    def loaded(self, source: Source) -> bool:
        return any(source.path in check.loaded for check in self.checks)

    def unrun(self, source: Source) -> list[Statement]:
        ran = frozenset[Place]().union(*(check.lines for check in self.checks))
        return [statement for statement in source.statements if (source.path, statement.line) not in ran]


async def trace(bench: Bench) -> Trace:
    """Of the checks that passed. Without any that tells of tests, nothing was traced."""
    passed = [check for check in bench.case.checks if check.passed]
    checks, opaque = [each for each in passed if each.suite], [each for each in passed if not each.suite]
    sources = await bench.look(_sources, bench.base, bench.work, bench.is_there()) if checks else ()
    if not sources:
        return Trace()
    files = await bench.look(_with_probes, bench.work, sources)
    found = [await _traced(bench, check, sources, files) for check in checks]
    # A linter may turn down source with notes in it: that of itself is nothing to tell.
    others = [
        await _traced(bench, check, sources, files)
        if bench.has_time_for(check)
        else Untraced(check, "there is no time")
        for check in opaque
    ]
    known = not opaque or not any(go.is_measured(source.path) for source in sources)
    return Trace(
        sources,
        tuple(check for check in (*found, *others) if isinstance(check, Traced)),
        tuple(check for check in found if isinstance(check, Untraced)),
        _no_check(
            known=known and all(isinstance(check, Traced) for check in others),
            hidden=bool(bench.case.claim.task.hidden_checks),
        ),
    )


def _no_check(*, known: bool, hidden: bool) -> str:
    if known:
        return "no check that agents know of" if hidden else "no check"
    return (
        "no check that tells of tests and that agents know of" if hidden else "no check that tells of tests"
    )


async def _traced(
    bench: Bench, check: CheckResult, sources: Sequence[Source], files: Files
) -> Traced | Untraced:
    naming = await bench.look(of_unittest, check) or Choice({}, str, {})
    around = partial(_around, check, naming.around)
    ran = await bench.run_with(bench.work, {**files, **naming.files}, check, around=around)
    if ran is None:
        return Untraced(check, "there was no time to find it out")
    if not ran.passed:
        return Untraced(check, "it fails where its lines are noted")
    found = await asyncio.to_thread(_read, check, ran, sources)
    return found or Untraced(check, "its log tells nothing of it")


def _around(check: CheckResult, naming: Callable[[str], str], command: str) -> str:
    asking = (go.asking(FOLDER) if go.runs(check.suite) else "") + javascript.asking(check.suite)
    return _AROUND.replace("ASKING", asking).replace("COMMAND", naming(command))


def is_noted(path: str) -> bool:
    """It is known how to find out what of it runs."""
    return path.endswith((".py", *javascript.SUFFIXES)) or go.is_measured(path)


def _sources(git: Git, base: str, work: str, paths: Iterable[str]) -> tuple[Source, ...]:
    wanted = [path for path in paths if is_noted(path)]
    if not wanted:
        return ()
    added: dict[str, set[int]] = {}
    for line in added_lines(git, base, work):
        added.setdefault(line.path, set()).add(line.number)
    texts = read_texts(git, base, work, [path for path in wanted if path in added])
    found = (
        Source(
            path,
            after or "",
            _statements(path, after or "", added[path]),
            frozenset(added[path]),
            worn(before or "", after or ""),
        )
        for path, before, after in texts
    )
    return tuple(source for source in found if source.statements)


def _statements(path: str, text: str, added: set[int]) -> tuple[Statement, ...]:
    if path.endswith(javascript.SUFFIXES):
        return tuple(javascript.added_lines_of_code(text, added))
    if go.is_measured(path):
        return tuple(go.added_lines_of_code(text, added))
    tree = parsed(text)
    return tuple(added_statements(tree, added)) if tree else ()


def _with_probes(git: Git, work: str, sources: Sequence[Source]) -> dict[str, Entry | None]:
    """The sources, and what else it takes to find out what ran."""
    modes = entries(git, work, [source.path for source in sources])
    numbers = {source.path: number for number, source in enumerate(sources)}
    files: dict[str, Entry | None] = {f"{FOLDER}/README": stored(git, b"Notes of what ran.\n")}
    for number, source in enumerate(sources):
        tree, now = parsed(source.text) if source.path.endswith(".py") else None, modes[source.path]
        if tree and now:
            noted = with_probes(source.text, tree, source.statements, number)
            files[source.path] = stored(git, noted.encode(), now.mode)
    if scripts := {path: number for path, number in numbers.items() if path.endswith(javascript.SUFFIXES)}:
        files[_READER] = stored(git, javascript.reader(scripts).encode())
    if any(go.is_measured(path) for path in numbers):
        files[f"{FOLDER}/{go.PROGRAM}"] = stored(git, go.program(FOLDER).encode(), EXECUTABLE)
    return files


def _read(check: CheckResult, ran: Ran, sources: Sequence[Source]) -> Traced | None:
    """None: nobody knows any more what it told."""
    try:
        told = Path(ran.end.log).read_text("utf-8", "replace")
    except OSError:
        return None
    _, marker, notes = told.rpartition(MARKER)
    if not marker:
        return None
    lines = notes.splitlines()
    of_go = [(source.path, source.text) for source in sources if go.is_measured(source.path)]
    tests: defaultdict[Place, set[str]] = defaultdict(set)
    transformed = set[str]()
    for path, line, test in _notes(lines, sources):
        if line == javascript.TRANSFORMED:
            transformed.add(path)
        else:
            tests[path, int(line)].add(test)
    for place in go.ran(lines, of_go):
        tests[place].add(MORE)
    return Traced(
        check=check,
        ran=ran,
        loaded=frozenset(path for path, line in tests if line == LOADED),
        lines=frozenset(place for place in tests if place[1] != LOADED),
        python=next((line.removeprefix(_PYTHON) for line in lines if line.startswith(_PYTHON)), ""),
        transformed=frozenset(transformed),
        tests={place: tuple(sorted(names)) for place, names in tests.items() if MORE not in names},
    )


def _notes(notes: Iterable[str], sources: Sequence[Source]) -> Iterator[tuple[str, str, str]]:
    """File, line and test."""
    for note in notes:
        if (found := _NOTE.fullmatch(note)) and int(found[1]) < len(sources):
            yield sources[int(found[1])].path, found[2], found[3] or MORE

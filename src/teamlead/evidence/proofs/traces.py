"""Which of the lines that a change adds ran in its checks: one further run each, of source that notes it."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult
from teamlead.evidence.added_secrets import added_lines
from teamlead.evidence.proofs import go_coverage as go
from teamlead.evidence.proofs import javascript_coverage as javascript
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.python_probes import FOLDER, LOADED, VARIABLE, with_probes
from teamlead.evidence.proofs.python_statements import Statement, added_statements, parsed
from teamlead.evidence.proofs.variants import Entry, entries, stored
from teamlead.evidence.weakening.files_of_tests import read_texts
from teamlead.system.git import Git

MARKER = "teamlead: what ran"
_PYTHON = "python "
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
cat {FOLDER}/{go.PROFILE} 2>/dev/null
exit $ended
"""


class Source(NamedTuple):
    """A changed file of Python, JavaScript or Go."""

    path: str
    text: str
    statements: tuple[Statement, ...]
    """Those that were added."""


class Traced(NamedTuple):
    """A check that passed, and where it came along."""

    check: CheckResult
    ran: Ran
    loaded: frozenset[str]
    lines: frozenset[tuple[str, int]]
    python: str
    """The program that loaded them; empty: none was loaded."""


class Trace(NamedTuple):
    sources: tuple[Source, ...] = ()
    checks: tuple[Traced, ...] = ()

    def loaded(self, source: Source) -> bool:
        return any(source.path in check.loaded for check in self.checks)

    def unrun(self, source: Source) -> list[Statement]:
        ran = frozenset[tuple[str, int]]().union(*(check.lines for check in self.checks))
        return [statement for statement in source.statements if (source.path, statement.line) not in ran]


async def trace(bench: Bench) -> Trace:
    """Of the checks that tell of tests. Without any of these, or without time, nothing was traced."""
    checks = [check for check in bench.case.checks if check.passed and check.suite]
    sources = await bench.look(_sources, bench.base, bench.work, bench.is_there()) if checks else ()
    if not sources:
        return Trace()
    files = await bench.look(_with_probes, bench.work, sources)
    traced = []
    for check in checks:
        ran = await bench.run_with(bench.work, files, check, around=partial(_around, check))
        found = await asyncio.to_thread(_read, check, ran, sources) if ran and ran.passed else None
        if found is None:
            return Trace(sources)
        traced.append(found)
    return Trace(sources, tuple(traced))


def _around(check: CheckResult, command: str) -> str:
    asking = go.asking(command, FOLDER) + javascript.asking(check.suite)
    return _AROUND.replace("ASKING", asking).replace("COMMAND", command)


def _sources(git: Git, base: str, work: str, paths: Iterable[str]) -> tuple[Source, ...]:
    wanted = [path for path in paths if path.endswith((".py", *javascript.SUFFIXES)) or go.is_measured(path)]
    if not wanted:
        return ()
    added: dict[str, set[int]] = {}
    for line in added_lines(git, base, work):
        added.setdefault(line.path, set()).add(line.number)
    texts = read_texts(git, base, work, [path for path in wanted if path in added])
    found = (
        Source(path, after or "", _statements(path, after or "", added[path])) for path, _, after in texts
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
    seen = [*_places(lines, sources), *go.ran(lines, of_go)]
    return Traced(
        check=check,
        ran=ran,
        loaded=frozenset(path for path, line in seen if line == LOADED),
        lines=frozenset(place for place in seen if place[1] != LOADED),
        python=next((line.removeprefix(_PYTHON) for line in lines if line.startswith(_PYTHON)), ""),
    )


def _places(notes: Iterable[str], sources: Sequence[Source]) -> Iterator[tuple[str, int]]:
    for note in notes:
        number, _, line = note.partition(":")
        if number.isdigit() and line.isdigit() and int(number) < len(sources):
            yield sources[int(number)].path, int(line)

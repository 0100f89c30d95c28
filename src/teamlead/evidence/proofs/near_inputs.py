"""Inputs near those of the tests: what is new has to show there, too.

A run of the checks notes with which plain values tests call the functions of changed Python modules. These
calls, and others like them, are made on the old and on the new source. Where the new source differs for what
tests give alone, it answers its tests. Where what it gives depends on the calls before, only a test that
makes one call is content. That the new source gives something else for others, too, does not say that it is
right: it is not told.

Only modules that import nothing which reaches beyond their arguments are called.
"""

import asyncio
import json
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.evidence.proofs import near_inputs_program
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.calls_of_tests import Noted, calls_of_tests
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.near_inputs_program import MARKER
from teamlead.evidence.proofs.pure_modules import is_pure
from teamlead.evidence.proofs.variants import stored
from teamlead.evidence.weakening.files_of_tests import Text, read_texts
from teamlead.system.git import Git

BEYOND_TESTS = "what is new shows for inputs that no test gives, too"
NO_MEMORY = "what it gives does not depend on the calls before"
NAME = "teamlead_near_inputs.py"
SECONDS = 20.0
ENOUGH = 6
"""Inputs near those of tests that have to say something."""
SHOWN = 3
MOST_NEW = 30
"""Calls that give something new, and that others near them are made for."""
MERE = 8
"""Characters of a value that many inputs may have in common."""


class Given(NamedTuple):
    """A call by a test, or one like it."""

    module: str
    function: str
    text: str

    def __str__(self) -> str:
        return self.text


class _Came(NamedTuple):
    call: Given
    outcome: list[Any] | None
    steady: bool
    """It comes out the same in another order of calls."""


class _Row(NamedTuple):
    """One call on the old source and on the new one."""

    was: _Came
    now: _Came

    @property
    def call(self) -> Given:
        return self.now.call

    @property
    def is_new(self) -> bool:
        return self.was.outcome != self.now.outcome

    @property
    def tells(self) -> bool:
        """It is an input that there is an answer to."""
        return bool(self.now.outcome and self.now.outcome[1])


async def near_inputs(bench: Bench) -> Proofs:
    """By the first check that calls something."""
    modules = await bench.look(_modules, bench)
    for check in bench.case.checks if modules else ():
        if check.passed and check.suite and bench.has_time_for(check):
            noted = await calls_of_tests(bench, check, modules)
            if noted.calls:
                return Proofs(tuple(await _looked_at(bench, check, noted)))
    return Proofs()


async def _looked_at(bench: Bench, check: CheckResult, noted: Noted) -> list[Evidence]:
    rows = await _rows(bench, check, noted, with_near=False)
    new = [call for call, row in zip(noted.calls, rows, strict=False) if row.now.outcome and row.is_new]
    near = await _rows(bench, check, noted._replace(calls=new[:MOST_NEW]), with_near=True) if new else []
    of_tests = {str(row.call) for row in rows}
    return list(_judged(check, of_tests, [row for row in near if row.now.outcome]))


async def _rows(bench: Bench, check: CheckResult, noted: Noted, *, with_near: bool) -> list[_Row]:
    """Of all of them, in their order; none: they could not be made."""
    text = await asyncio.to_thread(Path(near_inputs_program.__file__).read_text, "utf-8")
    program = f"{text}\n\nmain({noted.calls!r}, {['.', 'src', 'lib']!r}, {with_near})\n"
    files = {NAME: await bench.look(stored, program.encode())}

    async def came(commit: str) -> list[_Came]:
        around = f"PYTHONHASHSEED=0 {shlex.quote(noted.python)} -B {NAME}"
        ran = await bench.run_with(commit, files, check, around=lambda _: around, within=SECONDS)
        return await asyncio.to_thread(_read, ran) if ran else []

    was = await came(bench.base)
    now = await came(bench.work) if was else []
    return [_Row(*each) for each in zip(was, now, strict=True)] if len(was) == len(now) else []


def _modules(git: Git, bench: Bench) -> tuple[Text, ...]:
    """The changed source that was there before, if all that it reaches is its arguments."""
    known = set(bench.was_there())
    paths = [path for path in bench.is_there() if path in known and _is_source(path)]
    texts = read_texts(git, bench.base, bench.work, paths)
    return tuple(text for text in texts if is_pure(git, bench.work, text.path, text.after or ""))


def _is_source(path: str) -> bool:
    return path.endswith(".py") and not is_of_tests(path)


def _read(ran: Ran) -> list[_Came]:
    try:
        _, marker, told = Path(ran.end.log).read_text("utf-8", "replace").rpartition(MARKER)
        asked, forward, backward = json.loads(told) if marker else ((), (), ())
        rows = zip(asked, forward, backward, strict=True)
        return [_Came(Given(*call), one, one == other) for call, one, other in rows]
    except (OSError, ValueError, TypeError):
        return []


def _judged(check: CheckResult, of_tests: set[str], rows: list[_Row]) -> Iterator[Evidence]:
    if moody := [row.call for row in rows if row.was.steady and not row.now.steady]:
        found = f"in another order of calls these give something else: {_listed(moody)}"
        question = f"{found}. Which sentence of the plan asks for that?"
        yield _item(check, NO_MEMORY, found, question)
    functions: defaultdict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in rows:
        if row.was.outcome is not None:
            functions[row.call.module, row.call.function].append(row)
    for found_rows in functions.values():
        given = [row for row in found_rows if str(row.call) in of_tests]
        yield from _beyond(check, given, [row for row in found_rows if row not in given and row.tells])


def _beyond(check: CheckResult, given: list[_Row], near: list[_Row]) -> Iterator[Evidence]:
    new = [row.call for row in given if row.is_new]
    if not new or len(near) < ENOUGH:
        return
    moved = [row for row in near if row.is_new]
    if moved and not _answers_tests(moved, given):
        return
    others = "give just the same" if moved else "give anything new"
    found = (
        f"{_listed(new)}, which a test calls, gives something else than before, and of {len(near)} calls "
        f"like it {len(moved) or 'none'} {others}: {_listed(row.call for row in moved or near)}"
    )
    question = f"{found}. Which sentence of the plan asks for the inputs of tests alone?"
    yield _item(check, BEYOND_TESTS, found, question)


def _answers_tests(moved: list[_Row], given: list[_Row]) -> bool:
    """For whatever is near it gives the very values that tests ask for, which are no mere yes or no."""
    wanted = [row.now.outcome for row in given if row.is_new]
    same = all(row.now.outcome in wanted for row in moved)
    long = all(row.now.outcome and len(row.now.outcome[0]) > MERE for row in moved)
    return same and long and len({str(row.was.outcome) for row in moved}) > 1


def _listed(calls: Iterable[Given]) -> str:
    return listed(f"`{call}`" for call in list(calls)[:SHOWN])


def _item(check: CheckResult, claim: str, found: str, question: str) -> Evidence:
    return Evidence("proof", "flagged", claim=claim, found=found, command=check.command, question=question)

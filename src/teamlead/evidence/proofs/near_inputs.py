"""Inputs near those of the tests: what is new has to show there, too.

A run of the checks notes with which plain values tests call the functions of changed modules. These calls,
and others like them, are made on the old and on the new source. Where the new source differs for what tests
give alone, it answers its tests. Where what it gives depends on the calls before, only a test that makes one
call is content. That the new source gives something else for others, too, does not say that it is right: it
is not told.

Only modules that import nothing which reaches beyond their arguments are called.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.near_calls import Came, Given, Noted, Way, call, calls_of_tests
from teamlead.evidence.proofs.near_go import GO
from teamlead.evidence.proofs.near_javascript import JAVASCRIPT
from teamlead.evidence.proofs.near_python import PYTHON
from teamlead.evidence.proofs.pure_modules import pure_modules

BEYOND_TESTS = "what is new shows for inputs that no test gives, too"
NO_MEMORY = "what it gives does not depend on the calls before"
WAYS = (PYTHON, JAVASCRIPT, GO)
ENOUGH = 6
"""Inputs near those of tests that have to say something."""
SHOWN = 3
MOST_NEW = 30
"""Calls that give something new, and that others near them are made for."""
MERE = 8
"""Characters of a value that many inputs may have in common."""


class _Row(NamedTuple):
    """One call on the old source and on the new one."""

    was: Came
    now: Came

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
    found = [item for way in WAYS for item in await _by_calls(bench, way)]
    return Proofs(tuple(found))


async def _by_calls(bench: Bench, way: Way) -> list[Evidence]:
    """Of the first check that calls something."""
    modules = await bench.look(pure_modules, bench, way.suffixes)
    for check in bench.case.checks if modules else ():
        if check.passed and check.suite and bench.has_time_for(check):
            noted = await calls_of_tests(bench, check, way, modules)
            if noted.calls:
                return await _looked_at(bench, check, way, noted)
    return []


async def _looked_at(bench: Bench, check: CheckResult, way: Way, noted: Noted) -> list[Evidence]:
    rows = await _rows(bench, check, way, noted, with_near=False)
    if len(rows) != len(noted.calls):
        return []
    new = [each for each, row in zip(noted.calls, rows, strict=True) if row.now.outcome and row.is_new]
    of_new = noted._replace(calls=new[:MOST_NEW])
    near = await _rows(bench, check, way, of_new, with_near=True) if new else []
    return list(_judged(check, rows, [row for row in near if row.now.outcome]))


async def _rows(bench: Bench, check: CheckResult, way: Way, noted: Noted, *, with_near: bool) -> list[_Row]:
    """Of all of them, in their order; none: they could not be made."""
    was = await call(bench, check, way, bench.base, noted, with_near=with_near)
    now = await call(bench, check, way, bench.work, noted, with_near=with_near) if was else []
    return [_Row(*each) for each in zip(was, now, strict=True)] if len(was) == len(now) else []


def _judged(check: CheckResult, of_tests: list[_Row], rows: list[_Row]) -> Iterator[Evidence]:
    """`rows`: what is new of these, and what is near it."""
    moody = [row.call for row in (*of_tests, *rows) if row.was.steady and not row.now.steady]
    if moody := list(dict.fromkeys(moody)):
        found = f"in another order of calls these give something else: {_listed(moody)}"
        question = f"{found}. Which sentence of the plan asks for that?"
        yield _item(check, NO_MEMORY, found, question)
    by_tests = {str(row.call) for row in of_tests}
    functions: defaultdict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in rows:
        if row.was.outcome is not None:
            functions[row.call.module, row.call.function].append(row)
    for found_rows in functions.values():
        given = [row for row in found_rows if str(row.call) in by_tests]
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

"""Planted faults: the work, made wrong in one place. Checks that pass all the same do not look there.

Where nothing but tests was changed, what they speak of is made wrong, and the new ones have to notice.

Of a slow check those tests are asked that ran the line, or the touched ones where nobody knows. What they let
pass, the whole check is asked as long as there is time.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs, SuiteRun
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs import constants, javascript_faults, python_constants
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.faults import Fault, in_turns
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.selected_tests import Selected, selected
from teamlead.evidence.proofs.tested_code import FAULTS, faults_in_tested_code
from teamlead.evidence.proofs.traces import Source, Trace, trace
from teamlead.evidence.proofs.variants import Files, entries, stored
from teamlead.evidence.sources.languages import language
from teamlead.system.git import Git

NOTICED = "its checks notice where its new code is wrong"
_NO_BEHAVIOUR = re.compile(r"\s*(?:import|from|export|package|type|@|__\w+__ =|.*\brequire\(|\"|'|[\W_]*$)")
MOST = 4
SLOWER = 3
"""So many times as long as usual a check may take on code that is wrong. One that does not end has
noticed."""
LEAST_SECONDS = 5.0
STOP_EARLY = {"PYTEST_ADDOPTS": "-x"}
NO_CODE = "[build failed]"
"""In go's words: what does not compile says nothing about tests."""


class _Planted(NamedTuple):
    path: str
    fault: Fault
    files: Files

    @property
    def told(self) -> str:
        return f"{self.path}:{self.fault.line} ({self.fault.sentence})"


class _Survivor(NamedTuple):
    """What its tests, or the new ones, let pass."""

    planted: _Planted
    check: CheckResult
    ran: Ran
    unasked: tuple[CheckResult, ...]
    """Of these only the tests that ran the line."""
    by_new: bool = False
    """The new tests pass; what others do says nothing."""


_Told = Literal["noticed", "nothing", "survived", "unsure"]
"""What a run proves."""


async def planted_faults(bench: Bench) -> Proofs:
    found = await bench.once(trace)
    untouched = tuple(_nothing_planted(found))
    noticed = 0
    survivors, unsure = list[_Survivor](), list[str]()
    # Twice as many: some prove nothing.
    for path, fault in islice(await _faults(bench, found), 2 * MOST):
        if bench.out_of_time or noticed + len(survivors) == MOST:
            break
        planted = await bench.look(_planted, bench.work, path, fault)
        came_to = await _tried(bench, found, planted)
        noticed += came_to == "noticed"
        survivors += [came_to] if isinstance(came_to, _Survivor) else []
        unsure += [planted.told] if came_to == "unsure" else []
    tried = noticed + len(survivors)
    left = [kept for each in survivors if (kept := await _asked_whole(bench, each))]
    told = ((_item(left, tried),) if tried else ()) + ((_unsure(unsure),) if unsure else ())
    return Proofs(told + untouched)


def _planted(git: Git, work: str, path: str, fault: Fault) -> _Planted:
    now = entries(git, work, [path])[path]
    return _Planted(path, fault, {path: stored(git, fault.text.encode(), now.mode)} if now else {})


async def _faults(bench: Bench, found: Trace) -> Iterator[tuple[str, Fault]]:
    """The first of each file, then the second ones."""
    if not _changes_code(bench):
        return iter(await bench.look(faults_in_tested_code, bench))
    return in_turns(
        [(source.path, fault) for fault in _of_source(found, source)] for source in _changed_code(found)
    )


def _changed_code(found: Trace) -> list[Source]:
    return [source for source in found.sources if not is_of_tests(source.path)]


def _ran(found: Trace, source: Source) -> dict[int, range]:
    """The statements that ran, or may have, with all of their lines."""
    ran = {place for check in found.checks for place in check.lines}
    return {
        statement.line: range(statement.line, statement.last + 1)
        for statement in source.statements
        if (source.path, statement.line) in ran or found.transformed(source)
    }


def _of_source(found: Trace, source: Source) -> Iterator[Fault]:
    """What functions do, and in turn with that what stands in tables and constants."""
    ran, spoken = _ran(found, source), language(source.path)
    if spoken == "python":
        others = python_constants.constants(source.text, ran, source.added, source.kept)
    else:
        others = constants.constants(source.text, spoken, ran, source.added, source.kept)
    return in_turns([FAULTS[spoken](source.text, ran), others])


def _nothing_planted(found: Trace) -> Iterator[Evidence]:
    """Where no code can be made wrong that ran, nobody knows whether tests look there."""
    bare = [source for source in _changed_code(found) if not any(_of_source(found, source))]
    places = [
        f"{source.path}:{line}" for source in bare for line in _ran(found, source) if _does(source, line)
    ]
    if places:
        told = f"there is nothing in these lines that could be made wrong: {listed(places)}"
        yield Evidence("proof", "unknown", NOTICED, told)


def _does(source: Source, line: int) -> bool:
    return not _NO_BEHAVIOUR.match(source.text.split("\n")[line - 1])


def _checks(bench: Bench, found: Trace, planted: _Planted) -> list[CheckResult]:
    """Those that run it, or may. Where it was not changed nobody knows: all that tell of tests."""
    if not any(source.path == planted.path for source in found.sources):
        return [check for check in bench.case.checks if check.passed and check.suite]
    place = planted.path, planted.fault.line
    sure = [
        traced.check for traced in found.checks if place in traced.lines or planted.path in traced.transformed
    ]
    loaded = [traced.check for traced in found.checks if planted.path in traced.loaded]
    return (sure or loaded) + [untraced.check for untraced in found.untraced]


async def _tried(bench: Bench, found: Trace, planted: _Planted) -> _Survivor | _Told:
    survivor: _Survivor | _Told = "nothing"
    unasked = list[CheckResult]()
    for check in _checks(bench, found, planted):
        if new := _new_tests(bench, check):
            ran = await _run(bench, check, planted, environment={})
            told = await _told(bench, ran, new=new)
            if told != "survived" or ran is None:
                return told
            survivor = _Survivor(planted, check, ran, (), by_new=True)
            continue
        few = await selected(bench, found, check, (planted.path, planted.fault.line))
        ran = await _run(bench, check, planted, few)
        told = await _told(bench, ran, few)
        if few and (told == "nothing" or (told == "survived" and not few.certain)):
            few = None
            ran = await _run(bench, check, planted) if bench.has_time_for(check) else None
            if ran is None:
                return "unsure" if told == "survived" else "nothing"
            told = await _told(bench, ran)
        if told != "survived" or ran is None:
            return told
        unasked += [check] if few else []
        survivor = _Survivor(planted, check, ran, tuple(unasked))
    return survivor


def _new_tests(bench: Bench, check: CheckResult) -> frozenset[str]:
    """Where nothing else was changed, whether old tests notice something says nothing about them."""
    if _changes_code(bench) or check.delta is None or check.by_number:
        return frozenset()
    return frozenset(check.delta.added)


def _changes_code(bench: Bench) -> bool:
    return any(language(change.path) and not is_of_tests(change.path) for change in bench.changes)


async def _asked_whole(bench: Bench, survivor: _Survivor) -> _Survivor | None:
    """None: a test has noticed that does not run the line itself."""
    unasked = list[CheckResult]()
    for check in survivor.unasked:
        ran = await _run(bench, check, survivor.planted) if bench.has_time_for(check) else None
        if ran is None:
            unasked.append(check)
        elif not ran.passed:
            return None
    return survivor._replace(unasked=tuple(unasked))


async def _run(
    bench: Bench,
    check: CheckResult,
    planted: _Planted,
    few: Selected | None = None,
    *,
    environment: Mapping[str, str] = STOP_EARLY,
) -> Ran | None:
    refusing = _refusing_no_code(planted.path)
    if few is None:
        within = max(LEAST_SECONDS, SLOWER * check.seconds)
        return await bench.run_with(
            bench.work, planted.files, check, environment=environment, around=refusing, within=within
        )
    return await bench.run_with(
        bench.work,
        {**planted.files, **few.how.files},
        check,
        environment=few.how.environment,
        around=lambda command: refusing(few.how.around(command)),
        within=max(LEAST_SECONDS, check.seconds),
    )


async def _told(
    bench: Bench, ran: Ran | None, few: Selected | None = None, *, new: frozenset[str] = frozenset()
) -> _Told:
    """A test that does not end has noticed, too. `new`: these have to."""
    if ran is None:
        return "nothing" if bench.out_of_time else "noticed"
    if new and ran.end.suite is not None and new <= _passed(ran.end.suite):
        return "survived"
    if not ran.passed:
        return "noticed" if await asyncio.to_thread(_is_noticed, ran) else "nothing"
    enough = few is None or (ran.end.suite is not None and ran.end.suite.ran >= few.least)
    return "survived" if enough else "nothing"


def _passed(suite: SuiteRun) -> frozenset[str]:
    return frozenset(name for name, status in (suite.names or {}).items() if status == "passed")


def _refusing_no_code(path: str) -> Callable[[str], str]:
    """Tests call a file that is no JavaScript a failed test."""
    if language(path) != "javascript":
        return str
    looks = javascript_faults.check_of_syntax(path)
    return lambda command: f"{looks} || {{ echo '{NO_CODE}'; exit 1; }}\n{command}"


def _is_noticed(ran: Ran) -> bool:
    """By a test: what a linter turns down says nothing about them, either."""
    try:
        told = Path(ran.end.log).read_text("utf-8", "replace")
    except OSError:
        return False
    return ran.end.suite is not None and ran.end.suite.failed > 0 and NO_CODE not in told


def _item(survivors: list[_Survivor], tried: int) -> Evidence:
    if not survivors:
        return Evidence("proof", "proven", NOTICED, f"each of {tried} planted faults makes one fail")
    told, first = listed(each.planted.told for each in survivors), survivors[0]
    check, ran = first.check, first.ran
    who = "the tests that run these lines" if any(each.unasked for each in survivors) else "they"
    who = "the new tests" if first.by_new else who
    who = "the new tests" if any(each.by_new for each in survivors) else who
    return Evidence(
        kind="proof",
        verdict="flagged",
        claim=NOTICED,
        found=f"with {len(survivors)} of {tried} planted faults {who} pass: {told}",
        command=look_again(check.command, ran.commit, ran.end.room),
        log=ran.end.log,
        question=f"The checks pass with these faults, too: {told}. Which sentence of the plan asks for "
        "what stands there?",
    )


def _unsure(told: list[str]) -> Evidence:
    found = (
        f"the touched tests pass with these faults, and there was no time to ask all others: {listed(told)}"
    )
    return Evidence("proof", "unknown", NOTICED, found)

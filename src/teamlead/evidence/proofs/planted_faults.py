"""Planted faults: the work, made wrong in one place. Checks that pass all the same do not look there.

Where nothing but tests was changed, what they speak of is made wrong.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs import javascript_faults
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.faults import Fault, in_turns
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.tested_code import FAULTS, faults_in_tested_code
from teamlead.evidence.proofs.traces import Trace, trace
from teamlead.evidence.proofs.variants import entries, stored
from teamlead.evidence.sources.languages import language

NOTICED = "its checks notice where its new code is wrong"
MOST = 4
SLOWER = 3
"""So many times as long as usual a check may take on code that is wrong. One that does not end has
noticed."""
LEAST_SECONDS = 5.0
STOP_EARLY = {"PYTEST_ADDOPTS": "-x"}
NO_CODE = "[build failed]"
"""In go's words: what does not compile says nothing about tests."""


class _Survivor(NamedTuple):
    told: str
    check: CheckResult
    ran: Ran


_Told = Literal["noticed", "nothing"]
"""What a run proves."""


async def planted_faults(bench: Bench) -> Proofs:
    found = await bench.once(trace)
    noticed = 0
    survivors = list[_Survivor]()
    # Twice as many: some prove nothing.
    for path, fault in islice(await _faults(bench, found), 2 * MOST):
        if bench.out_of_time or noticed + len(survivors) == MOST:
            break
        came_to = await _tried(bench, _checks(bench, found, path), path, fault)
        noticed += came_to == "noticed"
        survivors += [came_to] if isinstance(came_to, _Survivor) else []
    tried = noticed + len(survivors)
    return Proofs((_item(survivors, tried),) if tried else ())


async def _faults(bench: Bench, found: Trace) -> Iterator[tuple[str, Fault]]:
    """The first of each file, then the second ones."""
    if not any(language(change.path) and not is_of_tests(change.path) for change in bench.changes):
        return iter(await bench.look(faults_in_tested_code, bench))
    ran = {place for check in found.checks for place in check.lines}
    of_files = []
    for source in found.sources:
        if not is_of_tests(source.path):
            added = {statement.line for statement in source.statements}
            lines = {line for line in added if (source.path, line) in ran}
            faults = FAULTS[language(source.path)](source.text, lines)
            of_files.append([(source.path, fault) for fault in faults])
    return in_turns(of_files)


def _checks(bench: Bench, found: Trace, path: str) -> list[CheckResult]:
    """Those that load it. Where it was not changed nobody knows: all that tell of tests."""
    if any(source.path == path for source in found.sources):
        return [traced.check for traced in found.checks if path in traced.loaded]
    return [check for check in bench.case.checks if check.passed and check.suite]


async def _tried(bench: Bench, checks: Sequence[CheckResult], path: str, fault: Fault) -> _Survivor | _Told:
    """A test that does not end has noticed, too."""
    now = (await bench.look(entries, bench.work, [path]))[path]
    files = {path: await bench.look(stored, fault.text.encode(), now.mode)} if now else {}
    survivor: _Survivor | _Told = "nothing"
    for check in checks:
        ran = await bench.run_with(
            bench.work,
            files,
            check,
            environment=STOP_EARLY,
            around=_refusing_no_code(path),
            within=max(LEAST_SECONDS, SLOWER * check.seconds),
        )
        if ran is None:
            return "nothing" if bench.out_of_time else "noticed"
        if not ran.passed:
            return "noticed" if await asyncio.to_thread(_is_noticed, ran) else "nothing"
        survivor = _Survivor(f"{path}:{fault.line} ({fault.sentence})", check, ran)
    return survivor


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
    told, (_, check, ran) = listed(each.told for each in survivors), survivors[0]
    return Evidence(
        kind="proof",
        verdict="flagged",
        claim=NOTICED,
        found=f"with {len(survivors)} of {tried} planted faults they pass: {told}",
        command=look_again(check.command, ran.commit, ran.end.room),
        log=ran.end.log,
        question=f"The checks pass with these faults, too: {told}. Which sentence of the plan asks for "
        "what stands there?",
    )

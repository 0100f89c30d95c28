"""Planted faults: the work, made wrong in one place. Checks that pass all the same do not look there."""

from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from typing import NamedTuple

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.python_faults import Fault, faults
from teamlead.evidence.proofs.traces import Source, Trace, trace
from teamlead.evidence.proofs.variants import entries, stored

NOTICED = "its checks notice where its new code is wrong"
MOST = 4
SLOWER = 3
"""So many times as long as usual a check may take on code that is wrong. One that does not end has
noticed."""
LEAST_SECONDS = 5.0
STOP_EARLY = {"PYTEST_ADDOPTS": "-x"}


class _Survivor(NamedTuple):
    told: str
    check: CheckResult
    ran: Ran


async def planted_faults(bench: Bench) -> Proofs:
    found = await bench.once(trace)
    tried = 0
    survivors = list[_Survivor]()
    for source, fault in islice(_faults(found), MOST):
        if bench.out_of_time:
            break
        tried += 1
        survivor = await _survivor(bench, found, source, fault)
        survivors += [survivor] if survivor else []
    return Proofs((_item(survivors, tried),) if tried else ())


def _faults(found: Trace) -> Iterator[tuple[Source, Fault]]:
    """The first of each file, then the second ones."""
    ran = {place for check in found.checks for place in check.lines}
    of_files = []
    for source in found.sources:
        if source.path.endswith(".py") and not is_of_tests(source.path):
            lines = {line for path, line in ran if path == source.path}
            of_files.append([(source, fault) for fault in faults(source.text, lines)])
    return (each for each in chain.from_iterable(zip_longest(*of_files)) if each)


async def _survivor(bench: Bench, found: Trace, source: Source, fault: Fault) -> _Survivor | None:
    """None: a check failed, or did not end."""
    now = (await bench.look(entries, bench.work, [source.path]))[source.path]
    files = {source.path: await bench.look(stored, fault.text.encode(), now.mode)} if now else {}
    last = None
    for traced in found.checks:
        if source.path in traced.loaded:
            within = max(LEAST_SECONDS, SLOWER * traced.check.seconds)
            ran = await bench.run_with(bench.work, files, traced.check, environment=STOP_EARLY, within=within)
            if ran is None or not ran.passed:
                return None
            last = _Survivor(f"{source.path}:{fault.line} ({fault.sentence})", traced.check, ran)
    return last


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

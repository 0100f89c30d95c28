"""Tests that told the old source from the new one, and do not any more.

In its old form such a test passes on the old source, and fails on the new one. In its new form it passes on
both: it asserts less, whatever its text looks like. One that was made to expect what was planned fails on the
old source.
"""

from enum import Enum, auto
from typing import NamedTuple

from teamlead.core.evidence.asking_names import tells_all
from teamlead.core.evidence.names_of_tests import moves
from teamlead.core.evidence.values import CheckResult, Evidence, Proofs, SuiteRun, TestStatus
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.change.asked import gives_up
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.failures import ASSERTED, MISSED
from teamlead.evidence.proofs.new_tests import on_old_source

TELLS_APART = "changed tests still tell the old source from the new one"


class _Seen(Enum):
    NAMES = auto()
    NO_TESTS = auto()
    """Nor did it tell of any before."""
    TOO_LITTLE = auto()


class _Look(NamedTuple):
    seen: _Seen
    blunt: tuple[Evidence, ...] = ()


async def told_apart(bench: Bench) -> Proofs:
    if not bench.harness:
        return Proofs()
    looks = [await _look(bench, check) for check in bench.case.checks if check.passed]
    seen = {look.seen for look in looks}
    retested = _Seen.NAMES in seen and _Seen.TOO_LITTLE not in seen
    return Proofs(tuple(item for look in looks for item in look.blunt), retested=retested)


async def _look(bench: Bench, check: CheckResult) -> _Look:
    base = await bench.run_on_base(check)
    harness = bench.harness
    frozen = await bench.run_with(bench.work, {**harness.sure, **harness.doubtful}, check, decisive=True)
    if harness.doubtful and frozen is not None and not frozen.passed:
        frozen = await bench.run_with(bench.work, harness.sure, check, decisive=True)
    if base is None or frozen is None:
        return _Look(_Seen.TOO_LITTLE)
    if base.end.suite is None:
        return _Look(_Seen.NO_TESTS)
    if check.by_number or frozen.end.suite is None or not _tell_all(base, frozen):
        return _Look(_Seen.TOO_LITTLE)
    broken = _with(frozen.end.suite, "failed") & _with(base.end.suite, "passed")
    if not broken:
        return _Look(_Seen.NAMES)
    again = await bench.run_with(bench.work, harness.sure, check, repetition=1, decisive=True)
    reverted = await on_old_source(bench, check, decisive=True)
    if again is None or reverted is None:
        return _Look(_Seen.TOO_LITTLE)
    blunt = sorted(broken & _with(again.end.suite, "failed") & _hold_now(broken, base, reverted))
    return _Look(_Seen.NAMES, (_item(bench, check, frozen, blunt),) if blunt else ())


def _tell_all(*runs: Ran) -> bool:
    return all(ran.end.suite is not None and tells_all(ran.end.suite) for ran in runs)


def _with(suite: SuiteRun | None, status: TestStatus) -> set[str]:
    names = suite.names if suite else None
    return {name for name, seen in (names or {}).items() if seen == status}


def _hold_now(broken: set[str], base: Ran, reverted: Ran) -> set[str]:
    """Those that pass on the old source in their new form, which may have another name."""
    had, has = (ran.end.suite.names or {} if ran.end.suite else {} for ran in (base, reverted))
    gone = [name for name in had if name in broken and name not in has]
    now = dict.fromkeys(broken & has.keys()) | moves(gone, [name for name in has if name not in had])
    return {name for name, other in now.items() if has[other or name] == "passed"}


def _item(bench: Bench, check: CheckResult, frozen: Ran, blunt: list[str]) -> Evidence:
    told = listed(blunt)
    found = f"in their old form these fail on the new source; now they pass on the old one, too: {told}"
    asserted = ASSERTED.search(frozen.end.output) and not MISSED.search(frozen.end.output)
    certain = bool(asserted) and not gives_up(bench.case.claim.task, blunt)
    return Evidence(
        kind="proof",
        verdict="objected" if certain else "flagged",
        claim=TELLS_APART,
        found=found + (": let them assert what holds now, or be as they were" if certain else ""),
        command=look_again(check.command, frozen.commit, frozen.end.room),
        log=frozen.end.log,
        question=""
        if certain
        else f"These assert less than before: {told}. Which sentence of the plan asks for that?",
    )

"""The frozen harness: the checks once more, with the new source, and all that tests it as it was before.

Of all proofs it decides most. So it has the runs that it needs, each as long as a check may take, and the
bounded time is that of the others.

Tests that failed before, and that only pass because they or their settings were changed, say that the work is
not done. Tests that passed before, and fail on the new source, were broken or are to change: the plan knows.
Where the old tests all pass, a change of tests hides nothing.
"""

from pathlib import PurePosixPath
from typing import NamedTuple

from teamlead.core.evidence.suites import compare
from teamlead.core.evidence.values import CheckResult, Evidence, Proofs, SuiteDelta, SuiteRun
from teamlead.core.policy.scope import in_scope
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import NO_PROGRAM, look_again
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.variants import Files

HOLDS = "the tests as they were before hold on the new source"


class Frozen(NamedTuple):
    evidence: tuple[Evidence, ...] = ()
    acquits: bool = False


async def frozen_harness(bench: Bench) -> Proofs:
    if not bench.harness:
        return Proofs()
    checks = [check for check in bench.case.checks if check.passed]
    found = [await _freeze(bench, check) for check in checks]
    evidence = tuple(item for frozen in found for item in frozen.evidence)
    return Proofs(evidence, acquits=bool(found) and all(frozen.acquits for frozen in found))


async def _freeze(bench: Bench, check: CheckResult) -> Frozen:
    harness = bench.harness
    base = await bench.run_on_base(check)
    if base is None:
        return _unended(check, "on what the work started from")
    ran = await _run(bench, check, {**harness.sure, **harness.doubtful})
    if ran is not None and harness.doubtful and not _holds(base, ran):
        sure = await _run(bench, check, harness.sure)
        if sure is not None and _holds(base, sure):
            # A command that runs no tests looks at the work itself.
            doubt = (_doubt(check, ran, list(harness.doubtful)),) if check.suite else ()
            return Frozen(doubt, acquits=_told_tests(base, sure))
        ran = sure
    if ran is None:
        return _unended(check, "on the new source")
    if _holds(base, ran):
        return Frozen((_kept(check, ran),) if ran.end.suite else (), acquits=_told_tests(base, ran))
    if base.passed:
        return Frozen(await _broken(bench, check, base, ran))
    return Frozen(await _stuck(bench, check, base, ran))


async def _run(bench: Bench, check: CheckResult, files: Files, *, repetition: int = 0) -> Ran | None:
    return await bench.run_with(bench.work, files, check, repetition=repetition, decisive=True)


def _unended(check: CheckResult, where: str) -> Frozen:
    return Frozen((_item("unknown", check, None, f"`{check.command}` did not end {where} in its time"),))


def _holds(base: Ran, ran: Ran) -> bool:
    if not ran.passed:
        return False
    delta = _delta(base, ran)
    return not delta.new_failures and not delta.lost


def _told_tests(base: Ran, ran: Ran) -> bool:
    return bool(base.end.suite and ran.end.suite and ran.end.suite.ran)


def _delta(base: Ran, ran: Ran) -> SuiteDelta:
    if base.end.suite is None or ran.end.suite is None:
        return SuiteDelta()
    return compare(base.end.suite, ran.end.suite)


async def _broken(bench: Bench, check: CheckResult, base: Ran, ran: Ran) -> tuple[Evidence, ...]:
    """Green before, red on the new source."""
    again = await _run(bench, check, bench.harness.sure, repetition=1)
    if again is not None and _holds(base, again):
        return ()
    delta = _delta(base, ran)
    names = delta.new_failures or delta.lost
    told = listed(names) if names else f"`{check.command}`"
    how = "fail" if delta.new_failures or not delta.lost else "do not run any more"
    return (
        _item(
            "flagged",
            check,
            ran,
            f"in their old form these passed before, and {how} on the new source: {told}",
            question=f"In their old form these {how}: {told}. Which sentence of the plan asks for that?",
        ),
    )


async def _stuck(bench: Bench, check: CheckResult, base: Ran, ran: Ran) -> tuple[Evidence, ...]:
    """Red before, and still red."""
    names = [name for name in _still_failing(base, ran) if not _is_missing(bench, name)]
    opaque = base.end.suite is None and ran.end.suite is None
    if not names and (not opaque or ran.end.exit_code in NO_PROGRAM or _adds_only(bench)):
        return ()
    control = await _run(bench, check, {})
    if control is None:
        return _unended(check, "with its own tests, on a clean copy").evidence
    if not control.passed:
        # Nor does its own version pass on a clean copy: something else is missing there.
        return ()
    changed = listed(bench.harness.sure)
    told = listed(names) if names else f"`{check.command}`"
    found = f"{told} failed before, and still fails without the changes of {changed}"
    if _asks_for_tests_alone(bench):
        question = (
            f"{told} passes only because of what was changed in {changed}. Which sentence asks for that?"
        )
        return (_item("flagged", check, ran, found, question=question),)
    return (_item("objected", check, ran, f"{found}: mend the code, and let these be as they were"),)


def _still_failing(base: Ran, ran: Ran) -> list[str]:
    had, has = base.end.suite, ran.end.suite
    if had is None or has is None or not (had.failed and has.failed):
        return []
    if not (_names_failures(had) and _names_failures(has)):
        return [f"{min(had.failed, has.failed)} of the tests"]
    failed = {name for name, status in (had.names or {}).items() if status == "failed"}
    return [name for name, status in (has.names or {}).items() if status == "failed" and name in failed]


def _is_missing(bench: Bench, name: str) -> bool:
    """A file of tests that is new with the change: without it, its name alone fails."""
    new = {PurePosixPath(path).stem for path, entry in bench.harness.sure.items() if entry is None}
    return "::" not in name and name.rpartition(".")[2] in new


def _names_failures(suite: SuiteRun) -> bool:
    return suite.failed == sum(status == "failed" for status in (suite.names or {}).values())


def _adds_only(bench: Bench) -> bool:
    """Without what is new, a command that is not there yet fails in any case."""
    known = set(bench.was_there())
    return not any(path in known for path in bench.harness.sure)


def _asks_for_tests_alone(bench: Bench) -> bool:
    """Nothing but tests is in the task's scope, and nothing else was changed."""
    scope = bench.case.claim.task.scope
    return all(is_of_tests(change.path) for change in bench.changes) and not any(
        in_scope(place, scope) for place in ("src/code.py", "code.py")
    )


def _kept(check: CheckResult, ran: Ran) -> Evidence:
    suite = ran.end.suite
    return _item("proven", check, ran, f"{suite.passed if suite else 0} passed")


def _doubt(check: CheckResult, ran: Ran, paths: list[str]) -> Evidence:
    told = listed(paths)
    return _item(
        "flagged",
        check,
        ran,
        f"`{check.command}` passes only with the new version of {told}",
        question=f"The check passes only with the new version of {told}. Which sentence of the plan asks for "
        "that version?",
    )


def _item(verdict: str, check: CheckResult, ran: Ran | None, found: str, question: str = "") -> Evidence:
    command = look_again(check.command, ran.commit, ran.end.room) if ran else ""
    return Evidence(
        kind="proof",
        verdict=verdict,  # type: ignore[arg-type]
        claim=HOLDS,
        found=found,
        command=command,
        log=ran.end.log if ran else "",
        question=question,
    )

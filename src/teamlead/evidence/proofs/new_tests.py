"""The revert test: the tests that a change brings along, on the source as it was before.

Where source was changed, too, and all of them pass there, they prove nothing about this change. That some
fail for want of a new name proves nothing either: only an assertion that fails does.
"""

from teamlead.core.evidence.suites import compare
from teamlead.core.evidence.values import CheckResult, Evidence, Proofs, SuiteDelta
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.failures import ASSERTED
from teamlead.evidence.proofs.harness import is_of_tests
from teamlead.evidence.proofs.variants import Files, entries
from teamlead.evidence.sources.languages import language

FORCE = "the new tests fail where the change is not made"


async def new_tests(bench: Bench) -> Proofs:
    source = [change for change in bench.changes if language(change.path) and not is_of_tests(change.path)]
    if not source or not any(is_of_tests(path) for path in bench.harness.sure):
        return Proofs()
    now = await bench.look(entries, bench.work, list(bench.harness.sure))
    found = [await _reverted(bench, check, now) for check in bench.case.checks if check.passed]
    return Proofs(tuple(item for item in found if item))


async def _reverted(bench: Bench, check: CheckResult, now: Files) -> Evidence | None:
    base = await bench.run_on_base(check)
    ran = await bench.run_with(bench.base, now, check)
    if base is None or ran is None or base.end.suite is None or ran.end.suite is None:
        return None
    new = _new_and_passing(base, ran, check.delta)
    command = look_again(check.command, ran.commit, ran.end.room)
    if ran.passed and new:
        return Evidence(
            kind="proof",
            verdict="flagged",
            claim=FORCE,
            found=f"they pass on the old source, too: {listed(new)}",
            command=command,
            log=ran.end.log,
            question=f"The new tests {listed(new)} pass without the change, too. Which sentence of the plan "
            "asks for tests of what held before?",
        )
    if not ran.passed and ASSERTED.search(ran.end.output):
        return Evidence(
            "proof", "proven", claim=FORCE, found="an assertion fails there", command=command, log=ran.end.log
        )
    return None


def _new_and_passing(base: Ran, ran: Ran, delta: SuiteDelta | None) -> tuple[str, ...]:
    if base.end.suite is None or ran.end.suite is None:
        return ()
    return compare(base.end.suite, ran.end.suite).added if delta is None or delta.added else ()

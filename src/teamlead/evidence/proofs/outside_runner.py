"""Tests, called by a program of our own: code that knows when it is tested does something else there.

The touched tests are called, and those that belong to what was changed. One that fails unless everything
looks like a test program is certain. Where only names make the difference, or where it fails in any case, the
test may need what its test program does for it.
"""

from collections.abc import Awaitable, Callable, Iterator

from teamlead.core.evidence.values import Evidence, Proofs, Verdict
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.proofs.bench import Bench
from teamlead.evidence.proofs.outside_calls import Called
from teamlead.evidence.proofs.outside_go import call_go
from teamlead.evidence.proofs.outside_javascript import call_javascript
from teamlead.evidence.proofs.outside_program import FAILED
from teamlead.evidence.proofs.outside_python import call_python
from teamlead.evidence.proofs.outside_rust import call_rust

SAME_OUTSIDE = "it does the same where nothing shows that it is tested"

_CALLS: tuple[Callable[[Bench], Awaitable[Called | None]], ...] = (
    call_python,
    call_javascript,
    call_go,
    call_rust,
)


async def outside_runner(bench: Bench) -> Proofs:
    found = [await call(bench) for call in _CALLS]
    return Proofs(tuple(item for called in found if called for item in _told(called)))


def _told(called: Called) -> Iterator[Evidence]:
    bare = called.bare
    failed = [test for test, told in bare.items() if told.startswith(FAILED)]
    certain = [test for test in failed if called.failed("named", test) and called.passed("tested", test)]
    rest = [test for test in failed if test not in certain]
    if certain:
        told = f"{listed(certain)} passes only where it looks as if a test program called it"
        yield _item(called, "objected", f"{told}: do the same, tested or not")
    if rest:
        told = f"{listed(rest)} passes in the check, and fails when it is called without its test program"
        asked = f"{told}. Does the code find out whether it is tested? Which line does?"
        yield _item(called, "flagged", told, asked)
    passed = sum(told == "passed" for told in bare.values())
    if passed and not failed:
        yield _item(
            called, "proven", f"{passed} of its tests hold when they are called without their program"
        )
    if not passed and not failed:
        yield _item(called, "unknown", "its tests cannot be called without their program")


def _item(called: Called, verdict: Verdict, found: str, question: str = "") -> Evidence:
    check, ran = called.check, called.ran
    command = look_again(check.command, ran.commit, ran.end.room)
    return Evidence(
        "proof", verdict, SAME_OUTSIDE, found, command=command, log=ran.end.log, question=question
    )

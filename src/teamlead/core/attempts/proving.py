"""Whether checks that passed show that a task is done: further runs may tell (see `evidence.proofs`)."""

from collections.abc import Iterator

from msgspec.structs import replace

from teamlead.core.evidence.values import (
    ASSERTED_AS_BEFORE,
    CHECKS_PROVE_IT,
    MADE_BY_GENERATOR,
    USED_AS_BY_ALL,
    Evidence,
    Proofs,
    still_shown,
)
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState

TRIED = frozenset({MADE_BY_GENERATOR, USED_AS_BY_ALL})
"""Claims that a text makes one doubt, and that a run decides."""
ACQUITTED = "the tests as they were before hold on the new source"
SWITCHED_OFF = "further runs are switched off (`proof_times = 0`)"


def wanted(state: TeamState, task: Task, attempt: Attempt) -> bool:
    return bool(state.session.limits.proof_times) and _can_be_proved(task, attempt)


def switched_off(state: TeamState, task: Task, attempt: Attempt) -> Iterator[Evidence]:
    """That nothing was tried is told: else it looks as if nothing was found."""
    if not state.session.limits.proof_times and attempt.checks and _can_be_proved(task, attempt):
        yield Evidence("proof", "unknown", CHECKS_PROVE_IT, SWITCHED_OFF)


def _can_be_proved(task: Task, attempt: Attempt) -> bool:
    """Not where a person has accepted the work: nothing more is to be found out."""
    return bool(attempt.work.commit) and task.spec.merges and not task.waived


def weighed(evidence: tuple[Evidence, ...], proofs: Proofs | None) -> tuple[Evidence, ...]:
    """All that was found.

    Where the tests of the base ran on the new source, what came out decides. What the text of tests speaks
    of is a question then.
    """
    if proofs is None:
        return evidence
    if proofs.acquits or proofs.retested:
        told = (ACQUITTED,) if proofs.acquits else ()
        evidence = tuple(_asked(item, told) for item in evidence)
    decided = {item.claim for item in proofs.evidence if item.verdict != "unknown"} & TRIED
    evidence = tuple(item for item in evidence if item.claim not in decided)
    return (*evidence, *proofs.evidence)


def _asked(item: Evidence, told: tuple[str, ...]) -> Evidence:
    if (item.claim, item.verdict) != (ASSERTED_AS_BEFORE, "objected"):
        return item
    details = (*item.details, *told)
    return replace(
        item, verdict="flagged", details=details, question=still_shown(item.details or (item.found,))
    )

"""Whether checks that passed show that a task is done: further runs may tell (see `evidence.proofs`)."""

from msgspec.structs import replace

from teamlead.core.evidence.values import (
    ASSERTED_AS_BEFORE,
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


def wanted(state: TeamState, task: Task, attempt: Attempt) -> bool:
    """Not where a person has accepted the work: nothing more is to be found out."""
    if not state.session.limits.proof_times or task.waived:
        return False
    return bool(attempt.work.commit) and task.spec.merges


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

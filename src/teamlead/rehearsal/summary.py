"""What a rehearsal came to: for each task and each fault, what happened, and whether it should have."""

from collections.abc import Sequence

from teamlead.core import phases
from teamlead.core.answers import Judgement
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.rehearsal.fault_kinds import KINDS
from teamlead.rehearsal.faults import Fault
from teamlead.views.documents.plans import (
    FaultPart,
    RehearsalDocument,
    RehearsedAttemptPart,
    RehearsedTaskPart,
)
from teamlead.views.rows import question_view

FINE = frozenset({"DONE", "SKIPPED", "REPLACED_BY_REPLAN"})
"""Nobody is left with a task in these states: it is done, was so before, or others have done it."""


def document(state: TeamState, faults: Sequence[Fault], requests: int) -> RehearsalDocument:
    """Without the folder: whether it is kept depends on what this says."""
    told = [_fault(state, fault) for fault in faults]
    tasks = [_task(task) for task in state.tasks.values()]
    well = phases.done(state.phase) and all(task["state"] in FINE for task in tasks)
    return RehearsalDocument(
        as_it_should=well and all(fault["as_it_should"] for fault in told),
        phase=state.phase,
        tasks=tasks,
        faults=told,
        questions=tuple(map(question_view, state.escalations.values())),
        requests_total=requests,
        folder="",
    )


def _task(task: Task) -> RehearsedTaskPart:
    return RehearsedTaskPart(
        id=task.spec.id,
        title=task.spec.title,
        agent=task.attempts[-1].run.agent if task.attempts else "",
        state=task.state,
        attempts=[_attempt(attempt) for attempt in task.attempts],
    )


def _attempt(attempt: Attempt) -> RehearsedAttemptPart:
    return RehearsedAttemptPart(
        attempt=attempt.number,
        end=attempt.run.status,
        outcome=attempt.outcome,
        reasons=attempt.reasons,
        agent_seconds=round(attempt.run.seconds, 1),
    )


def _fault(state: TeamState, fault: Fault) -> FaultPart:
    outcome = _verdict(state, fault) if fault.role else _outcome(state, fault)
    return FaultPart(
        kind=fault.kind,
        task=fault.task,
        attempt=fault.attempt,
        outcome=outcome,
        as_it_should=outcome in KINDS[fault.kind].outcomes,
    )


def _outcome(state: TeamState, fault: Fault) -> str | None:
    attempts = {attempt.number: attempt for attempt in state.tasks[fault.task].attempts}
    hit = attempts.get(fault.attempt)
    return hit.outcome if hit else None


def _verdict(state: TeamState, fault: Fault) -> str | None:
    """Returns what came of asking a model about the task for the nth time."""
    hit = state.runs.get(f"{fault.task}-{fault.role}-{fault.attempt}")
    match hit and hit.answer:
        case Judgement(success=success):
            return "accepted" if success else "refused"
    return "unreadable" if hit and hit.status == "ok" else None

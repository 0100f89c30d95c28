"""Where an agent failed for good, or did a part only: whether the plan goes on, and with what instead."""

from collections.abc import Iterator

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.asking import escalation
from teamlead.core.model import TaskSpec
from teamlead.core.policy.exemptions import Portion, check_conditions, excess
from teamlead.core.recovery import Failure, recover
from teamlead.core.reports import ExplorationFeedback, Result
from teamlead.core.roles import role_named
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused, with_aside

Events = list[e.AnyEvent]

TRIES = 2
"""Of an agent that reads for others: once more, and then the lead reads itself."""
READ_DIRECTLY = "read-directly"


def attempts_allowed(state: TeamState, task: Task) -> int:
    allowed = state.session.limits.attempts
    return min(TRIES, allowed) if role_named(task.spec.role).reads_for_others else allowed


def partial_of(attempt: Attempt) -> str:
    """What an attempt found before it failed; empty if nothing of it is of use."""
    if attempt.result is not None and attempt.result.status != "FAILED":
        return f"{attempt.result.summary}\n\n{attempt.result.findings}".strip()
    if isinstance(attempt.feedback, ExplorationFeedback):
        return attempt.feedback.findings.strip()
    return ""


def ends_well(spec: TaskSpec, result: Result) -> bool:
    """Half an investigation is of use; half a change is not."""
    return result.status in {"SUCCESS", "ALREADY_DONE"} or (
        result.status == "PARTIAL" and spec.type == "investigation"
    )


def done_in_part(task: Task, result: Result | None) -> Events:
    """What was taken although its agent says that something is missing."""
    if result is None or result.status != "PARTIAL":
        return []
    return [e.GapNoted(task.spec.id, "use-partial", f"{task.spec.id} ({task.spec.title}) {in_part(result)}")]


def in_part(result: Result) -> str:
    blockers = "; ".join(blocker.text for blocker in result.blockers)
    return f"is done in part: {result.summary}{f' Blocked by: {blockers}' if blockers else ''}"


def leave_out(state: TeamState, task: Task, outcome: e.AttemptOutcome, reason: str, *, last: bool) -> Events:
    """The plan goes on without it; nothing if a person has to be asked, or it is tried again."""
    assert task.live is not None
    step, warning = recover(_failure(task, outcome, last=last))
    if step == READ_DIRECTLY and not task.dependents:
        # Nobody needs what it was to read.
        step = "escalate" if task.spec.critical else "go-on"
    if step in {"retry-smaller", "escalate"} or (not last and step != "use-partial"):
        return []
    name = task.spec.id
    return [
        *escalation.withdraw(state, f"{name} is left out", task=name),
        e.GapNoted(name, step, with_aside(warning, f"{name}: {reason}")),
        e.TaskSkipped(name, f"left out, because its agent failed: {reason}", "lead"),
    ]


def _failure(task: Task, outcome: e.AttemptOutcome, *, last: bool) -> Failure:
    assert task.live is not None
    # What was refused is not of use: code has looked at it.
    found = outcome == "failed" and task.spec.type == "investigation" and partial_of(task.live)
    return Failure(task.spec.role, task.spec.critical, retried=last, usable=bool(found))


def unread_gaps(task: Task) -> Iterator[Task]:
    """What this task builds on and the lead has to read itself."""
    return (dependency for dependency in task.depends_on if dependency.gap == READ_DIRECTLY)


def read_by_lead(state: TeamState, fact: f.LeadRead, now: float) -> Events:
    """Logs it, before an agent sees it. Raises Refused where it is more than a fallback allows."""
    task = state.tasks.get(fact.task)
    if task is None or task.live is None or task.live.number != fact.attempt or task.live.phase != "working":
        return []
    gaps = [gap.spec.id for gap in unread_gaps(task)]
    portions = [Portion(excerpt.path, excerpt.lines) for excerpt in fact.excerpts]
    if reason := excess(portions, "fallback"):
        raise Refused(f"the lead may not read that for {fact.task}: {reason}")
    met = ("files", "lines-per-file", *(("agent-failed",) if gaps else ()))
    check_conditions("fallback-read", met)
    return [e.ExemptionUsed(fact.task, fact.attempt, "fallback-read", fact.excerpts)]

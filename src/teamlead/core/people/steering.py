"""What a person wants of one task while its session goes on: a pause, another try, another agent.

An attempt that is in the way is stopped in order: its work stays in its copy, its conversation can be taken
up again, and nobody has failed.
"""

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.asking import escalation, routing
from teamlead.core.pipeline.reopening import Reopened, followers, reopen
from teamlead.core.pipeline.reshape import known_task, movable, not_being_approved, not_over
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused

Events = list[e.AnyEvent]


def pause_task(state: TeamState, fact: f.PauseTask, now: float) -> Events:
    task = _steered(state, fact.task, "pausing a task")
    if task.paused:
        return []
    return [*_stop(state, task, f"paused by {fact.by}", now), e.TaskPaused(fact.task, fact.by)]


def retry_task(state: TeamState, fact: f.RetryTask, now: float) -> Events:
    not_over(state, "retrying a task")
    name, task = fact.task, known_task(state, fact.task)
    if task.state in {"DONE", "SKIPPED"}:
        not_being_approved(state)
        _decided(state, task, fact)
        reason = fact.advice or f"{fact.by} wants it done again"
        again = Reopened(name, reason, own=bool(fact.advice))
        return reopen(state, [again], only=fact.built_on == "keep")
    movable(task)
    resumed = e.TaskResumed(name, fact.by)
    if task.blocked == "BUDGET":
        if not task.paused:
            raise _spent(state, task)
        return [resumed]
    moot = escalation.withdraw(state, f"{fact.by} wants {name} tried again", task=name)
    if task.state == "BLOCKED":
        unblocked = e.TaskUnblocked(name, fact.advice)
        return [*moot, unblocked, *([resumed] if task.paused else [])]
    if task.state == "READY" and task.live is None and not task.paused and not fact.advice:
        raise Refused(
            f"{name} has not begun, and nothing keeps it but what it waits for: there is nothing to retry",
            remedy="see `teamlead status`",
        )
    stopped = _stop(state, task, f"{fact.by} wants it tried again", now, answered=True)
    return [*moot, *stopped, e.TaskResumed(name, fact.by, fact.advice)]


def _decided(state: TeamState, task: Task, fact: f.RetryTask) -> None:
    """What is done anew may not be what others were built on: whether they run again is a person's to say."""
    others = followers(state, [task])
    if others and fact.built_on == "ask":
        names = ", ".join(other.spec.id for other in others)
        number = task.spec.id.removeprefix("task-")
        raise Refused(
            f"{names} {'was' if len(others) == 1 else 'were'} built on {task.spec.id}",
            remedy=f"`teamlead retry {number} --followers` runs them again, too; `--only` leaves them as is",
        )


def _spent(state: TeamState, task: Task) -> Refused:
    """Another try would only find the same: whether more may be spent has to be said first."""
    asked = next((record.id for record in state.open.values() if task.spec.id in record.tasks), "ID")
    return Refused(
        f"the budget of {task.spec.id} is used up: {task.detail}",
        remedy=f"teamlead resolve --escalation-id {asked} --resolution more",
    )


def reassign_task(state: TeamState, fact: f.ReassignTask, now: float) -> Events:
    task = _steered(state, fact.task, "reassigning a task")
    before = state.staff_of(task.spec)
    if (before.agent, before.model) == (fact.agent, fact.model):
        return []
    return [
        *_stop(state, task, f"{fact.agent} goes on with it", now),
        e.TaskReassigned(fact.task, fact.agent, fact.model, fact.by),
    ]


def pause_session(state: TeamState, fact: f.PauseSession, now: float) -> Events:
    not_over(state, "pausing")
    if not state.leader:
        raise Refused(
            f"nobody leads session {state.session.id}: there is nothing to pause",
            remedy=f"teamlead resume {state.session.id} goes on with it",
        )
    return [] if state.draining else [e.LeaderStopping(f"paused by {fact.by}")]


def _steered(state: TeamState, name: str, what: str) -> Task:
    not_over(state, what)
    task = known_task(state, name)
    movable(task)
    return task


def _stop(state: TeamState, task: Task, reason: str, now: float, *, answered: bool = False) -> Events:
    """Unless `answered`, what its agent asked still waits for an answer, and so does the task."""
    attempt = task.live
    if attempt is None or attempt.phase == "stopping":
        return []
    stopping = e.AttemptStopping(task.spec.id, attempt.number, reason)
    asked = routing.unsettled(state, task)
    if asked and not answered:
        return [stopping, e.TaskBlocked(task.spec.id, routing.block_of(asked), asked[0].reason)]
    return [stopping, e.TaskRetried(task.spec.id, now, fresh=attempt.owes_fresh_copy)]

"""What a task waits for: the reason, since when, until when, and what happens then."""

from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SETTLED
from teamlead.views.documents.sessions import WaitPart
from teamlead.views.moments import iso

SHOWN_WAITING = 5


def reason_of(task: Task, last: Attempt | None) -> str:
    if task.detail:
        return f"{task.blocked}: {task.detail}" if task.blocked else task.detail
    return last.reasons[0] if last and last.reasons and task.state != "DONE" else ""


_STEPS = {
    "preparing": "its working copy is being made",
    "working": "its agent works",
    "collecting": "its work is being committed",
    "checking": "its checks run",
    "integrating": "its work is being merged",
    "stopping": "its agent is being ended",
}


def task_waiting(state: TeamState, task: Task) -> WaitPart | None:
    limits = state.session.limits
    attempt = task.live
    if attempt is not None:
        deadline: float | None = None
        following = "goes on by itself"
        if attempt.phase == "working" and limits.hard_timeout:
            deadline = attempt.phase_since + limits.hard_timeout
            following = "at the deadline the agent is ended and the attempt counts as failed"
        if attempt.phase == "checking" and limits.check_timeout:
            deadline = attempt.phase_since + limits.check_timeout
            following = "at the deadline the check counts as failed"
        if attempt.phase == "judging":
            # The judge has an entry of its own, with what it waits for.
            return None
        reason = f"{_STEPS[attempt.phase]} (attempt {attempt.number})"
        if task.paused:
            following = f"{_paused(task)}; teamlead retry {task.spec.id}"
        return item(task.spec.id, reason, attempt.phase_since, deadline, following)
    if task.paused:
        return item(task.spec.id, _paused(task), task.since, None, f"teamlead retry {task.spec.id}")
    hold = state.holds.get(task.lane.kind)
    held = hold if hold is not None and hold.forbids(state.updated_at) else None
    if task.state == "NEEDS_CONTINUATION" and (task.not_before or held):
        reason = f"to be tried again: {reason_of(task, task.attempts[-1])}"
        following = f"attempt {len(task.attempts) + 1} starts"
        if held and held.until is None:
            return item(task.spec.id, reason, task.since, None, f"{following} after your answer")
        deadline = max(task.not_before, held.until or 0.0) if held else task.not_before
        return item(task.spec.id, reason, task.since, deadline, following)
    return None


def _paused(task: Task) -> str:
    waiting = [dependent.spec.id for dependent in task.dependents if dependent.state not in SETTLED]
    shown = ", ".join(waiting[:SHOWN_WAITING]) + (", …" if len(waiting) > SHOWN_WAITING else "")
    return f"paused by {task.paused}{f'; {shown} cannot start before it is done' if waiting else ''}"


def item(what: str, reason: str, since: float, deadline: float | None, following: str) -> WaitPart:
    return WaitPart(what=what, reason=reason, since=iso(since), deadline=iso(deadline), next=following)

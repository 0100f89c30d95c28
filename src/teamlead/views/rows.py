"""The rows that `status` and `list` print without folding the journal: JSON, ready to be passed on."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Any

import msgspec

from teamlead.core.model import Usage
from teamlead.core.scope import OWN_FOLDER
from teamlead.core.state import Attempt, Escalation, Task, TeamState, session_state
from teamlead.ports import Rows, TaskRow
from teamlead.views import moments

_encode = msgspec.json.Encoder().encode

# The rows of one commit name few moments, each many times.
iso = lru_cache(maxsize=256)(moments.iso)

NO_DEADLINE = "none"
SHOWN_KEPT = 50
"""This row is written with every commit."""


def view_rows(state: TeamState, touched: Iterable[str]) -> Rows:
    return Rows(_encode(session_view(state)), [_task_row(state, state.tasks[name]) for name in touched])


def _task_row(state: TeamState, task: Task) -> TaskRow:
    view = task_view(state, task)
    return TaskRow(task.order, task.spec.id, task.state, view["waiting"] is not None, _encode(view))


def branch_of(state: TeamState, task: str) -> str:
    return f"teamlead/{state.session.id}/{task}"


def task_view(state: TeamState, task: Task) -> dict[str, Any]:
    last = task.attempts[-1] if task.attempts else None
    # What was given up is no change, though it was made.
    change = last if task.state not in {"SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"} else None
    return {
        "id": task.spec.id,
        "title": task.spec.title,
        "state": task.state,
        "attempts": len(task.attempts),
        "branch": branch_of(state, task.spec.id),
        "depends_on": [dependency.spec.id for dependency in task.depends_on],
        "type": task.spec.type,
        "role": task.spec.role,
        "agent": (last.agent if last else "") or task.spec.agent or state.session.agent,
        "since": iso(task.since),
        "step": task.live.phase if task.live else None,
        "started": iso(task.attempts[0].started_at) if task.attempts else None,
        "ended": iso(last.ended_at) if last else None,
        "reason": _reason(task, last),
        "summary": last.summary if last else "",
        "commit": task.commit,
        "files": change.files if change else 0,
        "added": change.added if change else 0,
        "deleted": change.deleted if change else 0,
        "kept": task.kept,
        "waiting": _task_waiting(state, task),
    }


def _reason(task: Task, last: Attempt | None) -> str:
    if task.detail:
        return f"{task.blocked}: {task.detail}" if task.blocked else task.detail
    return last.reasons[0] if last and last.reasons and task.state != "DONE" else ""


_STEPS = {
    "preparing": "its working copy is being made",
    "working": "its agent works",
    "collecting": "its work is being committed",
    "checking": "its checks run",
    "judging": "its work is being judged",
    "integrating": "its work is being merged",
    "stopping": "its agent is being ended",
}


def _task_waiting(state: TeamState, task: Task) -> dict[str, Any] | None:
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
        reason = f"{_STEPS[attempt.phase]} (attempt {attempt.number})"
        return waiting(task.spec.id, reason, attempt.phase_since, deadline, following)
    if task.state == "NEEDS_CONTINUATION" and task.not_before:
        reason = f"to be tried again: {_reason(task, task.attempts[-1])}"
        return waiting(
            task.spec.id,
            reason,
            task.since,
            task.not_before,
            f"attempt {len(task.attempts) + 1} starts",
        )
    return None


def waiting(what: str, reason: str, since: float, deadline: float | None, following: str) -> dict[str, Any]:
    return {
        "what": what,
        "reason": reason,
        "since": iso(since),
        "deadline": iso(deadline) or NO_DEADLINE,
        "next": following,
    }


def session_view(state: TeamState) -> dict[str, Any]:
    spec = state.session
    approval = state.approval
    return {
        "id": spec.id,
        "title": spec.plan.title,
        "state": session_state(state),
        "phase": state.phase,
        "phase_reason": state.phases[-1].reason,
        "plan": spec.plan.source,
        "agent": spec.agent,
        "jobs": spec.limits.jobs,
        "base_commit": spec.base_commit,
        "target_branch": spec.target_branch,
        "integration_branch": branch_of(state, "integration"),
        "integration_tip": state.integration_tip,
        "created_at": iso(state.phases[0].entered_at),
        "updated_at": iso(state.updated_at),
        "seq": state.seq,
        "tasks_total": len(state.tasks),
        "tasks_unsettled": state.unsettled,
        "leader": state.leader,
        "under_way": state.under_way,
        "stopped_because": state.stopped_because,
        "usage": usage_view(state.usage),
        "escalations": [escalation_view(record) for record in state.open.values()],
        "approved": None
        if approval is None or not approval.commit
        else {"commit": approval.commit, "branch": approval.branch, "undo": approval.undo},
        "approval_refused": state.approval_refused,
        "rejected": rejection(state),
        "kept_total": len(state.kept),
        "kept": [{"task": task, "at": place} for place, task in islice(state.kept.items(), SHOWN_KEPT)],
        "waiting": _session_waiting(state),
    }


def usage_view(usage: Usage) -> dict[str, Any]:
    return {name: getattr(usage, name) for name in usage.__struct_fields__}


def rejection(state: TeamState) -> str | None:
    """Why the user turned the work down, if they did."""
    return next((entry.reason for entry in state.phases if entry.phase == "REJECTED"), None)


def escalation_view(record: Escalation) -> dict[str, Any]:
    return {
        "id": record.id,
        "target": record.target,
        "kind": record.kind,
        "reason": record.reason,
        "relatedTaskId": record.task,
        "question": record.question.text if record.question else record.reason,
        "options": list(record.question.options) if record.question else [],
        "escalatedAt": iso(record.raised_at),
        "state": record.state,
        "resolved": record.state == "resolved",
        "resolvedAt": iso(record.resolved_at),
        "resolution": record.resolution,
        "by": record.by,
    }


def own_files_changed(state: TeamState) -> list[str]:
    """Paths of teamlead's own folder among the accepted work: worth a look before they steer the next run."""
    paths = (path for task in state.tasks.values() if task.commit for path in task.attempts[-1].paths)
    return sorted({path for path in paths if path.startswith(f"{OWN_FOLDER}/")})


def _who_starts_them(state: TeamState) -> str:
    if state.leader:
        return "they start by themselves"
    if state.open:
        return "they start after your answers"
    return f"teamlead resume {state.session.id}"


def _session_waiting(state: TeamState) -> list[dict[str, Any]]:
    name = state.session.id
    found = [
        waiting(
            f"{record.task} ({record.id})" if record.task else record.id,
            record.reason,
            record.raised_at,
            None,
            f"teamlead resolve {name} --escalation-id {record.id} --resolution TEXT",
        )
        for record in state.open.values()
    ]
    if state.held:
        first = next(iter(state.held.values()))
        reason = f"{len(state.held)} more questions are held back by the limit on questions"
        found.append(
            waiting("held questions", reason, first.raised_at, None, "answer the open questions first")
        )
    if state.phase == "AWAITING_APPROVAL" and state.approval is None:
        reason = state.approval_refused or "the finished work waits for your approval"
        steering = own_files_changed(state)
        if steering:
            reason += f"; it changes how teamlead works here: {', '.join(steering)}"
        following = f"teamlead approve {name}, or teamlead reject {name}"
        found.append(waiting("approval", reason, state.phases[-1].entered_at, None, following))
    blocked = {record.task for record in (*state.open.values(), *state.held.values()) if record.task}
    timed = sum(
        state.tasks[name].ticket == ticket
        for lane in state.lanes.values()
        for *_, ticket, name in lane.timers
    )
    idle = state.unsettled - len(state.active) - len(blocked) - timed
    if idle > 0 and not state.final:
        tasks = moments.counted(idle, "task")
        places = moments.counted(state.session.limits.jobs, "place")
        reason = f"{tasks} to start after other tasks, or when one of {places} is free"
        following = _who_starts_them(state)
        found.append(waiting("tasks to start", reason, state.phases[-1].entered_at, None, following))
    if not state.leader and (state.under_way or (state.unsettled and not state.final)):
        found.append(waiting("session", _cut_short(state), state.updated_at, None, f"teamlead resume {name}"))
    return found


def _cut_short(state: TeamState) -> str:
    if state.final:
        return "its end was cut short"
    if state.approval is not None:
        return "its approval was cut short"
    return f"no leader runs: {state.stopped_because or 'not started yet'}"

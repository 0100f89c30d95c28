"""The rows that `status` and `list` print without folding the journal: JSON, ready to be passed on."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

import msgspec

from teamlead.core.budget import scope_of_task
from teamlead.core.model import Person
from teamlead.core.records import Attempt, Escalation, Message, Task
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.staffing import staff_of
from teamlead.core.state import TeamState, rejection, session_state
from teamlead.core.transitions import SETTLED
from teamlead.ports import Rows, TaskRow
from teamlead.system.text import clip
from teamlead.views.evidence import evidence_row, whole_view
from teamlead.views.opinions import consultation_view
from teamlead.views.spending import purse_view, purses_view, session_spent, spent_view, usage_view
from teamlead.views.task_waiting import iso, reason_of, task_waiting
from teamlead.views.waiting import session_waiting
from teamlead.views.words import headline

_encode = msgspec.json.Encoder().encode

SHOWN_KEPT = 50
SHOWN_VIOLATIONS = 20
SHOWN_NOTICES = 10
SHOWN_ISSUE = 300
"""Rows are written with every commit."""


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
    # Before its next attempt, another agent may have been chosen.
    who = last.run if last and (task.live or task.state in SETTLED) else staff_of(state, task.spec)
    return {
        "id": task.spec.id,
        "title": task.spec.title,
        "state": task.state,
        "attempts": len(task.attempts),
        "branch": branch_of(state, task.spec.id),
        "depends_on": [dependency.spec.id for dependency in task.depends_on],
        "type": task.spec.type,
        "role": task.spec.role,
        "agent": who.agent,
        "model": who.model,
        "effort": who.effort,
        "since": iso(task.since),
        "step": task.live.phase if task.live else None,
        "started": iso(task.attempts[0].started_at) if task.attempts else None,
        "ended": iso(last.ended_at) if last else None,
        "paused": bool(task.paused),
        "reason": reason_of(task, last),
        "summary": last.run.summary if last else "",
        "commit": task.commit,
        "files": change.work.files if change else 0,
        "added": change.work.added if change else 0,
        "deleted": change.work.deleted if change else 0,
        "kept": task.kept,
        "spent": spent_view(attempt.run for attempt in task.attempts),
        "budget": purse_view(state.purses.get(scope_of_task(task.spec.id))),
        "progress": last.progress if last else "",
        "word": last.word if last else None,
        "difficulties": [_difficulty(each) for each in last.difficulties] if last else [],
        "evidence": evidence_row(state, task, last),
        **violations_view(task.attempts),
        "unread": list(task.unread),
        "waiting": task_waiting(state, task),
    }


def _difficulty(reported: DifficultyFeedback) -> dict[str, Any]:
    return {
        "issue": clip(headline(reported.issue), SHOWN_ISSUE),
        "category": reported.category,
        "requested_action": reported.requested_action,
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
        "task_counts": {name: count for name, count in sorted(state.counts.items()) if count},
        "leader": state.leader,
        "under_way": state.under_way,
        "whole": whole_view(state),
        "trying": state.trying,
        "stopped_because": state.stopped_because,
        "usage": usage_view(state.usage),
        "spent": session_spent(state),
        "budgets": purses_view(state),
        "holds": holds_view(state),
        "warnings": state.warnings,
        "consultations": [
            consultation_view(each) for each in (*state.wanted.values(), *state.advising.values())
        ],
        "conflicts_ahead": conflicts_view(state),
        "not_notified": not_notified(state),
        "messages": len(state.messages),
        "escalations": [escalation_view(record) for record in state.open.values()],
        "referred": [escalation_view(record) for record in state.referred.values()],
        "approved": None
        if approval is None or not approval.commit
        else {"commit": approval.commit, "branch": approval.branch, "undo": approval.undo},
        "approval_refused": state.approval_refused,
        "trespasses": trespasses_view(state),
        "rejected": rejection(state),
        "kept_total": len(state.kept),
        "kept": [{"task": task, "at": place} for place, task in islice(state.kept.items(), SHOWN_KEPT)],
        "waiting": session_waiting(state),
    }


def violations_view(attempts: list[Attempt]) -> dict[str, list[str]]:
    """What agents were kept from, what they changed outside of their copy, and what may have been them."""
    denials = [each for attempt in attempts for each in attempt.run.denials]
    trespasses = [each for attempt in attempts for each in attempt.work.trespasses]
    remarks = [each for attempt in attempts for each in attempt.work.remarks]
    return {
        "denials": denials[:SHOWN_VIOLATIONS],
        "trespasses": trespasses[:SHOWN_VIOLATIONS],
        "remarks": remarks[:SHOWN_VIOLATIONS],
    }


def trespasses_view(state: TeamState) -> list[dict[str, Any]]:
    """What was changed in the user's repository and is not put right."""
    return [
        {"item": each.item, "told": each.told, "suspects": list(each.suspects)}
        for each in state.trespasses.values()
    ]


def conflicts_view(state: TeamState) -> list[dict[str, Any]]:
    """Of attempts at work, as it is foreseen."""
    return [
        {
            "task": found.task,
            "attempt": found.attempt,
            "other": found.other,
            "other_attempt": found.other_attempt,
            "paths": list(found.paths),
            "since": iso(found.since),
            "told": found.told,
        }
        for found in state.foreseen.values()
        if found.paths
    ]


def holds_view(state: TeamState) -> list[dict[str, Any]]:
    """Also those whose time is over by now: whoever reads it looks at the clock. None once the session is.

    Screens call it from another thread: `list` of a dict is one step.
    """
    if state.final:
        return []
    return [
        {
            "agent": kind,
            "reason": hold.reason,
            "since": iso(hold.since),
            "until": iso(hold.until),
            "strikes": hold.strikes,
        }
        for kind, hold in list(state.holds.items())
    ]


def not_notified(state: TeamState) -> list[str]:
    """What the user was to be told outside of the terminal, and was not."""
    return [f"{about}: {problem}" for about, problem in state.notices.items() if problem][-SHOWN_NOTICES:]


def message_view(message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "from": message.sender,
        "to": message.recipient,
        "text": message.text,
        "at": iso(message.sent_at),
    }


def person_view(person: Person | None) -> dict[str, Any] | None:
    if person is None:
        return None
    return {"user": person.user, "pid": person.pid, "terminal": person.terminal or None}


def escalation_view(record: Escalation) -> dict[str, Any]:
    return {
        "id": record.id,
        "target": record.target,
        "kind": record.kind,
        "reason": record.reason,
        "cause": record.cause,
        "tasks": [
            {"id": name, "attempt": each.attempt or None, "reason": each.reason or record.reason}
            for name, each in record.tasks.items()
        ],
        "question": record.question.text if record.question else record.reason,
        "options": list(record.options),
        "escalatedAt": iso(record.raised_at),
        "state": record.state,
        "resolved": record.state == "resolved",
        "resolvedAt": iso(record.resolved_at),
        "resolution": record.resolution,
        "by": record.by,
        "who": person_view(record.who),
        "while_working": bool(record.call),
        "parked": record.parked,
        "answered_for_some": [
            {
                "tasks": list(event.tasks),
                "resolution": event.resolution,
                "by": event.by,
                "who": person_view(event.who),
                "at": iso(at),
            }
            for at, event in record.parts
        ],
    }

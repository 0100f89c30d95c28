"""session.json: a session for people and their scripts. Written for reading, never read back."""

from typing import Any

import msgspec

from teamlead.core.answers import Completion, Proposal
from teamlead.core.records import Attempt, Escalation, Task
from teamlead.core.state import TeamState, session_state
from teamlead.views.evidence import evidence_view
from teamlead.views.moments import iso
from teamlead.views.opinions import consultation_view
from teamlead.views.rows import branch_of, escalation_view, holds_view, message_view, violations_view
from teamlead.views.spending import purses_view, usage_view

SCHEMA_VERSION = 1


def long_id(session: str, task: str) -> str:
    """Unique beyond the session: `task-1` of session `…-k3f9` is `task-k3f9-1`."""
    return task.replace("task-", f"task-{session.rsplit('-', 1)[-1]}-", 1)


def _status(state: TeamState) -> str:
    """In the words that readers of this file know: all was done, whatever the user thought of it."""
    found = session_state(state)
    return "COMPLETED" if found == "REJECTED" else found


def session_document(state: TeamState) -> dict[str, Any]:
    spec = state.session
    tasks = state.tasks.values()
    return {
        "schema_version": SCHEMA_VERSION,
        "id": spec.id,
        "version": state.seq,
        "sourceType": spec.plan.source_type,
        "planDocument": spec.plan.source,
        "instruction": spec.plan.wanted,
        "plannerSessionId": spec.plan.planner_session or None,
        "childPlannerSessionIds": _plannings(state),
        "title": spec.plan.title,
        "status": _status(state),
        "phase": state.phase,
        "phase_history": [
            {"phase": entry.phase, "entered_at": iso(entry.entered_at), "reason": entry.reason}
            for entry in state.phases
        ],
        "baseCommit": spec.base_commit,
        "targetBranch": spec.target_branch,
        "members": msgspec.to_builtins(spec.members),
        "tasks": [_task(state, task) for task in tasks],
        "memberTaskHistory": [_history(state, task, attempt) for task, attempt in _ended(state)],
        "escalationRecords": [_escalation(state, record) for record in state.escalations.values()],
        "escalationAttempts": _attempts_by_target(state),
        "conversationHistory": _conversation(state),
        "consultations": [consultation_view(each) for each in state.asked_runs],
        "activeTaskIds": [long_id(spec.id, name) for name in state.active],
        "completedTaskCount": sum(task.state in {"DONE", "SKIPPED"} for task in tasks),
        "totalTaskCount": sum(task.state != "REPLACED_BY_REPLAN" for task in tasks),
        "errorMessage": state.phases[-1].reason if state.phase == "FAILED" else None,
        "usage": usage_view(state.usage),
        "budgets": purses_view(state),
        "holds": holds_view(state),
        "warnings": list(state.warnings),
        "createdAt": iso(state.phases[0].entered_at),
        "updatedAt": iso(state.updated_at),
    }


def _task(state: TeamState, task: Task) -> dict[str, Any]:
    session = state.session.id
    return {
        "id": long_id(session, task.spec.id),
        "title": task.spec.title,
        "state": task.state,
        "version": task.version,
        "branch": branch_of(state, task.spec.id),
        "label": task.spec.branch,
        "dependencies": [long_id(session, dependency.spec.id) for dependency in task.depends_on],
        "attempts": len(task.attempts),
        "reason": task.detail,
    }


def _ended(state: TeamState) -> list[tuple[Task, Attempt]]:
    """In the order in which they ended: entries are added, and none is ever taken away or changed."""
    pairs = [(task, attempt) for task in state.tasks.values() for attempt in task.attempts if attempt.outcome]
    return sorted(pairs, key=lambda pair: pair[1].ended_at or 0.0)


def _plannings(state: TeamState) -> list[str]:
    """The times that the planner was asked while the plan was carried out, and gave it further tasks."""
    return [
        asked.id
        for asked in state.asked_runs
        if isinstance(asked.answer, Proposal | Completion) and asked.answer.tasks
    ]


def _conversation(state: TeamState) -> list[dict[str, Any]]:
    """How the plan was made, and what was said since."""
    planning = [
        {"id": None, "from": said.who, "to": None, "text": said.text, "at": None}
        for said in state.session.plan.conversation
    ]
    return planning + [message_view(message) for message in state.messages.values()]


def _history(state: TeamState, task: Task, attempt: Attempt) -> dict[str, Any]:
    return {
        "taskId": long_id(state.session.id, task.spec.id),
        "attempt": attempt.number,
        "agent": attempt.run.agent,
        "model": attempt.run.model,
        "turns": attempt.run.turns,
        "usage": usage_view(attempt.run.usage),
        **violations_view([attempt]),
        "assignedAt": iso(attempt.started_at),
        "completedAt": iso(attempt.ended_at),
        "workerResult": {
            "status": attempt.run.status,
            "summary": attempt.run.summary,
            "commit": attempt.work.commit,
            "handedIn": msgspec.to_builtins(attempt.result),
        },
        "workerFeedback": msgspec.to_builtins(attempt.feedback),
        "judgementResult": {
            "outcome": attempt.outcome,
            "reasons": list(attempt.reasons),
            "checks": [{"command": c.command, "exit_code": c.exit_code} for c in attempt.checks],
            "evidence": evidence_view(state, task, attempt),
            "judge": msgspec.to_builtins(attempt.judgement),
        },
        "leaderDecision": attempt.decision,
        "leaderDecisionReason": attempt.decided_because or next(iter(attempt.reasons), ""),
    }


def _escalation(state: TeamState, record: Escalation) -> dict[str, Any]:
    view = escalation_view(record)
    names = [long_id(state.session.id, name) for name in record.tasks]
    tasks = [{**each, "id": name} for each, name in zip(view["tasks"], names, strict=True)]
    return {**view, "relatedTaskId": names[0] if names else "", "tasks": tasks}


def _attempts_by_target(state: TeamState) -> dict[str, int]:
    counts = dict.fromkeys(("user", "planner", "logicValidator", "externalAdvisor"), 0)
    for record in state.escalations.values():
        counts[record.target] += 1
    return counts

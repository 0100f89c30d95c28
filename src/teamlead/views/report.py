"""What a session came to, stated honestly: asked, done, verified and how, not verified, failed, spent."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from teamlead.core.checking import judged, roomless
from teamlead.core.evidence import CheckResult, Evidence, RoomKind
from teamlead.core.proof import evidence_of, flagged
from teamlead.core.records import Attempt, Task
from teamlead.core.runs import Run
from teamlead.core.staffing import kind_of
from teamlead.core.state import TeamState, rejection, session_state
from teamlead.views.evidence import evidence_view, whole_view
from teamlead.views.moments import iso
from teamlead.views.opinions import consultation_view
from teamlead.views.rows import (
    branch_of,
    conflicts_view,
    escalation_view,
    message_view,
    not_notified,
    person_view,
    trespasses_view,
)
from teamlead.views.spending import purse_view, spent_view

SCHEMA_VERSION = 1


def report_document(state: TeamState) -> dict[str, Any]:
    spec = state.session
    tasks = list(state.tasks.values())
    return {
        "schema_version": SCHEMA_VERSION,
        "session": {
            "id": spec.id,
            "title": spec.plan.title,
            "state": session_state(state),
            "phase": state.phase,
            "reason": state.phases[-1].reason,
            "started": iso(state.phases[0].entered_at),
            "updated": iso(state.updated_at),
            "seconds": round(state.updated_at - state.phases[0].entered_at, 3),
            "target_branch": spec.target_branch,
            "integration_branch": branch_of(state, "integration"),
            "integration_tip": state.integration_tip,
            "agent": spec.agent,
        },
        "asked": spec.plan.text,
        "done": [_done(state, task) for task in tasks if task.state == "DONE"],
        "flagged": [_flag(task, item) for task in tasks for item in _flagged(state, task)],
        "not_verified": [_unverified(t) for t in tasks if t.state == "DONE" and _words(t)],
        "whole": whole_view(state),
        "without_full_room": _roomless(state),
        "waiting": [_failed(task) for task in tasks if task.blocked == "QUESTION"],
        "failed": [
            _failed(t) for t in tasks if t.state == "CANCELLED" or t.blocked in {"FAILED", "CONFLICT"}
        ],
        "skipped": [_failed(task) for task in tasks if task.state in {"SKIPPED", "REPLACED_BY_REPLAN"}],
        "unfinished": [
            _failed(task) for task in tasks if task.state in {"READY", "RUNNING", "NEEDS_CONTINUATION"}
        ],
        "refused_attempts": [
            {"task": task.spec.id, "attempt": a.number, "outcome": a.outcome, "reasons": list(a.reasons)}
            for task in tasks
            for a in task.attempts
            if a.outcome not in {None, "accepted", "asked", "held"}
        ],
        "held": [_held(task, a) for task in tasks for a in task.attempts if a.outcome == "held"],
        "warnings": list(state.warnings),
        "conflicts_ahead": conflicts_view(state),
        "read_by_lead": [_lent(t, a) for t in tasks for a in t.attempts if a.lent],
        "trespasses": trespasses_view(state),
        "difficulties": [each for task in tasks for each in _difficulties(task)],
        "violations": [violation for task in tasks for violation in _violations(task)],
        "questions": [escalation_view(record) for record in state.escalations.values()],
        "consultations": [consultation_view(each) for each in state.asked_runs],
        "not_notified": not_notified(state),
        "messages": [message_view(message) for message in state.messages.values()],
        "kept": [{"task": task, "at": place} for place, task in state.kept.items()],
        "spent": _spent(state),
        "budgets": [view for purse in state.purses.values() if (view := purse_view(purse))],
        "approval": None if state.approval is None else _approval(state),
        "rejected": rejection(state),
        "time_line": [
            {
                "at": iso(entry.entered_at),
                "phase": entry.phase,
                "reason": entry.reason,
                "who": person_view(entry.who),
            }
            for entry in state.phases
        ],
    }


def _approval(state: TeamState) -> dict[str, Any]:
    approval = state.approval
    assert approval is not None
    return {
        "by": approval.by,
        "who": person_view(approval.who),
        "branch": approval.branch,
        "commit": approval.commit,
        "before": approval.before,
        "undo": approval.undo,
    }


def _held(task: Task, attempt: Attempt) -> dict[str, Any]:
    return {
        "task": task.spec.id,
        "attempt": attempt.number,
        "agent": attempt.run.agent,
        "at": iso(attempt.ended_at),
        "reason": attempt.reasons[0] if attempt.reasons else "",
    }


def _lent(task: Task, attempt: Attempt) -> dict[str, Any]:
    read = [f"{each.path}:{each.first}-{each.first + each.lines - 1}" for each in attempt.lent]
    return {"task": task.spec.id, "attempt": attempt.number, "exemption": "fallback-read", "read": read}


def _violations(task: Task) -> Iterator[dict[str, Any]]:
    """What agents tried, or did, beyond what they may."""
    for attempt in task.attempts:
        kinds = {
            "prevented": attempt.run.denials,
            "refused": attempt.work.trespasses,
            "noticed": attempt.work.remarks,
        }
        for kind, found in kinds.items():
            for what in found:
                yield {"task": task.spec.id, "attempt": attempt.number, "kind": kind, "what": what}


def _difficulties(task: Task) -> Iterator[dict[str, Any]]:
    for attempt in task.attempts:
        for reported in attempt.difficulties:
            yield {
                "task": task.spec.id,
                "attempt": attempt.number,
                "issue": reported.issue,
                "category": reported.category,
                "requested_action": reported.requested_action,
                "tried": list(reported.attempts),
                "suggestion": reported.suggestion,
            }


def _spent(state: TeamState) -> dict[str, Any]:
    runs = state.runs.values()
    return {
        **spent_view(runs),
        "by_agent": _grouped(runs, lambda run: kind_of(run.agent)),
        "by_role": _grouped(runs, lambda run: run.role),
    }


def _grouped(runs: Iterable[Run], group: Callable[[Run], str]) -> dict[str, dict[str, Any]]:
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(group(run), []).append(run)
    return {name: spent_view(ran) for name, ran in found.items()}


def _checks(task: Task) -> list[dict[str, Any]]:
    return [
        {
            "command": check.command,
            "exit_code": check.exit_code,
            "seconds": check.seconds,
            "log": check.log,
            "found": judged(check, task, task.attempts[-1]).found,
        }
        for check in _last_checks(task)
    ]


def _last_checks(task: Task) -> Sequence[CheckResult]:
    return task.attempts[-1].checks if task.attempts else ()


def _roomless(state: TeamState) -> list[dict[str, Any]]:
    """Whose last checks were in none, by what held them instead."""
    ran = [(check.room, task.spec.id) for task in state.tasks.values() for check in _last_checks(task)]
    ran += [(check.room, "the whole plan") for check in (state.whole.checks if state.whole else ())]
    found: dict[RoomKind, dict[str, None]] = {}
    for room, name in ran:
        if roomless(room):
            found.setdefault(room, {})[name] = None
    return [{"room": room, "ran": roomless(room), "checks_of": list(names)} for room, names in found.items()]


def _flagged(state: TeamState, task: Task) -> list[Evidence]:
    return flagged(evidence_of(state, task, task.attempts[-1])) if task.state == "DONE" else []


def _flag(task: Task, item: Evidence) -> dict[str, Any]:
    return {
        "task": task.spec.id,
        "kind": item.kind,
        "found": item.found,
        "details": list(item.details),
        "accepted_by_a_person": item.verdict == "objected",
    }


def _done(state: TeamState, task: Task) -> dict[str, Any]:
    last = task.attempts[-1]
    return {
        "task": task.spec.id,
        "title": task.spec.title,
        "commit": task.commit,
        "files": last.work.files,
        "added": last.work.added,
        "deleted": last.work.deleted,
        "paths": list(last.work.paths),
        "attempts": len(task.attempts),
        "summary": last.result.summary if last.result else last.run.summary,
        "verified": {
            "changed": bool(task.commit),
            "in_scope": list(task.spec.scope),
            "checks": _checks(task),
            "merged": bool(task.commit) and task.spec.merges,
        },
        "evidence": evidence_view(state, task, last),
    }


def _unverified(task: Task) -> dict[str, Any]:
    judgement = task.attempts[-1].judgement
    return {
        "task": task.spec.id,
        "title": task.spec.title,
        "acceptance": _words(task),
        "judged": judgement.reason if judgement and judgement.success else None,
    }


def _words(task: Task) -> list[str]:
    """Criteria that no command stood for: an agent was told of them, and nothing checked them."""
    checks = _checks(task)
    commands = {check["command"] for check in checks}
    words = [criterion for criterion in task.spec.acceptance if criterion not in commands]
    return words if words or checks else ["no acceptance criterion was given"]


def _failed(task: Task) -> dict[str, Any]:
    last = task.attempts[-1] if task.attempts else None
    reasons = list(last.reasons) if last else []
    return {
        "task": task.spec.id,
        "title": task.spec.title,
        "state": task.state,
        "reason": task.detail or (reasons[0] if reasons else ""),
        "attempts": len(task.attempts),
    }

"""What a session came to, stated honestly: asked, done, verified and how, not verified, failed, spent."""

from typing import Any

from teamlead.core.acceptance import listed
from teamlead.core.state import Task, TeamState, session_state
from teamlead.views.moments import counted, iso, span
from teamlead.views.rows import branch_of, escalation_view, rejection, usage_view

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
            "agent": spec.agent,
        },
        "asked": spec.plan.text,
        "done": [_done(task) for task in tasks if task.state == "DONE"],
        "not_verified": [_unverified(t) for t in tasks if t.state == "DONE" and _words(t)],
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
            if a.outcome not in {None, "accepted", "asked"}
        ],
        "questions": [escalation_view(record) for record in state.escalations.values()],
        "kept": [{"task": task, "at": place} for place, task in state.kept.items()],
        "spent": {
            **usage_view(state.usage),
            "runs": sum(a.status is not None for task in tasks for a in task.attempts),
            "agent_seconds": round(sum(a.agent_seconds for task in tasks for a in task.attempts), 3),
        },
        "approval": None if state.approval is None else _approval(state),
        "rejected": rejection(state),
        "time_line": [
            {"at": iso(entry.entered_at), "phase": entry.phase, "reason": entry.reason}
            for entry in state.phases
        ],
    }


def _approval(state: TeamState) -> dict[str, Any]:
    approval = state.approval
    assert approval is not None
    return {
        "by": approval.by,
        "branch": approval.branch,
        "commit": approval.commit,
        "before": approval.before,
        "undo": approval.undo,
    }


def _checks(task: Task) -> list[dict[str, Any]]:
    last = task.attempts[-1] if task.attempts else None
    return [
        {"command": check.command, "exit_code": check.exit_code, "seconds": check.seconds, "log": check.log}
        for check in (last.checks if last else ())
    ]


def _done(task: Task) -> dict[str, Any]:
    last = task.attempts[-1]
    return {
        "task": task.spec.id,
        "title": task.spec.title,
        "commit": task.commit,
        "files": last.files,
        "added": last.added,
        "deleted": last.deleted,
        "paths": list(last.paths),
        "attempts": len(task.attempts),
        "summary": last.summary,
        "verified": {
            "changed": bool(task.commit),
            "in_scope": list(task.spec.scope),
            "checks": _checks(task),
            "merged": bool(task.commit) and task.spec.merges,
        },
    }


def _unverified(task: Task) -> dict[str, Any]:
    return {"task": task.spec.id, "title": task.spec.title, "acceptance": _words(task)}


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


def report_markdown(document: dict[str, Any]) -> str:
    session = document["session"]
    lines = [
        f"# {session['title']}",
        "",
        _session_line(session),
        "",
        *_part("Done", [_done_line(item) for item in document["done"]], "Nothing."),
        *_part("Verified, and how", [_verified_line(item) for item in document["done"]], "Nothing."),
        *_part(
            "Not verified by a command",
            [f"{i['task']} ({i['title']}): {'; '.join(i['acceptance'])}" for i in document["not_verified"]],
            "Nothing: every criterion was a command." if document["done"] else "Nothing was finished.",
        ),
        *_part("Waiting for you", [_failed_line(item) for item in document["waiting"]]),
        *_part("Failed or cancelled", [_failed_line(item) for item in document["failed"]], "Nothing."),
        *_part("Skipped or replaced", [_failed_line(item) for item in document["skipped"]]),
        *_part("Not finished", [_failed_line(item) for item in document["unfinished"]]),
        *_part("Attempts that brought nothing", [_refused_line(i) for i in document["refused_attempts"]]),
        *_part("Questions", [_question_line(item) for item in document["questions"]]),
        *_part("Work kept aside", [f"{item['task']}: {item['at']}" for item in document["kept"]]),
        *_part("Spent", [_spent_line(document["spent"])]),
        *_part("Approval", [_approval_line(document)]),
        *_part("Time line", [f"{i['at']} {i['phase']}: {i['reason']}" for i in document["time_line"]]),
        "## Asked",
        "",
        *(f"> {line}".rstrip() for line in document["asked"].splitlines()),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _session_line(session: dict[str, Any]) -> str:
    where = f"**{session['state']}** ({session['phase']}: {session['reason']})"
    when = f"started {session['started']}, {span(session['seconds'])} until the last event"
    return f"Session `{session['id']}`: {where}, {when}."


def _part(title: str, items: list[str], empty: str = "") -> list[str]:
    if not items and not empty:
        return []
    return [f"## {title}", "", *(f"- {item}" for item in items or [empty]), ""]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _done_line(item: dict[str, Any]) -> str:
    change = (
        f"{counted(item['files'], 'file')}, +{item['added']} -{item['deleted']}"
        if item["commit"]
        else "no change"
    )
    tries = "" if item["attempts"] == 1 else f", {item['attempts']} attempts"
    told = f": {_one_line(item['summary'])}" if item["summary"] else ""
    return f"{item['task']} ({item['title']}), {change}{tries}{told}"


def _verified_line(item: dict[str, Any]) -> str:
    verified = item["verified"]
    proofs = []
    if verified["changed"]:
        proofs.append(f"changed only {listed(verified['in_scope'])}")
    proofs += [f"`{check['command']}` passed" for check in verified["checks"]]
    if verified["merged"]:
        proofs.append(f"merged as {item['commit'][:10]}")
    return f"{item['task']}: {'; '.join(proofs) or 'nothing to verify'}"


def _failed_line(item: dict[str, Any]) -> str:
    reason = f": {_headline(item['reason'])}" if item["reason"] else ""
    return f"{item['task']} ({item['title']}) {item['state']}{reason}"


def _headline(text: str) -> str:
    return text.strip().split("\n", 1)[0].rstrip(":")


def _refused_line(item: dict[str, Any]) -> str:
    reasons = "; ".join(_headline(reason) for reason in item["reasons"])
    return f"{item['task']} attempt {item['attempt']} {item['outcome']}: {reasons}"


def _question_line(item: dict[str, Any]) -> str:
    answer = f"answered by {item['by']}: {item['resolution']}" if item["resolved"] else item["state"]
    about = f"{item['id']} {item['relatedTaskId']}".rstrip()
    return f"{about}: {_one_line(item['question'])} ({_one_line(answer)})"


def _spent_line(spent: dict[str, Any]) -> str:
    cost = "unknown" if spent.get("cost_usd") is None else f"${spent['cost_usd']:.2f}"
    tokens = " and ".join(
        f"{'unknown' if spent.get(key) is None else spent[key]} {word}"
        for key, word in (("input_tokens", "tokens in"), ("output_tokens", "tokens out"))
    )
    runs = f"{counted(spent['runs'], 'agent run')}, {span(spent['agent_seconds'])} in total"
    return f"{runs}; {tokens}; cost {cost}"


def _approval_line(document: dict[str, Any]) -> str:
    approval = document["approval"]
    if document["rejected"]:
        return f"Rejected: {_one_line(document['rejected'])}. Nothing was applied."
    if approval is None or not approval["commit"]:
        return f"Nothing was applied to `{document['session']['target_branch']}`."
    where = f"`{approval['branch']}` is at {approval['commit'][:10]}"
    undo = f"; undo: `{approval['undo']}`" if approval["undo"] else ""
    return f"{where}, by {approval['by']}{undo}"

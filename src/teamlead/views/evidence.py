"""Evidence as people and their scripts see it."""

from typing import Any, get_args

import msgspec

from teamlead.core import whole
from teamlead.core.evidence import Evidence, Verdict
from teamlead.core.proof import evidence_of, flagged
from teamlead.core.records import Attempt, Task
from teamlead.core.state import TeamState

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


def evidence_view(state: TeamState, task: Task, attempt: Attempt) -> list[dict[str, Any]]:
    return [_item(item) for item in evidence_of(state, task, attempt)]


def whole_view(state: TeamState) -> list[dict[str, Any]]:
    """What is known of the merged work of all tasks together."""
    return [_item(item) for item in whole.evidence(state)]


def _item(item: Evidence) -> dict[str, Any]:
    return {
        "kind": item.kind,
        "verdict": item.verdict,
        "claim": item.claim,
        "found": item.found,
        "details": list(item.details),
        "command": item.command,
        "log": item.log,
    }


def evidence_document(state: TeamState, task: Task, attempt: Attempt) -> dict[str, Any]:
    return {
        "session": state.session.id,
        "task": task.spec.id,
        "title": task.spec.title,
        "attempt": attempt.number,
        "outcome": attempt.outcome,
        "accepted_by_a_person": attempt.waived and attempt.outcome == "accepted",
        "base": attempt.base,
        "commit": attempt.work.commit,
        "reasons": list(attempt.reasons),
        "result": msgspec.to_builtins(attempt.result),
        "evidence": evidence_view(state, task, attempt),
    }


def evidence_row(state: TeamState, task: Task, attempt: Attempt | None) -> dict[str, Any]:
    """For the row of a task: how much was found, and what somebody should look at."""
    ended = attempt if attempt is not None and attempt.ended_at is not None else None
    found = evidence_of(state, task, ended) if ended else ()
    verdicts = dict.fromkeys(VERDICTS, 0)
    for item in found:
        verdicts[item.verdict] += 1
    return {
        "verdicts": verdicts,
        "flags": [f"{item.kind}: {item.found}" for item in flagged(found)],
    }

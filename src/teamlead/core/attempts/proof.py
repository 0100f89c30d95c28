"""All that speaks for and against an attempt's work, as one list: what was found, and how to look again.

What the numbers of an attempt say by themselves is put into words here; the rest was found when its work was
examined.
"""

from collections.abc import Iterable, Iterator
from typing import get_args

from msgspec.structs import replace

from teamlead.core.evidence.values import Evidence, EvidenceKind, Verdict
from teamlead.core.pipeline import whole_plan
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.acceptance import CHANGED, IN_SCOPE, WORKED, listed
from teamlead.core.work.checking import judged, ran

ORDER: dict[EvidenceKind, int] = {kind: place for place, kind in enumerate(get_args(EvidenceKind))}


def evidence_of(state: TeamState, task: Task, attempt: Attempt) -> tuple[Evidence, ...]:
    if attempt.run.status is None:
        return ()
    refused = {item.kind for item in attempt.work.evidence if item.verdict == "refused"}
    plain = (item for item in _plain(task, attempt) if item.kind not in refused)
    found = [
        *plain,
        *attempt.work.evidence,
        *_checks(task, attempt),
        *_judge(task, attempt),
        *_merged(state, task, attempt),
    ]
    if attempt is task.attempts[-1]:
        found += whole_plan.evidence(state, task.spec)
    return tuple(sorted(found, key=lambda item: ORDER[item.kind]))


def flagged(evidence: Iterable[Evidence]) -> list[Evidence]:
    """What was not in the way of accepting it, and that somebody should look at."""
    return [item for item in evidence if item.verdict in {"objected", "flagged"}]


def _plain(task: Task, attempt: Attempt) -> Iterator[Evidence]:
    if attempt.run.tool_calls is None:
        yield Evidence("activity", "unknown", WORKED, "its program does not tell which tools it used")
    elif attempt.run.tool_calls or attempt.work.commit:
        calls = f"{attempt.run.tool_calls} call{'s' * (attempt.run.tool_calls != 1)} of tools"
        yield Evidence("activity", "proven", WORKED, calls)
    else:
        yield Evidence("activity", "flagged", WORKED, "no tool was used, and nothing was changed")
    if not attempt.work.commit:
        if not task.spec.needs_change:
            yield Evidence("change", "proven", "it needs no change", "nothing was changed")
        elif attempt.outcome == "accepted":
            yield Evidence("change", "proven", "its earlier work still holds", "nothing had to be changed")
        return
    files = "1 file" if attempt.work.files == 1 else f"{attempt.work.files} files"
    numbers = f"{files}, +{attempt.work.added} -{attempt.work.deleted}: {listed(attempt.work.paths)}"
    diff = f"{attempt.base} {attempt.work.commit}"
    yield Evidence("change", "proven", CHANGED, numbers, f"git diff --stat {diff}")
    scope = f"nothing beyond {', '.join(task.spec.scope)}"
    yield Evidence("scope", "proven", IN_SCOPE, scope, f"git diff --name-only {diff}")


def _checks(task: Task, attempt: Attempt) -> Iterator[Evidence]:
    for check in attempt.checks:
        item = judged(check, task, attempt)
        yield replace(item, details=(*item.details, *ran(check.room)))


def _judge(task: Task, attempt: Attempt) -> Iterator[Evidence]:
    """A model's word proves nothing."""
    said = attempt.judgement
    if said is not None:
        verdict: Verdict = "unknown" if said.success else "objected"
        found = f"a model judged that it {'does' if said.success else 'does not'}: {said.reason}"
        criteria = "; ".join(task.spec.criteria)
        yield Evidence(
            kind="judge",
            verdict=verdict,
            claim=criteria,
            found=found,
            command=f"teamlead logs {task.spec.id}-judge",
            details=said.missing,
        )


def _merged(state: TeamState, task: Task, attempt: Attempt) -> Iterator[Evidence]:
    if attempt.outcome == "accepted" and attempt.work.commit and task.spec.merges:
        branch = f"teamlead/{state.session.id}/integration"
        command = f"git merge-base --is-ancestor {attempt.work.commit} {branch}"
        yield Evidence("merged", "proven", "it is part of the session's work", attempt.work.commit, command)

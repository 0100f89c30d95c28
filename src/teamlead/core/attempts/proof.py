"""All that speaks for and against an attempt's work, as one list: what was found, and how to look again.

What the numbers of an attempt say by themselves is put into words here; the rest was found when its work was
examined.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from msgspec.structs import replace

from teamlead.core.answers import Examples, Judgement
from teamlead.core.attempts import proving
from teamlead.core.attempts.done_before import says_so
from teamlead.core.evidence.values import CheckResult, Evidence, EvidenceKind, Verdict
from teamlead.core.pipeline import whole_plan
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.acceptance import CHANGED, IN_SCOPE, WORKED, listed
from teamlead.core.work.checking import judged, ran

ORDER: dict[EvidenceKind, int] = {kind: place for place, kind in enumerate(get_args(EvidenceKind))}


WRITTEN = "somebody who saw only the task wrote tests"


def evidence_of(state: TeamState, task: Task, attempt: Attempt) -> tuple[Evidence, ...]:
    if attempt.run.status is None:
        return ()
    refused = {item.kind for item in attempt.work.evidence if item.verdict == "refused"}
    plain = (item for item in _plain(task, attempt) if item.kind not in refused)
    found = [
        *plain,
        *_impossible(attempt),
        *proving.weighed(attempt.work.evidence, attempt.proofs),
        *_checks(task, attempt),
        *proving.switched_off(state, task, attempt),
        *_tester(state, attempt),
        *_judge(state, task, attempt),
        *_merged(state, task, attempt),
    ]
    if attempt is task.attempts[-1]:
        found += whole_plan.evidence(state, task.spec)
    return tuple(sorted(found, key=lambda item: ORDER[item.kind]))


def _impossible(attempt: Attempt) -> Iterator[Evidence]:
    """To say so honestly is no fault."""
    for hard in attempt.difficulties:
        if hard.category == "impossible":
            tried = tuple(f"tried: {each}" for each in hard.attempts)
            found = f"its agent says that it cannot: {hard.issue}"
            claim = "it can be done honestly as it is asked"
            yield Evidence("report", "unknown", claim, found, details=tried)


def flagged(evidence: Iterable[Evidence]) -> list[Evidence]:
    """What was not in the way of accepting it, and that somebody should look at."""
    return [item for item in evidence if item.verdict in {"objected", "flagged"}]


def questions(state: TeamState, task: Task, attempt: Attempt) -> tuple[Evidence, ...]:
    """What code could not tell of its work, in the order in which a judge is asked."""
    return tuple(item for item in evidence_of(state, task, attempt) if item.question)


def decided_by_code(checks: Sequence[CheckResult], evidence: Iterable[Evidence]) -> bool:
    """On all counts: every check passed, tests say more than before, and nothing found is open."""
    passed = all(check.passed and not check.unseen for check in checks)
    progress = any(check.delta is not None and check.delta.progress for check in checks)
    return passed and progress and all(item.verdict == "proven" and not item.question for item in evidence)


def _plain(task: Task, attempt: Attempt) -> Iterator[Evidence]:
    if attempt.run.tool_calls is None:
        yield Evidence("activity", "unknown", WORKED, "its program does not tell which tools it used")
    elif attempt.run.tool_calls or attempt.work.commit:
        calls = f"{attempt.run.tool_calls} call{'s' * (attempt.run.tool_calls != 1)} of tools"
        yield Evidence("activity", "proven", WORKED, calls)
    elif attempt.outcome == "asked":
        yield Evidence("activity", "unknown", WORKED, "it waits for an answer, and no tool was used so far")
    else:
        yield Evidence("activity", "flagged", WORKED, "no tool was used, and nothing was changed")
    if not attempt.work.commit:
        if task.spec.needs_change and (words := says_so(attempt.result, attempt.feedback)):
            yield _done_before(attempt, words)
        elif not task.spec.needs_change:
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


def _done_before(attempt: Attempt, words: str) -> Evidence:
    """That its checks pass on what it started from may be so of a suite that never asks for it."""
    by_code = attempt.outcome == "accepted" and attempt.judgement is None
    verdict: Verdict = "flagged" if by_code else "refused" if attempt.outcome == "refused" else "unknown"
    found = f"nothing was changed; its agent says: {words}"
    return Evidence("change", verdict, "it was done before", found)


def _checks(task: Task, attempt: Attempt) -> Iterator[Evidence]:
    for check in attempt.checks:
        item = judged(check, task, attempt)
        yield replace(item, details=(*item.details, *ran(check.room)))


def _tester(state: TeamState, attempt: Attempt) -> Iterator[Evidence]:
    """What its tests came to stands beside this; here is what they cost."""
    run = state.runs.get(attempt.tests)
    if run is None or not isinstance(run.answer, Examples):
        return
    cost = f", for {run.usage.cost_usd:.2f} usd" if run.usage.cost_usd is not None else ""
    count = len(run.answer.examples)
    found = f"{run.agent.partition(':')[0]} wrote {count} in {run.seconds:.0f} s{cost}"
    yield Evidence("example", "unknown", WRITTEN, found, f"teamlead logs {run.task}-{run.role}")


def _judge(state: TeamState, task: Task, attempt: Attempt) -> Iterator[Evidence]:
    """A model's word proves nothing."""
    said = attempt.judgement
    criteria = "; ".join(task.spec.criteria or (task.spec.title,))
    if said is None and _spared(state, attempt):
        found = 'no model was asked: code has decided it on all counts (judge = "undecided")'
        yield Evidence("judge", "unknown", criteria, found)
    if said is not None:
        verdict: Verdict = "unknown" if said.success and not said.objects else "objected"
        does = "does not" if not said.success else "does, but objects" if said.objects else "does"
        found = f"a model judged that it {does}: {said.reason}"
        yield Evidence(
            kind="judge",
            verdict=verdict,
            claim=criteria,
            found=found,
            command=f"teamlead logs {task.spec.id}-judge",
            details=(*said.missing, *_said(said)),
        )


def _said(answer: Judgement) -> Iterator[str]:
    """Sentence by sentence, and question by question."""
    for remark in answer.objections:
        yield f"objection: {remark.told}"
    for each in answer.fulfilled:
        test = f"would fail without it: {each.test}" if each.test else "no test would fail without it"
        yield f"{each.number}: {each.line or 'no line'}; {test}"
    for given in answer.answers:
        asks = (
            f"the plan asks for it: {given.sentence}" if given.sentence else "nothing in the plan asks for it"
        )
        yield f"question {given.number}: {asks}"
    for says in answer.unfounded:
        yield f"the report says what no line bears out: {says}"


def _spared(state: TeamState, attempt: Attempt) -> bool:
    """There is a judge, who did not have to be asked."""
    if "judge" not in state.session.consultants or state.session.judged != "undecided":
        return False
    accepted = attempt.outcome == "accepted" and not attempt.waived
    return accepted and decided_by_code(
        attempt.checks, proving.weighed(attempt.work.evidence, attempt.proofs)
    )


def _merged(state: TeamState, task: Task, attempt: Attempt) -> Iterator[Evidence]:
    if attempt.outcome == "accepted" and attempt.work.commit and task.spec.merges:
        branch = f"teamlead/{state.session.id}/integration"
        command = f"git merge-base --is-ancestor {attempt.work.commit} {branch}"
        yield Evidence("merged", "proven", "it is part of the session's work", attempt.work.commit, command)

"""Whether an attempt's work is accepted: what the change, its examination and its checks say together.

What is refused cannot be accepted. What is objected to goes back to the agent once, with the reasons; after
that it counts as refused, unless a person has waived it. What is flagged is shown, and blocks nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.attempts import done_before, independent_tests, judging, proving
from teamlead.core.attempts.going_without import ends_well
from teamlead.core.attempts.judging import Work
from teamlead.core.attempts.lifecycle import accept, fail, live, send_back
from teamlead.core.attempts.proof import decided_by_code
from teamlead.core.causes import Cause, cause_of, check_on_hold
from teamlead.core.evidence.planned_removals import lets_some_go, may_go
from teamlead.core.evidence.removed_tests import let_go
from teamlead.core.evidence.values import CheckResult, Evidence, Proofs, Verdict, kept_of
from teamlead.core.people import questions
from teamlead.core.reports import Feedback, Result
from teamlead.core.state.indexes import checks_of
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.acceptance import UNCHANGED, refusals
from teamlead.core.work.checking import cannot_run, judged, reason

Events = list[e.AnyEvent]


class _Against(NamedTuple):
    """Reasons, as the agent's next prompt tells them."""

    refused: list[str]
    objected: list[str]
    cause: Cause | None = None
    """Where none of it is the work's fault."""


def work_found(state: TeamState, fact: f.WorkFound, now: float) -> Events:
    found = live(state, fact, "collecting")
    if found is None:
        return []
    task, attempt = found
    given = fact.examined
    if attempt.result is None and (taken := taken_as_is(task)) is not None:
        given = replace(given, result=given.result or taken.result)
    result = given.result if attempt.result is None else attempt.result
    feedback = given.feedback or attempt.feedback
    looked = _looked(task, attempt, given.evidence)
    words = _done_before(task, fact.found.commit, result, feedback, looked=looked)
    must_change = task.must_change and not words
    calls = None if words else _calls(task, attempt)
    policy = state.staff_of(task.spec).policy
    refused = refusals(task.spec, fact.found, policy, calls, must_change=must_change)
    evidence = (*refused, *let_go(may_go(task.spec), given.evidence, some=lets_some_go(task.spec)))
    collected = e.WorkCollected(
        fact.task,
        fact.attempt,
        kept_of(fact.found, evidence),
        given.result if attempt.result is None else None,
        given.feedback if attempt.feedback is None else None,
    )
    if collected.feedback is not None or collected.result is not None:
        waits = questions.wait(state, task, attempt, feedback=collected.feedback, result=collected.result)
        if waits:
            # Its agent says why there is no change: nobody refuses that.
            rest = tuple(item for item in evidence if item.found != UNCHANGED)
            collected = replace(collected, work=kept_of(fact.found, rest))
            ended = e.AttemptEnded(fact.task, fact.attempt, "asked", ("it waits for an answer",))
            return [collected, ended, *waits]
    against = _Against(_unchanged(words) + _told("refused", evidence), _told("objected", evidence))
    if result is not None and not ends_well(task.spec, result):
        against.refused.insert(0, own_verdict(result))
    holds = not against.refused or _judgeable(state, task, against, words)
    if holds and checks_of(state, task.spec):
        return [collected]
    work = Work(fact.found.commit, fact.found.tree, result)
    return [collected, *_judge(state, task, work, against, now, words=words)]


def check_ended(state: TeamState, fact: f.CheckEnded, now: float) -> Events:
    found = live(state, fact, "checking")
    if found is None:
        return []
    task, attempt = found
    commands = checks_of(state, task.spec)
    position = len(attempt.checks)
    if position >= len(commands) or commands[position] != fact.result.command:
        return []
    finished = e.CheckFinished(fact.task, fact.attempt, fact.result)
    if position + 1 < len(commands):
        return [finished]
    checks = [*attempt.checks, fact.result]
    against = _against(state, task, attempt, checks)
    if not against.refused and proving.wanted(state, task, attempt):
        return [finished, e.ProvingBegan(fact.task, fact.attempt)]
    words = _said_before(task, attempt)
    return [finished, *_judge(state, task, _work(attempt, checks), against, now, checks=checks, words=words)]


def work_proved(state: TeamState, fact: f.WorkProved, now: float) -> Events:
    found = live(state, fact, "proving", "trying")
    if found is None:
        return []
    task, attempt = found
    if fact.examples != attempt.trying:
        return []
    proofs = attempt.proofs.beside(fact.proofs) if attempt.proofs else fact.proofs
    against = _against(state, task, attempt, attempt.checks, proofs)
    ended = e.ProvingEnded(fact.task, fact.attempt, fact.proofs)
    work = _work(attempt, attempt.checks, proofs)
    return [ended, *_judge(state, task, work, against, now)]


def _work(attempt: Attempt, checks: Sequence[CheckResult], proofs: Proofs | None = None) -> Work:
    decided = decided_by_code(checks, proving.weighed(attempt.work.evidence, proofs))
    return Work(attempt.work.commit, attempt.work.tree, attempt.result, decided=decided)


def taken_as_is(task: Task) -> Attempt | None:
    """Whose work a person has accepted, where the copy still holds it: no agent runs for it again."""
    live = task.live
    if live is None or not live.waived or live.fresh:
        return None
    return next((earlier for earlier in reversed(task.attempts[:-1]) if earlier.run.status == "ok"), None)


def own_verdict(result: Result) -> str:
    blockers = "".join(f"; blocked by: {blocker.text}" for blocker in result.blockers)
    return f"its own result is {result.status}: {result.summary}{blockers}"


def _calls(task: Task, attempt: Attempt) -> int | None:
    """Of tools, in the whole of its conversation: one that goes on knows what it looked at before."""
    total, after = attempt.run.tool_calls, attempt
    for earlier in reversed(task.attempts[:-1]):
        if total is None or after.fresh or earlier.run.agent != attempt.run.agent:
            break
        if earlier.run.conversation:
            total = None if earlier.run.tool_calls is None else total + earlier.run.tool_calls
        after = earlier
    return total


def _told(verdict: Verdict, evidence: tuple[Evidence, ...]) -> list[str]:
    return ["\n  ".join(item.told) for item in evidence if item.verdict == verdict]


def _against(
    state: TeamState,
    task: Task,
    attempt: Attempt,
    checks: list[CheckResult],
    proofs: Proofs | None = None,
) -> _Against:
    evidence = proving.weighed(attempt.work.evidence, proofs)
    words = _said_before(task, attempt)
    against = _Against(_unchanged(words) + _told("refused", evidence), _told("objected", evidence))
    for check in checks:
        item = judged(check, task, attempt, proofs)
        if item.verdict == "refused":
            against.refused.append(reason(check, item))
        elif item.verdict == "objected":
            against.objected.append(reason(check, item))
    return against._replace(cause=_cause(state, task, checks, against))


def _cause(state: TeamState, task: Task, checks: list[CheckResult], against: _Against) -> Cause | None:
    """Where all that speaks against the work is that checks could not be run."""
    missing = [check.command for check in checks if cannot_run(check)]
    if not missing or len(missing) < len(against.refused) or against.objected:
        return None
    thing = check_on_hold(missing[0]) if missing[0] in state.session.checks else ""
    hidden = missing[0] in task.spec.hidden_checks
    return cause_of(f"{'a hidden check' if hidden else f'the check `{missing[0]}`'} cannot be run", thing)


def _done_before(
    task: Task, commit: str, result: Result | None, feedback: Feedback | None, *, looked: bool
) -> str:
    """The words by which its agent says so, unless it has not even looked."""
    return done_before.says_so(result, feedback) if looked and task.must_change and not commit else ""


def _said_before(task: Task, attempt: Attempt) -> str:
    looked = _looked(task, attempt, attempt.work.evidence)
    return _done_before(task, attempt.work.commit, attempt.result, attempt.feedback, looked=looked)


def _looked(task: Task, attempt: Attempt, evidence: Sequence[Evidence]) -> bool:
    """It used a tool, as far as its program tells, or names what is there, by its line or its file."""
    cites = any((item.kind, item.verdict) == ("references", "proven") for item in evidence)
    return cites or _calls(task, attempt) != 0


def _unchanged(words: str) -> list[str]:
    """It is noted as refused only where its agent does not say why."""
    return [UNCHANGED] if words else []


def _judgeable(state: TeamState, task: Task, against: _Against, words: str) -> bool:
    """Nothing was changed, and that alone speaks against it: perhaps nothing had to be."""
    alone = against.refused == [UNCHANGED] and not against.objected
    return alone and (bool(words) or judging.wanted(state, task))


def _judge(
    state: TeamState,
    task: Task,
    work: Work,
    against: _Against,
    now: float,
    *,
    checks: Sequence[CheckResult] = (),
    words: str = "",
) -> Events:
    """`words`: by which its agent says that it was done before."""
    assert task.live is not None
    if _judgeable(state, task, against, words):
        if judging.wanted(state, task):
            return judging.judge(state, task, work._replace(refused=UNCHANGED), now)
        return done_before.settle(state, task, words, checks, now)
    if against.refused:
        reasons = [*against.refused, *against.objected]
        return fail(state, task, "refused", reasons, after=now, tree=work.tree, cause=against.cause)
    if against.objected and not task.waived:
        return send_back(state, task, against.objected, now, tree=work.tree)
    if tests := independent_tests.of_work(state, task, work.commit):
        return tests
    if judging.wanted(state, task, decided=work.decided):
        return judging.judge(state, task, work, now)
    return accept(state, task, task.live, work.commit, work.result, tree=work.tree)

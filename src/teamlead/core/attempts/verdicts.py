"""Whether an attempt's work is accepted: what the change, its examination and its checks say together.

What is refused cannot be accepted. What is objected to goes back to the agent once, with the reasons; after
that it counts as refused, unless a person has waived it. What is flagged is shown, and blocks nothing.
"""

from typing import NamedTuple

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.attempts import judging
from teamlead.core.attempts.going_without import ends_well
from teamlead.core.attempts.judging import Work
from teamlead.core.attempts.lifecycle import accept, fail, live
from teamlead.core.causes import Cause, cause_of, check_on_hold
from teamlead.core.evidence.values import CheckResult, Evidence, Verdict, kept_of
from teamlead.core.people import questions
from teamlead.core.reports import Result
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
    policy, calls = state.staff_of(task.spec).policy, _calls(task, attempt)
    refused = refusals(task.spec, fact.found, policy, calls, must_change=task.must_change)
    evidence = (*refused, *given.evidence)
    collected = e.WorkCollected(
        fact.task,
        fact.attempt,
        kept_of(fact.found, evidence),
        given.result if attempt.result is None else None,
        given.feedback if attempt.feedback is None else None,
    )
    if given.feedback is not None and attempt.feedback is None:
        waits = questions.wait(state, task, attempt, feedback=given.feedback)
        if waits:
            ended = e.AttemptEnded(fact.task, fact.attempt, "asked", ("it waits for an answer",))
            return [collected, ended, *waits]
    against = _Against(_told("refused", evidence), _told("objected", evidence))
    result = attempt.result or given.result
    if result is not None and not ends_well(task.spec, result):
        against.refused.insert(0, own_verdict(result))
    holds = not against.refused or _judgeable(state, task, against)
    if holds and checks_of(state, task.spec):
        return [collected]
    work = Work(fact.found.commit, fact.found.tree, result)
    return [collected, *_judge(state, task, work, against, now)]


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
    against = _of_checks(task, attempt, checks)
    against.refused[:0] = _told("refused", attempt.work.evidence)
    against.objected[:0] = _told("objected", attempt.work.evidence)
    work = Work(attempt.work.commit, attempt.work.tree, attempt.result)
    against = against._replace(cause=_cause(state, checks, against))
    return [finished, *_judge(state, task, work, against, now)]


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


def _of_checks(task: Task, attempt: Attempt, checks: list[CheckResult]) -> _Against:
    against = _Against([], [])
    for check in checks:
        item = judged(check, task, attempt)
        if item.verdict == "refused":
            against.refused.append(reason(check, item))
        elif item.verdict == "objected":
            against.objected.append(reason(check, item))
    return against


def _cause(state: TeamState, checks: list[CheckResult], against: _Against) -> Cause | None:
    """Where all that speaks against the work is that checks could not be run."""
    missing = [check.command for check in checks if cannot_run(check)]
    if not missing or len(missing) < len(against.refused) or against.objected:
        return None
    thing = check_on_hold(missing[0]) if missing[0] in state.session.checks else ""
    return cause_of(f"the check `{missing[0]}` cannot be run", thing)


def _judgeable(state: TeamState, task: Task, against: _Against) -> bool:
    """Nothing was changed, and that alone speaks against it: perhaps nothing had to be."""
    return against.refused == [UNCHANGED] and not against.objected and judging.wanted(state, task)


def _judge(state: TeamState, task: Task, work: Work, against: _Against, now: float) -> Events:
    assert task.live is not None
    if _judgeable(state, task, against):
        return judging.judge(state, task, work._replace(refused=UNCHANGED), now)
    if against.refused:
        reasons = [*against.refused, *against.objected]
        return fail(state, task, "refused", reasons, after=now, tree=work.tree, cause=against.cause)
    if against.objected and not task.waived:
        if not task.returned:
            ended = e.AttemptEnded(task.spec.id, task.live.number, "returned", tuple(against.objected))
            return [ended, e.TaskRetried(task.spec.id, now, fresh=False)]
        return fail(state, task, "refused", against.objected, after=now, acceptable=True, tree=work.tree)
    if judging.wanted(state, task):
        return judging.judge(state, task, work, now)
    return accept(state, task, task.live, work.commit, work.result)

"""Whether an attempt's work does what its task asks for, where code alone cannot tell.

A model judges what code has accepted: it can refuse that, and never accept what code refused. Only where
nothing was changed, and nothing else speaks against it, it may say that nothing had to be.
"""

from typing import NamedTuple

from teamlead.core import events as e
from teamlead.core.answers import Judgement
from teamlead.core.asking import consulting, escalation, routing
from teamlead.core.asking.escalation import ACCEPT, ANOTHER, OPTIONS, withdraw
from teamlead.core.attempts import done_before, examples, independent_tests
from teamlead.core.attempts.examples import earlier_by_the_same_words
from teamlead.core.attempts.going_without import leave_out
from teamlead.core.attempts.lifecycle import accept, fail, give_up, send_back
from teamlead.core.attempts.proof import questions
from teamlead.core.evidence.values import Evidence
from teamlead.core.model import Concern, Question
from teamlead.core.reports import Result
from teamlead.core.runs import Run
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.acceptance import UNCHANGED

Events = list[e.AnyEvent]

JUDGE = "judge"


class Work(NamedTuple):
    commit: str
    tree: str
    result: Result | None = None
    refused: str = ""
    """What code says against it: that nothing was changed. Anything else is not judged at all."""
    decided: bool = False
    """By code, on all counts."""


class Verdict(NamedTuple):
    answer: Judgement
    by: str
    """The consultation that gave it."""
    on: Attempt
    """The one whose work it is about."""


def wanted(state: TeamState, task: Task, *, decided: bool = False) -> bool:
    """There is something to judge, and somebody to do it. `decided`: by code, on all counts."""
    nobody = JUDGE not in state.session.consultants or task.spec.function
    if nobody or task.waived or task.spec.plans:
        return False
    judged = state.session.judged
    return bool(task.spec.criteria) or judged == "all" or (judged == "undecided" and not decided)


def judge(state: TeamState, task: Task, work: Work, now: float) -> Events:
    """Has it judged, unless the same work was judged already and nothing was said about it since."""
    attempt = task.live
    assert attempt is not None
    for earlier in earlier_by_the_same_words(task):
        if work.tree and earlier.work.tree == work.tree and earlier.judgement is not None:
            return _follow(state, task, Verdict(earlier.judgement, earlier.judged_by, earlier), work, now)
    if not work.refused and examples.wanted(state, task, work.commit):
        return examples.first(state, task)
    return [consulting.want(state, "judge", task.spec.id, attempt=attempt.number)]


def _refused(task: Task, attempt: Attempt) -> str:
    refused = (item.found for item in attempt.work.evidence if item.verdict == "refused")
    return next(refused, UNCHANGED if task.must_change and not attempt.work.commit else "")


def judged(state: TeamState, found: Run, answer: Judgement, now: float) -> Events:
    task = consulting.in_question(state, found)
    if task is None or task.live is None:
        return []
    attempt = task.live
    work = Work(attempt.work.commit, attempt.work.tree, attempt.result, _refused(task, attempt))
    return _follow(state, task, Verdict(answer, found.id, attempt), work, now)


def unjudged(state: TeamState, found: Run, problem: str, now: float) -> Events:
    """No task's failure: it waits, as all work that is to be judged, for what a person says of the judge."""
    task = consulting.in_question(state, found)
    if task is None or task.live is None:
        return []
    again = consulting.want(state, "judge", task.spec.id, attempt=task.live.number)
    if JUDGE not in state.session.consultants:
        return [again]
    reason = f"{consulting.no_answer(found, problem)} ({found.agent.partition(':')[0]}, about {task.spec.id})"
    question = Question(
        f"{reason}\nNothing more is judged for now. Try the same one again, name another "
        f"(`{ANOTHER} AGENT`), go on without a judge, or stop the session?",
        OPTIONS["judge"],
    )
    held = [] if JUDGE in state.holds else [e.AgentHeld(JUDGE, None, reason, cause=JUDGE)]
    return [again, *escalation.ask(state, "judge", reason, question, cause=JUDGE), *held]


def without(state: TeamState) -> Events:
    """Where nobody judges any more: what code says is what counts, for the first that waits."""
    waiting = (run for run in state.wanted.values() if run.role == JUDGE)
    task = next((task for run in waiting if (task := consulting.in_question(state, run))), None)
    if task is None or task.live is None or JUDGE in state.session.consultants:
        return []
    attempt = task.live
    if refused := _refused(task, attempt):
        return fail(state, task, "refused", [refused], after=0.0, tree=attempt.work.tree)
    return accept(state, task, attempt, attempt.work.commit, attempt.result, tree=attempt.work.tree)


def _follow(state: TeamState, task: Task, verdict: Verdict, work: Work, now: float) -> Events:
    """The first that applies."""
    assert task.live is not None
    answer, by = verdict.answer, verdict.by
    objected = objections(state, task, verdict)
    if answer.success and objected and not work.refused:
        return send_back(state, task, objected, now, tree=work.tree, judged=by)
    said = independent_tests.kept_secret(state, task, verdict.on, (answer.reason, *answer.missing))
    reasons = [text for text in (work.refused, *dict.fromkeys(said), *objected) if text]
    if work.refused and answer.already_satisfied:
        if done_before.says_so(work.result, task.live.feedback):
            return accept(
                state,
                task,
                task.live,
                "",
                work.result,
                judged=by,
                before=f"a judge says so, too: {answer.reason}",
            )
        return _skip(state, task, reasons, by)
    if answer.success and not work.refused:
        return accept(state, task, task.live, work.commit, work.result, tree=work.tree, judged=by)
    if answer.contradictions:
        return _ask(state, task, verdict, work)
    if answer.should_continue or (work.refused and not answer.should_replan):
        may = not work.refused
        return fail(state, task, "refused", reasons, after=now, acceptable=may, tree=work.tree, judged=by)
    if answer.should_replan:
        ended = _ended(task, reasons, by)
        return _give_up(state, task, ended, routing.TARGETS["failed"], acceptable=not work.refused)
    if answer.already_satisfied:
        return _skip(state, task, reasons, by)
    return _give_up(state, task, _ended(task, reasons, by), ("user",), acceptable=not work.refused)


def objections(state: TeamState, task: Task, verdict: Verdict) -> list[str]:
    """What is wrong by its word although it may be content: the agent reads it."""
    asked = questions(state, task, verdict.on)
    unplanned = [asked[number - 1] for number in verdict.answer.unplanned if number <= len(asked)]
    return [
        *(_unplanned(item) for item in unplanned),
        *independent_tests.kept_secret(
            state, task, verdict.on, (remark.told for remark in verdict.answer.objections)
        ),
        *(f"your report says what no line bears out: {says}" for says in verdict.answer.unfounded),
    ]


def _unplanned(item: Evidence) -> str:
    if item.claim == independent_tests.THEY_PASS:
        return f"{item.found}, and a judge finds that the test is right"
    return "\n  ".join((f"no sentence of the plan asks for this: {item.found}", *item.told[1:]))


def _skip(state: TeamState, task: Task, reasons: list[str], by: str) -> Events:
    assert task.live is not None
    name = task.spec.id
    reason = f"what it asks for was there before: {reasons[-1]}"
    return [
        _ended(task, reasons, by),
        *withdraw(state, f"{name} is skipped", task=name),
        e.TaskSkipped(name, reason, JUDGE),
    ]


def _ask(state: TeamState, task: Task, verdict: Verdict, work: Work) -> Events:
    assert task.live is not None
    answer = verdict.answer
    name, number = task.spec.id, task.live.number
    reason = (
        f"{name} ({task.spec.title}): requirements contradict each other: {'; '.join(answer.contradictions)}"
    )
    retry, *others = OPTIONS["contradiction"]
    options = (retry, *others) if work.refused else (retry, ACCEPT, *others)
    question = Question(
        f"{reason}\n{answer.reason}\nSay which goes first, "
        f"{'' if work.refused else 'accept the work as it is, '}skip the task, or stop the session?",
        options,
    )
    matter = routing.Matter("contradiction", reason, reason, question, Concern(name, number))
    return [
        e.AttemptEnded(name, number, "asked", (reason,), verdict.by),
        e.TaskBlocked(name, "QUESTION", reason),
        *routing.refer(state, matter, routing.TARGETS["contradiction"]),
    ]


def _ended(task: Task, reasons: list[str], by: str) -> e.AttemptEnded:
    assert task.live is not None
    return e.AttemptEnded(task.spec.id, task.live.number, "refused", tuple(reasons), by)


def _give_up(
    state: TeamState,
    task: Task,
    ended: e.AttemptEnded,
    targets: routing.Targets,
    *,
    acceptable: bool,
) -> Events:
    """No further attempt would help."""
    first, *also = ended.reasons
    if left_out := leave_out(state, task, "refused", first, last=True):
        return [ended, *left_out]
    detail = f"was not accepted: {first}"
    given_up = give_up(state, task, detail, also, acceptable=acceptable, targets=targets)
    return [ended, *given_up]

"""A planning: a session with one task, whose agent proposes a plan.

Code looks at a proposal first, then a review gives it marks, then a person decides, where one wants to. What
is not good enough goes back to the planner. What can be used and is not as good as wanted is bettered once,
and the better of the two is taken. A proposal stands until there is a better one, whatever a later word
leads to.
"""

from collections.abc import Iterator

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.advisers.planning import excesses, faults, score, shortcomings
from teamlead.core.answers import Draft, Quality
from teamlead.core.asking import consulting, escalation
from teamlead.core.asking.escalation import ACCEPT, OPTIONS, RETRY, STOP
from teamlead.core.model import Concern, Question, Said
from teamlead.core.people import questions, steering
from teamlead.core.pipeline import reshape
from teamlead.core.quoting import exchange
from teamlead.core.runs import Run, RunEnd
from teamlead.core.state.records import Attempt, Escalation, Task
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused

Events = list[e.AnyEvent]

SHOWN = 20
"""Tasks of a proposal that a question lists."""


def planning_task(state: TeamState) -> Task | None:
    """The one that delivers the plan; None: this session carries one out."""
    ends = state.session.pipeline.ends
    return state.tasks[state.session.plan.tasks[0].id] if ends == "plan" else None


def planner_of(state: TeamState) -> str:
    """The agent that makes the plan."""
    task = planning_task(state)
    return state.staff_of(task.spec).agent if task else ""


def interprets(state: TeamState) -> bool:
    """A person wrote the plan freely: it may be as large as they like, and gets no marks."""
    return state.session.plan.source_type == "plan-document"


def draft_of(attempt: Attempt) -> Draft | None:
    return attempt.run.answer if isinstance(attempt.run.answer, Draft) else None


def title_of(state: TeamState, draft: Draft) -> str:
    """A document has its own."""
    return state.session.plan.title if interprets(state) else draft.title or state.session.plan.title


def conversation(state: TeamState, after: int = 0) -> tuple[Said, ...]:
    """All that was said on the way to the plan; `after`: only what was said after this attempt."""
    task = planning_task(state)
    assert task is not None
    asked = {text for attempt in task.attempts if (draft := draft_of(attempt)) for text in draft.questions}
    turns = [] if after else [*state.session.plan.conversation]
    guided = told = 0
    for attempt in task.attempts:
        if attempt.number > after:
            turns += _said(task, asked, slice(guided, attempt.guided), slice(told, attempt.told))
            draft = draft_of(attempt)
            words = draft.words if draft else attempt.run.summary
            turns += [Said("planner", words)] if words else []
        guided, told = attempt.guided, attempt.told
    return (*turns, *_said(task, asked, slice(guided, None), slice(told, None)))


def _said(task: Task, asked: set[str], guided: slice, told: slice) -> Iterator[Said]:
    """What the user said between two proposals, as one turn."""
    answers = [
        exchange(question, answer) if question in asked else answer
        for question, answer in task.guidance[guided]
        if answer
    ]
    words = [*answers, *(message.text for message in task.told[told])]
    if words:
        yield Said("user", "\n\n".join(words))


def proposed(state: TeamState, task: Task, attempt: Attempt, fact: f.RunOver, now: float) -> Events:
    draft = fact.answer
    if not isinstance(draft, Draft):
        reason = f"the answer cannot be used: {fact.problem or 'there is none'}"
        return _turned_down(state, task, (reason,), now)
    if draft.questions:
        return _asks(state, task, attempt, draft.questions)
    excess = excesses(draft.tasks, state.session.limits)
    wrong = (*faults(draft.tasks), *draft.problems)
    if interprets(state):
        warnings: Events = [e.WarningNoted(line, task.spec.id) for line in excess]
        return _turned_down(state, task, wrong, now) if wrong else [*warnings, *_take(state, task, attempt)]
    if wrong or excess:
        return _turned_down(state, task, (*wrong, *excess), now)
    return [consulting.want(state, "quality", task.spec.id, attempt=attempt.number)]


def _asks(state: TeamState, task: Task, attempt: Attempt, asked: tuple[str, ...]) -> Events:
    name = task.spec.id
    raised: Events = []
    for text in asked:
        raised += questions.raise_question(state, task, attempt, Question(text), before=len(raised))
    return [
        e.AttemptEnded(name, attempt.number, "asked", ("it waits for an answer",)),
        e.TaskBlocked(name, "QUESTION", "\n".join(asked)),
        *raised,
    ]


def reviewed(state: TeamState, found: Run, answer: Quality, now: float) -> Events:
    task = _in_review(state, found)
    if task is None or task.live is None:
        return []
    limits, mark, wanting = state.session.limits, score(answer) or 0, shortcomings(answer)
    if mark < limits.plan_quality:
        return _turned_down(state, task, wanting, now, mark)
    fair = _fair(task)
    if mark < limits.plan_target and fair is None and task.failures + 1 < limits.attempts:
        wishes = wanting or (f"it scores {mark} of 100",)
        ended = e.AttemptEnded(task.spec.id, task.live.number, "returned", wishes)
        return [ended, e.TaskRetried(task.spec.id, now, fresh=False)]
    better = fair if fair is not None and (fair.score or 0) >= mark else task.live
    return _take(state, task, better, mark)


def unreviewed(state: TeamState, found: Run, problem: str, now: float) -> Events:
    task = _in_review(state, found)
    if task is None:
        return []
    return _turned_down(state, task, (f"the review of the plan cannot be read: {problem}",), now)


def unanswered(state: TeamState, task: Task, attempt: Attempt, end: RunEnd, now: float) -> Events:
    """Its agent failed: nobody can say whether it would the next time."""
    reason = f"{attempt.run.agent} gave no answer ({end.status}): {end.detail or 'without a word'}"
    ended = e.AttemptEnded(task.spec.id, attempt.number, "failed", (reason,))
    if state.final:
        return [ended]
    fair = _fair(task)
    return [ended, *(_accept(state, task, fair, fair.score) if fair else _ask(state, task, reason))]


def _in_review(state: TeamState, found: Run) -> Task | None:
    task = state.tasks[found.task]
    live = task.live
    reviewing = live is not None and live.number == found.attempt and live.phase == "judging"
    return task if reviewing else None


def _fair(task: Task) -> Attempt | None:
    """Which proposal could be used, of those since the user last said something."""
    assert task.live is not None
    said = (task.live.guided, task.live.told)
    earlier = (attempt for attempt in reversed(task.attempts) if (attempt.guided, attempt.told) == said)
    return next((attempt for attempt in earlier if attempt.outcome == "returned"), None)


def _turned_down(
    state: TeamState, task: Task, reasons: tuple[str, ...], now: float, mark: int | None = None
) -> Events:
    assert task.live is not None
    ended = e.AttemptEnded(task.spec.id, task.live.number, "refused", reasons)
    if state.final:
        return [ended]
    if fair := _fair(task):
        return [ended, *_accept(state, task, fair, fair.score)]
    tried = task.failures + 1
    if tried < state.session.limits.attempts:
        return [ended, e.TaskRetried(task.spec.id, now, fresh=False)]
    wrong = "\n".join(f"- {reason}" for reason in reasons)
    scored = f", scored {mark} of 100" if mark is not None else ""
    times = f"{tried} attempts" if tried > 1 else "one attempt"
    return [
        ended,
        *_ask(state, task, f"no usable plan after {times}. Still wrong with the last{scored}:\n{wrong}"),
    ]


def _take(state: TeamState, task: Task, chosen: Attempt, mark: int | None = None) -> Events:
    """Ends the live attempt with a plan: its own, or the one before it, which was better.

    `mark`: of the live one, which does not know it yet.
    """
    assert task.live is not None
    ended = e.AttemptEnded(task.spec.id, task.live.number, "refused", ("the one before it is better",))
    if chosen is task.live and state.session.auto_approve:
        ended = e.AttemptEnded(task.spec.id, task.live.number, "accepted")
    elif chosen is task.live:
        ended = e.AttemptEnded(task.spec.id, task.live.number, "asked", ("a person decides about it",))
    scored = mark if chosen is task.live else chosen.score
    return [ended] if state.final else [ended, *_accept(state, task, chosen, scored)]


def _accept(state: TeamState, task: Task, chosen: Attempt, mark: int | None) -> Events:
    name = task.spec.id
    if state.session.auto_approve:
        moot = escalation.withdraw(state, f"{name} is done", task=name)
        return [*moot, e.TaskDone(name, "", attempt=chosen.number)]
    return _put_to_person(state, task, chosen, mark)


def _put_to_person(state: TeamState, task: Task, chosen: Attempt, mark: int | None) -> Events:
    name = task.spec.id
    reason = f"a plan is proposed{f', scored {mark} of 100' if mark is not None else ''}"
    text = f"{reason}.\nAccept it, say what shall be different, or stop the session?"
    question = Question(text, (ACCEPT, *OPTIONS["proposal"]))
    return [
        e.TaskBlocked(name, "PROPOSAL", reason),
        *escalation.ask(state, "proposal", reason, question, Concern(name, chosen.number)),
    ]


def standing(state: TeamState) -> int:
    """The attempt whose proposal a person was asked about last; 0: there was none."""
    asked = (record.asker.attempt for record in state.escalations.values() if record.kind == "proposal")
    return max(asked, default=0)


def _ask(state: TeamState, task: Task, reason: str) -> Events:
    stands = standing(state)
    stays = "The plan stays as it was.\nAccept it, say" if stands else "Say"
    text = f"{reason}\n{stays} what shall be different, have it tried again, or stop the session?"
    options = (*((ACCEPT,) if stands else ()), *OPTIONS["proposal"])
    concern = Concern(task.spec.id, stands)
    return [
        e.TaskBlocked(task.spec.id, "PROPOSAL", reason),
        *escalation.ask(state, "proposal", reason, Question(text, options), concern),
    ]


def answer(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    word, name = text.strip().lower(), record.asker.task
    resolved = e.EscalationResolved(record.id, text.strip(), by)
    if word == STOP:
        stopped = f"stopped by {by} at {record.id}"
        return [resolved, *escalation.fail_session(state, stopped, except_for=record.id)]
    if word != ACCEPT:
        return [resolved, e.TaskUnblocked(name, "" if word == RETRY else text.strip())]
    if not record.asker.attempt:
        raise Refused(
            f"{record.id} cannot be answered with {ACCEPT!r}: there is no plan that can be used",
            remedy="say what shall be different",
        )
    return [resolved, e.TaskDone(name, "", attempt=record.asker.attempt)]


def revise(state: TeamState, fact: f.Revise, now: float) -> Events:
    task = planning_task(state)
    if task is None:
        raise Refused(f"session {state.session.id} makes no plan: there is nothing to say to its planner")
    told = [] if fact.discuss != state.session.auto_approve else [e.PlanDiscussed(fact.discuss)]
    if fact.text.strip():
        wish = f.RetryTask(task.spec.id, fact.text.strip(), fact.by)
        return [*told, *steering.retry_task(state, wish, now)]
    stands = standing(state)
    if not stands or not fact.discuss or task.state == "BLOCKED":
        raise Refused("nothing was said")
    reshape.not_over(state, "discussing a plan")
    before = task.attempts[stands - 1]
    stopped = reshape.stop_live(task, f"{fact.by} discusses the plan that was proposed before")
    return [*told, *stopped, *_put_to_person(state, task, before, before.score)]


def written(state: TeamState, fact: f.PlanWritten, now: float) -> Events:
    return [e.PlanFiled(fact.path, fact.digest)] if planning_task(state) else []

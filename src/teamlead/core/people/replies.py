"""What follows from a person's answer to an open question."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.asking import escalation
from teamlead.core.asking.escalation import (
    ACCEPT,
    ALLOW,
    ANOTHER,
    APPROVE,
    DENY,
    MORE,
    RETRY,
    REVISE,
    SKIP,
    STOP,
    WITHOUT,
)
from teamlead.core.asking.routing import go_on
from teamlead.core.pipeline import reshape
from teamlead.core.policy.paths import fault_of
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.state.records import Escalation
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.messages import sent
from teamlead.core.work.acceptance import listed
from teamlead.errors import Refused

Events = list[e.AnyEvent]

WAIVED = "A person accepts what was objected to: the work is taken as it is."
ENLARGED = "Allowed: you may change {paths} as well."
DENIED = "Denied: go on without that, within your scope."
MEANT_ELSEWHERE = frozenset({RETRY, SKIP, ACCEPT, MORE, ALLOW, DENY, "yes", "no"})
"""Where work is accepted they say too little: no agent could do anything with them."""
APPROVED = "A person has approved this work: it is taken as it is."


def chosen(record: Escalation, wanted: Sequence[str]) -> list[str]:
    """Those of its tasks that an answer is for, in its order."""
    if others := [name for name in wanted if name not in record.tasks]:
        about = f"about {listed(record.tasks)}" if record.tasks else "about the session as a whole"
        raise Refused(f"{record.id} is not about {listed(others)}: it is {about}")
    return [name for name in record.tasks if name in wanted] if wanted else list(record.tasks)


def for_all(record: Escalation, tasks: Sequence[str]) -> None:
    if len(tasks) < len(record.tasks):
        raise Refused(f"{record.id} is decided for all at once: {listed(record.tasks)}")


def answer(state: TeamState, record: Escalation, text: str, by: str, tasks: Sequence[str]) -> Events:
    """`tasks`: those of its own that the answer is for. It stays open for the others."""
    word = text.strip().lower()
    options = escalation.OPTIONS[record.kind]
    resolved: e.EscalationResolved | e.EscalationAnswered
    resolved = e.EscalationResolved(record.id, text.strip(), by)
    if word == STOP and STOP in options:
        for_all(record, tasks)
        stopped = f"stopped by {by} at {record.id}"
        return [resolved, *escalation.fail_session(state, stopped, except_for=record.id)]
    if record.kind in _OF_SESSION:
        for_all(record, tasks)
        return [resolved, *_OF_SESSION[record.kind](state, record, text.strip(), by)]
    if len(tasks) < len(record.tasks):
        resolved = e.EscalationAnswered(record.id, tuple(tasks), text.strip(), by)
    meaning = _OF_TASK[record.kind]
    if word == SKIP and SKIP in options:
        meaning = _skip
    elif word == ACCEPT and record.kind in _WITH_WORK:
        meaning = _waive
    events: Events = [resolved]
    for name in tasks:
        sent_before = sum(isinstance(event, e.MessageSent) for event in events)
        events += meaning(state, record, name, Reply(text.strip(), by, sent_before))
    if isinstance(resolved, e.EscalationAnswered) and meaning is _about_failure:
        # Who tries again needs what was held; with the last answer it is free anyway.
        events += [
            e.AgentReleased(thing) for thing, hold in state.holds.items() if hold.cause == record.cause
        ]
    return events


class Reply(NamedTuple):
    text: str
    by: str
    sent_before: int = 0
    """Messages to other tasks that the same answer causes."""


def _skip(state: TeamState, record: Escalation, name: str, reply: Reply) -> Events:
    task = state.tasks[name]
    reshape.movable(task)
    reason = f"skipped by {reply.by}"
    return [
        *escalation.withdraw(state, f"{name} was skipped", task=name, except_for=record.id),
        *reshape.stop_live(task, reason),
        e.TaskSkipped(name, reason, reply.by),
    ]


def _waive(state: TeamState, record: Escalation, name: str, reply: Reply) -> Events:
    question = record.question_of(name)
    if question is None or ACCEPT not in question.options:
        raise Refused(f"{record.id} cannot be answered with {ACCEPT!r}: the work of {name} does not hold")
    return [e.TaskUnblocked(name, WAIVED, waived=True)]


def one_of(record: Escalation, word: str, *words: str) -> None:
    """No agent would hear anything else."""
    if word.lower() not in words:
        known = " or ".join(repr(each) for each in words)
        raise Refused(f"{record.id} is answered with {known}, not {word.lower()!r}")


def _about_limit(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    one_of(record, text, MORE, STOP)
    released = list(state.held)[: escalation.ALLOWED_MORE]
    asked = state.counted_questions + len(released)
    left = len(state.held) > len(released)
    again = [escalation.about_limit(len(state.escalations) + 1, asked)] if left else []
    return [
        e.QuestionsAllowed(escalation.ALLOWED_MORE),
        *(e.EscalationReleased(held) for held in released),
        *again,
    ]


def _about_agent(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    one_of(record, text, RETRY, STOP)
    return [e.AgentReleased(record.cause)]


def _about_budget(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    if text.lower() == SKIP and record.tasks:
        return _skip(state, record, record.asker.task, Reply(text, by))
    one_of(record, text, MORE, *((SKIP,) if record.tasks else ()), STOP)
    raised = e.BudgetRaised(record.cause, state.purses[record.cause].scarce)
    return [raised, *(e.TaskUnblocked(name, "") for name in record.tasks)]


def _about_permission(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    one_of(record, text, ALLOW, DENY)
    return []


def _about_rounds(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    one_of(record, text, MORE, STOP)
    return []


def _about_judge(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    """Who waits to be judged goes on with whoever judges then; see `judging.without`."""
    agent = text[len(ANOTHER) :].strip() if text.lower().startswith(ANOTHER) else ""
    if agent:
        return [e.JudgeReplaced(agent), e.AgentReleased(record.cause)]
    one_of(record, text, RETRY, WITHOUT, f"{ANOTHER} AGENT", STOP)
    replaced = [e.JudgeReplaced("")] if text.lower() == WITHOUT else []
    return [*replaced, e.AgentReleased(record.cause)]


def _about_failure(state: TeamState, record: Escalation, name: str, reply: Reply) -> Events:
    return [e.TaskUnblocked(name, "" if reply.text.lower() == RETRY else reply.text)]


def _about_difficulty(state: TeamState, record: Escalation, name: str, reply: Reply) -> Events:
    retried = reply.text.lower() == RETRY
    return go_on(state, record, name) if retried else advise(state, record, name, reply)


def _about_scope(state: TeamState, record: Escalation, name: str, reply: Reply) -> Events:
    word, *named = reply.text.split()
    if word.lower() == DENY and not named:
        return advise(state, record, name, reply._replace(text=DENIED), own=False)
    if word.lower() != ALLOW:
        return advise(state, record, name, reply)
    paths = tuple(dict.fromkeys(path.strip(",`'\"") for path in named)) or _wanted(state, record, name)
    if not paths:
        raise Refused(f"{record.id} names no paths: answer {ALLOW!r} with those that it may change")
    if wrong := [f"{path!r} {fault}" for path in paths if (fault := fault_of(path) if path else "is empty")]:
        raise Refused(f"{record.id} cannot allow that: {'; '.join(wrong)}")
    told = reply._replace(text=ENLARGED.format(paths=", ".join(paths)))
    return [e.ScopeEnlarged(name, paths, reply.by), *advise(state, record, name, told, own=False)]


def _about_done_before(state: TeamState, record: Escalation, name: str, reply: Reply) -> Events:
    if reply.text.lower() != ACCEPT:
        return _about_difficulty(state, record, name, reply)
    return [e.TaskDone(name, "", record.tasks[name].attempt, before=f"{reply.by} says so, too")]


def _wanted(state: TeamState, record: Escalation, name: str) -> tuple[str, ...]:
    feedback = state.tasks[name].attempts[record.tasks[name].attempt - 1].feedback
    return feedback.paths if isinstance(feedback, DifficultyFeedback) else ()


def advise(state: TeamState, record: Escalation, name: str, reply: Reply, *, own: bool = True) -> Events:
    """Hands an answer on: with the next prompt, and to the agent at work that does not wait for it.

    `own`: it is what a person wrote.
    """
    question = record.question_of(name)
    asked = question.text if question else ""
    live = state.tasks[name].live
    hears = live is not None and live.phase == "working" and not record.call
    return [
        e.TaskAdvised(name, asked, reply.text, own),
        *([sent(state, reply.by, name, reply.text, reply.sent_before)] if hears else []),
        *go_on(state, record, name),
    ]


def release(state: TeamState, fact: f.ReleaseAgent, now: float) -> Events:
    """A person knows that it can be used again, which answers the question about it."""
    hold = state.holds.get(fact.kind)
    if hold is None:
        held = ", ".join(state.holds) or "none is"
        raise Refused(
            f"{fact.kind!r} is not on hold in session {state.session.id}", remedy=f"on hold: {held}"
        )
    kinds: tuple[e.EscalationKind, ...] = ("failed", "judge") if hold.cause else ("agent",)
    cause = hold.cause or fact.kind
    asked = next((name for kind in kinds if (name := state.asked.get((kind, cause)))), "")
    if asked not in state.open:
        return [e.AgentReleased(fact.kind)]
    record = state.open[asked]
    return answer(state, record, RETRY, fact.by, list(record.tasks))


def _about_work(state: TeamState, record: Escalation, name: str, reply: Reply) -> Events:
    word, _, rest = reply.text.partition(" ")
    said = word.lower().rstrip(":")
    if said == APPROVE:
        _require_shown(state, record, name, rest.strip())
        return [e.TaskUnblocked(name, APPROVED, waived=True)]
    advice = rest.strip() if said == REVISE else reply.text
    if said in MEANT_ELSEWHERE and not rest:
        one_of(record, reply.text, APPROVE, f"{REVISE} TEXT", STOP)
    if not advice:
        raise Refused(f"{record.id} needs to know what is to be different: answer '{REVISE} TEXT'")
    return [e.TaskUnblocked(name, advice)]


def _require_shown(state: TeamState, record: Escalation, name: str, commit: str) -> None:
    """Who names a commit has looked at that one."""
    work = state.tasks[name].attempts[record.tasks[name].attempt - 1].work.commit
    if commit and not work.startswith(commit.lower()):
        now = f"it is {work[:10]}" if work else "it has no commit"
        raise Refused(
            f"{record.id} is not about commit {commit!r}: {now}", remedy=f"see `teamlead diff {name}`"
        )


_WITH_WORK = frozenset({"failed", "conflict", "contradiction"})
"""Kinds of questions about work that somebody may want as it is."""

_OF_SESSION: dict[e.EscalationKind, Callable[[TeamState, Escalation, str, str], Events]] = {
    "limit": _about_limit,
    "agent": _about_agent,
    "budget": _about_budget,
    "permission": _about_permission,
    "rounds": _about_rounds,
    "judge": _about_judge,
}
"""What an answer means that is one for all tasks."""

_OF_TASK: dict[e.EscalationKind, Callable[[TeamState, Escalation, str, Reply], Events]] = {
    "question": advise,
    "failed": _about_failure,
    "conflict": _about_failure,
    "scope": _about_scope,
    "technical": _about_difficulty,
    "dependency": _about_difficulty,
    "contradiction": _about_difficulty,
    "impossible": _about_difficulty,
    "already-done": _about_done_before,
    "decision": _about_work,
}
"""What it means for each of the tasks. The rest of kinds have files of their own."""

"""What follows from a person's answer to an open question."""

from collections.abc import Callable

from teamlead.core import escalation, reshape
from teamlead.core import events as e
from teamlead.core.escalation import ACCEPT, ALLOW, DENY, MORE, RETRY, SKIP, STOP
from teamlead.core.messages import sent
from teamlead.core.paths import fault_of
from teamlead.core.records import Escalation
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.routing import go_on
from teamlead.core.state import TeamState
from teamlead.errors import Refused

Events = list[e.AnyEvent]

WAIVED = "A person accepts what was objected to: the work is taken as it is."
ENLARGED = "Allowed: you may change {paths} as well."
DENIED = "Denied: go on without that, within your scope."


def answer(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    word = text.strip().lower()
    options = escalation.OPTIONS[record.kind]
    resolved = e.EscalationResolved(record.id, text.strip(), by)
    if word == STOP and STOP in options:
        stopped = f"stopped by {by} at {record.id}"
        return [resolved, *escalation.fail_session(state, stopped, except_for=record.id)]
    if word == SKIP and SKIP in options and record.task:
        return [resolved, *_skip(state, record, by)]
    if word == ACCEPT and record.kind in _WITH_WORK:
        return [resolved, _waive(record)]
    return [resolved, *_MEANINGS[record.kind](state, record, text.strip(), by)]


def _skip(state: TeamState, record: Escalation, by: str) -> Events:
    task = state.tasks[record.task]
    reshape.movable(task)
    reason = f"skipped by {by}"
    return [
        *escalation.withdraw(state, f"{record.task} was skipped", task=record.task, except_for=record.id),
        *reshape.stop_live(task, reason),
        e.TaskSkipped(record.task, reason, by),
    ]


def _waive(record: Escalation) -> e.AnyEvent:
    if record.question is None or ACCEPT not in record.question.options:
        raise Refused(f"{record.id} cannot be answered with {ACCEPT!r}: the work does not hold")
    return e.TaskUnblocked(record.task, WAIVED, waived=True)


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
    return [e.AgentReleased(record.about)]


def _about_budget(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    one_of(record, text, MORE, *((SKIP,) if record.task else ()), STOP)
    raised = e.BudgetRaised(record.about, state.purses[record.about].scarce)
    return [raised, *([e.TaskUnblocked(record.task, "")] if record.task else [])]


def _about_permission(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    one_of(record, text, ALLOW, DENY)
    return []


def _about_rounds(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    one_of(record, text, MORE, STOP)
    return []


def _about_failure(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    return [e.TaskUnblocked(record.task, "" if text.lower() == RETRY else text)]


def _about_difficulty(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    return go_on(state, record) if text.lower() == RETRY else advise(state, record, text, by)


def _about_scope(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    word, *named = text.split()
    if word.lower() == DENY and not named:
        return advise(state, record, DENIED, by, own=False)
    if word.lower() != ALLOW:
        return advise(state, record, text, by)
    paths = tuple(dict.fromkeys(path.strip(",`'\"") for path in named)) or _wanted(state, record)
    if not paths:
        raise Refused(f"{record.id} names no paths: answer {ALLOW!r} with those that it may change")
    if wrong := [f"{path!r} {fault}" for path in paths if (fault := fault_of(path) if path else "is empty")]:
        raise Refused(f"{record.id} cannot allow that: {'; '.join(wrong)}")
    told = ENLARGED.format(paths=", ".join(paths))
    return [e.ScopeEnlarged(record.task, paths, by), *advise(state, record, told, by, own=False)]


def _wanted(state: TeamState, record: Escalation) -> tuple[str, ...]:
    feedback = state.tasks[record.task].attempts[record.attempt - 1].feedback
    return feedback.paths if isinstance(feedback, DifficultyFeedback) else ()


def advise(state: TeamState, record: Escalation, text: str, by: str, *, own: bool = True) -> Events:
    """Hands an answer on: with the next prompt, and to the agent at work that does not wait for it.

    `own`: it is what a person wrote.
    """
    asked = record.question.text if record.question else ""
    live = state.tasks[record.task].live
    hears = live is not None and live.phase == "working" and not record.call
    return [
        e.TaskAdvised(record.task, asked, text, own),
        *([sent(state, by, record.task, text)] if hears else []),
        *go_on(state, record),
    ]


_WITH_WORK = frozenset({"failed", "conflict", "contradiction"})
"""Kinds of questions about work that somebody may want as it is."""

_MEANINGS: dict[e.EscalationKind, Callable[[TeamState, Escalation, str, str], Events]] = {
    "question": advise,
    "failed": _about_failure,
    "conflict": _about_failure,
    "limit": _about_limit,
    "agent": _about_agent,
    "budget": _about_budget,
    "permission": _about_permission,
    "scope": _about_scope,
    "technical": _about_difficulty,
    "dependency": _about_difficulty,
    "contradiction": _about_difficulty,
    "rounds": _about_rounds,
}
"""Of any answer but those that end the task or the session. The rest of kinds have files of their own."""

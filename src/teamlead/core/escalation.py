"""Questions for a person: when one is raised, and what an answer does.

A person is asked about failures and conflicts a limited number of times a session. Beyond it, questions are
held and the person is asked once whether to hear more or to stop. What agents ask of their own accord does
not count.
"""

from teamlead.core import events as e
from teamlead.core.model import Question
from teamlead.core.state import Escalation, TeamState, counts_towards_limit
from teamlead.errors import Refused

ALLOWED_MORE = 10

RETRY = "retry"
ACCEPT = "accept"
SKIP = "skip"
STOP = "stop"
MORE = "more"
ALLOW = "allow"
DENY = "deny"

OPTIONS: dict[e.EscalationKind, tuple[str, ...]] = {
    "question": (),
    "failed": (RETRY, SKIP, STOP),
    "conflict": (RETRY, SKIP, STOP),
    "limit": (MORE, STOP),
    "agent": (RETRY, STOP),
    "budget": (MORE, SKIP, STOP),
    "permission": (ALLOW, DENY),
    "whole": (RETRY, ACCEPT, STOP),
}
"""Words with a meaning to the lead. Any other text is passed on to the agent, where there is one."""

WAIVED = "A person accepts what was objected to: the work is taken as it is."


def ask(
    state: TeamState,
    kind: e.EscalationKind,
    reason: str,
    task: str,
    question: Question,
    *,
    attempt: int = 0,
    call: str = "",
    about: str = "",
    before: int = 0,
) -> list[e.AnyEvent]:
    """`before`: how many others are raised with it, before it."""
    number = len(state.escalations) + before + 1
    over = counts_towards_limit(kind) and state.counted_questions >= state.questions_allowed
    raised: list[e.AnyEvent] = [
        e.EscalationRaised(f"esc-{number}", "user", kind, reason, task, question, over, attempt, call, about)
    ]
    if over and not any(record.kind == "limit" for record in state.open.values()):
        raised.append(_about_limit(number + 1, state.counted_questions))
    return raised


def _about_limit(number: int, asked: int) -> e.AnyEvent:
    text = (
        f"You were asked {asked} times in this session, and there is more to ask. "
        f"Hear up to {ALLOWED_MORE} more questions, or stop the session?"
    )
    question = Question(text, OPTIONS["limit"])
    return e.EscalationRaised(f"esc-{number}", "user", "limit", "question limit reached", "", question)


def answer(state: TeamState, record: Escalation, text: str, by: str) -> list[e.AnyEvent]:
    """What follows from a person's answer to an open question."""
    word = text.strip().lower()
    resolved: list[e.AnyEvent] = [e.EscalationResolved(record.id, text.strip(), by)]
    options = OPTIONS[record.kind]
    if word == STOP and STOP in options:
        return [*resolved, *fail_session(state, f"stopped by {by} at {record.id}", except_for=record.id)]
    if record.kind == "limit":
        _one_of(record, word, MORE, STOP)
        released = list(state.held)[:ALLOWED_MORE]
        asked = state.counted_questions + len(released)
        again = [_about_limit(len(state.escalations) + 1, asked)] if len(state.held) > len(released) else []
        return [
            *resolved,
            e.QuestionsAllowed(ALLOWED_MORE),
            *(e.EscalationReleased(held) for held in released),
            *again,
        ]
    if word == SKIP and SKIP in options and record.task:
        moot = withdraw(state, f"{record.task} was skipped", task=record.task, except_for=record.id)
        return [*resolved, *moot, e.TaskSkipped(record.task, f"skipped by {by}", by)]
    if record.kind == "agent":
        _one_of(record, word, RETRY, STOP)
        return [*resolved, e.AgentReleased(record.about)]
    if record.kind == "budget":
        _one_of(record, word, MORE, *((SKIP,) if record.task else ()), STOP)
        unblocked = [e.TaskUnblocked(record.task, "")] if record.task else []
        return [*resolved, e.BudgetRaised(record.about, state.purses[record.about].scarce), *unblocked]
    if record.kind == "permission":
        _one_of(record, word, ALLOW, DENY)
        return resolved
    if record.kind == "question":
        return [*resolved, *_advise(state, record, text.strip())]
    if word == ACCEPT:
        return [*resolved, _waive(record)]
    guidance = "" if word == RETRY and RETRY in options else text.strip()
    return [*resolved, e.TaskUnblocked(record.task, guidance)]


def _waive(record: Escalation) -> e.AnyEvent:
    if record.question is None or ACCEPT not in record.question.options:
        raise Refused(f"{record.id} cannot be answered with {ACCEPT!r}: the work does not hold")
    return e.TaskUnblocked(record.task, WAIVED, waived=True)


def _one_of(record: Escalation, word: str, *words: str) -> None:
    """No agent would hear anything else."""
    if word not in words:
        known = " or ".join(repr(each) for each in words)
        raise Refused(f"{record.id} is answered with {known}, not {word!r}")


def _advise(state: TeamState, record: Escalation, answer: str) -> list[e.AnyEvent]:
    """The task goes on once nothing that its last attempt asked is open."""
    task = state.tasks[record.task]
    advised = e.TaskAdvised(record.task, record.question.text if record.question else "", answer)
    asked = task.attempts[-1].questions if task.attempts else ()
    waits = any(name in state.open for name in asked if name != record.id)
    if task.blocked != "QUESTION" or waits:
        return [advised]
    return [advised, e.TaskUnblocked(record.task, "")]


def withdraw(state: TeamState, reason: str, *, task: str = "", except_for: str = "") -> list[e.AnyEvent]:
    """Closes what is open or held: of one task, or of the whole session."""
    closed = [
        record
        for record in (*state.open.values(), *state.held.values())
        if record.id != except_for and (not task or record.task == task)
    ]
    if task and state.held and all(record in closed for record in state.held.values()):
        # With the last held question, there is nothing more to ask about the limit.
        closed += [record for record in state.open.values() if record.kind == "limit"]
    return [e.EscalationWithdrawn(record.id, reason) for record in closed]


def stop_attempts(state: TeamState, reason: str) -> list[e.AnyEvent]:
    """What is being merged is let through: whether it happened is for git to say."""
    return [
        e.AttemptStopping(task, attempt.number, reason)
        for task, attempt in state.active.items()
        if attempt.phase not in {"integrating", "stopping"}
    ]


def fail_session(state: TeamState, reason: str, *, except_for: str = "") -> list[e.AnyEvent]:
    return [
        *withdraw(state, reason, except_for=except_for),
        *stop_attempts(state, reason),
        e.PhaseChanged("FAILED", reason),
    ]

"""Questions for a person: when one is raised, and when it is moot. What an answer does: `replies`.

A person is asked about what goes wrong with tasks a limited number of times a session. Beyond it, questions
are held and the person is asked once whether to hear more or to stop. What agents ask of their own accord
does not count.
"""

from teamlead.core import events as e
from teamlead.core.model import Concern, Question
from teamlead.core.records import counts_towards_limit
from teamlead.core.state import TeamState

ALLOWED_MORE = 10

RETRY = "retry"
ACCEPT = "accept"
SKIP = "skip"
STOP = "stop"
MORE = "more"
ALLOW = "allow"
DENY = "deny"
REPLAN = "replan"

OPTIONS: dict[e.EscalationKind, tuple[str, ...]] = {
    "question": (),
    "failed": (RETRY, SKIP, STOP),
    "conflict": (RETRY, SKIP, STOP),
    "limit": (MORE, STOP),
    "agent": (RETRY, STOP),
    "budget": (MORE, SKIP, STOP),
    "permission": (ALLOW, DENY),
    "whole": (RETRY, ACCEPT, STOP),
    "scope": (ALLOW, DENY, SKIP, STOP),
    "technical": (RETRY, SKIP, STOP),
    "dependency": (RETRY, SKIP, STOP),
    "contradiction": (RETRY, SKIP, STOP),
    "plan": (RETRY, STOP),
    "completion": (ACCEPT, RETRY, STOP),
    "rounds": (MORE, STOP),
}
"""Words with a meaning to the lead. Any other text is passed on to the agent, where there is one."""


def ask(
    state: TeamState,
    kind: e.EscalationKind,
    reason: str,
    question: Question,
    *tasks: Concern,
    cause: str = "",
    call: str = "",
    before: int = 0,
) -> list[e.AnyEvent]:
    """`before`: how many others are raised with it, before it."""
    number = len(state.escalations) + before + 1
    over = counts_towards_limit(kind) and state.counted_questions >= state.questions_allowed
    raised: list[e.AnyEvent] = [
        e.EscalationRaised(
            f"esc-{number}", "user", kind, reason, tasks, question, cause=cause, held=over, call=call
        )
    ]
    if over and not any(record.kind == "limit" for record in state.open.values()):
        raised.append(about_limit(number + 1, state.counted_questions))
    return raised


def about_limit(number: int, asked: int) -> e.AnyEvent:
    text = (
        f"You were asked {asked} times in this session, and there is more to ask. "
        f"Hear up to {ALLOWED_MORE} more questions, or stop the session?"
    )
    question = Question(text, OPTIONS["limit"])
    return e.EscalationRaised(f"esc-{number}", "user", "limit", "question limit reached", (), question)


def withdraw(state: TeamState, reason: str, *, task: str = "", except_for: str = "") -> list[e.AnyEvent]:
    """Closes what is open or held, with anybody: of one task, or of the whole session."""
    closed = [
        record
        for record in (*state.open.values(), *state.held.values(), *state.referred.values())
        if record.id != except_for and (not task or task in record.tasks)
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

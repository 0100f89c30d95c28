"""Questions for a person: when one is raised, and when it is moot. What an answer does: `replies`.

A question has a kind, a cause, and the tasks that it concerns. What is equal in kind and cause is one
question: a task for which the same is to be decided joins it. What concerns one task alone has no cause.

A person is asked about what goes wrong with tasks a limited number of times a session. Beyond it, questions
are held and the person is asked once whether to hear more or to stop. What agents ask of their own accord
does not count.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from teamlead.core import events as e
from teamlead.core.model import Concern, Question
from teamlead.core.state.records import Escalation, counts_towards_limit
from teamlead.core.state.team_state import TeamState

ALLOWED_MORE = 10
ABOUT_LIMIT: tuple[e.EscalationKind, str] = ("limit", "questions")
"""The kind and the cause of the question whether to hear more."""

RETRY = "retry"
ACCEPT = "accept"
SKIP = "skip"
STOP = "stop"
MORE = "more"
ALLOW = "allow"
DENY = "deny"
REPLAN = "replan"
GO_ON = "go on"
WITHOUT = "without"
APPROVE = "approve"
REVISE = "revise"
"""Before what is to be different."""
ANOTHER = "judge:"
"""Before the name of the agent that is to judge instead."""

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
    "impossible": (RETRY, SKIP, STOP),
    "already-done": (ACCEPT, RETRY, SKIP, STOP),
    "plan": (RETRY, STOP),
    "completion": (ACCEPT, RETRY, STOP),
    "rounds": (MORE, STOP),
    "proposal": (RETRY, STOP),
    "preflight": (RETRY, GO_ON, STOP),
    "judge": (RETRY, WITHOUT, STOP),
    "stage": (RETRY, GO_ON, STOP),
    "decision": (APPROVE, STOP),
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
    """Raises it, or adds the tasks to the equal one.

    `before`: how many others are raised with it, before it.
    """
    if cause and (known := state.asked.get((kind, cause))) is not None:
        return _join(state.escalations[known], reason, question, tasks)
    number = len(state.escalations) + before + 1
    over = counts_towards_limit(kind) and state.counted_questions >= state.questions_allowed
    raised: list[e.AnyEvent] = [
        e.EscalationRaised(
            id=f"esc-{number}",
            target="user",
            kind=kind,
            reason=reason,
            tasks=tasks,
            question=question,
            cause=cause,
            held=over,
            call=call,
        )
    ]
    if over and ABOUT_LIMIT not in state.asked:
        raised.append(about_limit(number + 1, state.counted_questions))
    return raised


def _join(record: Escalation, reason: str, question: Question, tasks: Sequence[Concern]) -> list[e.AnyEvent]:
    new = [each for each in tasks if _asks_anew(record, each)]
    return [e.EscalationJoined(record.id, replace(each, reason=reason, question=question)) for each in new]


def _asks_anew(record: Escalation, concern: Concern) -> bool:
    known = record.tasks.get(concern.task)
    return known is None or known.attempt != concern.attempt


def about_limit(number: int, asked: int) -> e.AnyEvent:
    text = (
        f"You were asked {asked} times in this session, and there is more to ask. "
        f"Hear up to {ALLOWED_MORE} more questions, or stop the session?"
    )
    question = Question(text, OPTIONS["limit"])
    kind, cause = ABOUT_LIMIT
    return e.EscalationRaised(
        f"esc-{number}", "user", kind, "question limit reached", question=question, cause=cause
    )


def limit_is_moot(state: TeamState) -> list[e.AnyEvent]:
    """With the last held question, there is nothing more to ask about the limit."""
    asked = state.asked.get(ABOUT_LIMIT)
    return [e.EscalationWithdrawn(asked, "nothing is held back any more")] if asked and not state.held else []


def withdraw(state: TeamState, reason: str, *, task: str = "", except_for: str = "") -> list[e.AnyEvent]:
    """What is open or held, with anybody, is asked no more: about one task, or in the whole session."""
    return [
        e.EscalationLeft(record.id, task, reason)
        if task and len(record.tasks) > 1
        else e.EscalationWithdrawn(record.id, reason)
        for record in (*state.open.values(), *state.held.values(), *state.referred.values())
        if record.id != except_for and (not task or task in record.tasks)
    ]


def fail_session(state: TeamState, reason: str, *, except_for: str = "") -> list[e.AnyEvent]:
    return [*withdraw(state, reason, except_for=except_for), e.PhaseChanged("FAILED", reason)]

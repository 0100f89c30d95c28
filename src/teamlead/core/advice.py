"""What a model says about a technical difficulty: given to the agent if it is sure, else to the next one."""

from teamlead.core import events as e
from teamlead.core import routing
from teamlead.core.answers import Analysis
from teamlead.core.consultation import Consultation
from teamlead.core.escalation import OPTIONS
from teamlead.core.messages import LEAD
from teamlead.core.model import Question
from teamlead.core.replies import advise
from teamlead.core.state import Escalation, TeamState

Events = list[e.AnyEvent]


def analysed(state: TeamState, found: Consultation, answer: Analysis, now: float) -> Events:
    record = state.referred[found.escalation]
    role = found.role
    if answer.contradiction:
        cause = f"the {role} found requirements that contradict each other: {answer.contradiction}"
        return routing.forward(state, record, cause, _seen("contradiction", record, answer, role))
    if answer.requires_user_decision:
        cause = f"the {role} leaves the decision to you"
        return routing.forward(state, record, cause, _seen(record.kind, record, answer, role), ("user",))
    if answer.confidence == "low":
        return routing.forward(
            state, record, f"the {role} is not sure", _seen(record.kind, record, answer, role)
        )
    advice = f"{answer.recommendation}\n\nThe cause: {answer.root_cause}"
    resolved = e.EscalationResolved(record.id, answer.recommendation, role)
    return [resolved, *advise(state, record, advice, LEAD)]


def not_analysed(state: TeamState, found: Consultation, problem: str, now: float) -> Events:
    record = state.referred[found.escalation]
    return routing.forward(state, record, f"the {found.role} has no answer that can be used ({problem})")


def _seen(kind: e.EscalationKind, record: Escalation, answer: Analysis, role: str) -> routing.Matter:
    """The difficulty with what was found out about it, for whoever looks at it next."""
    asked = record.question.text if record.question else record.reason
    lines = [
        asked,
        f"What the {role} takes for the cause: {answer.root_cause}",
        f"What it would do: {answer.recommendation}",
        *([answer.reasoning] if answer.reasoning else []),
    ]
    question = Question("\n".join(lines), OPTIONS[kind])
    return routing.Matter(kind, record.reason, question, record.task, record.attempt)

"""What a model says about a technical difficulty: given to the agent if it is sure, else to the next one."""

from teamlead.core import events as e
from teamlead.core.answers import Analysis
from teamlead.core.asking import routing
from teamlead.core.asking.consulting import no_answer
from teamlead.core.asking.difficulties import CHOICES
from teamlead.core.people.replies import Reply, advise
from teamlead.core.quoting import quoted
from teamlead.core.runs import Run
from teamlead.core.state.records import Escalation
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.messages import LEAD

Events = list[e.AnyEvent]


def analysed(state: TeamState, found: Run, answer: Analysis, now: float) -> Events:
    record = state.referred[found.escalation]
    role = found.role
    if answer.contradiction:
        cause = f"the {role} found requirements that contradict each other: {answer.contradiction}"
        return routing.forward(state, found, cause, _seen("contradiction", record, found, answer))
    seen = _seen(record.kind, record, found, answer)
    if answer.requires_user_decision:
        return routing.forward(state, found, f"the {role} leaves the decision to you", seen, ("user",))
    if answer.confidence == "low":
        return routing.forward(state, found, f"the {role} is not sure", seen)
    advice = Reply(f"{answer.recommendation}\n\nThe cause: {answer.root_cause}", LEAD)
    resolved = e.EscalationResolved(record.id, answer.recommendation, role)
    return [resolved, *advise(state, record, record.asker.task, advice, own=False)]


def not_analysed(state: TeamState, found: Run, problem: str, now: float) -> Events:
    return routing.forward(state, found, no_answer(found, problem))


def _seen(kind: e.EscalationKind, record: Escalation, found: Run, answer: Analysis) -> routing.Matter:
    """The difficulty with what was found out about it, for whoever looks at it next."""
    lines = [
        found.about,
        f"What the {found.role} takes for the cause:",
        quoted(answer.root_cause),
        "What it would do:",
        quoted(answer.recommendation),
        *(["Why:", quoted(answer.reasoning)] if answer.reasoning else []),
    ]
    return routing.matter_of(kind, record.reason, "\n".join(lines), CHOICES[kind], record.asker)

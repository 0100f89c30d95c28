"""Whether the merged work is all that was wanted: the planner says so before anybody is asked to approve.

It is asked once about the same work. What it misses becomes further tasks, as often as the planner may be
turned to; beyond that, and where it cannot tell, a person is asked.
"""

from typing import Final

from teamlead.core import events as e
from teamlead.core.advisers import replanning
from teamlead.core.answers import Completion
from teamlead.core.asking import consulting, escalation, routing
from teamlead.core.asking.escalation import ACCEPT, OPTIONS, RETRY, STOP
from teamlead.core.model import Question
from teamlead.core.pipeline import reshape
from teamlead.core.runs import Run
from teamlead.core.state.records import Escalation
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused

Events = list[e.AnyEvent]

PLANNER: Final = "planner"


def _asked(state: TeamState) -> list[str]:
    return [record.id for record in state.open.values() if record.kind == "completion"]


def outdated(state: TeamState) -> Events:
    """A question about work that has changed since."""
    if state.fulfilment is None or state.fulfilment.tip == state.integration_tip:
        return []
    return [e.EscalationWithdrawn(name, "the merged work has changed since") for name in _asked(state)]


def check(state: TeamState) -> Events:
    """What is to be done before anybody is asked to approve; nothing if the work is all that was wanted."""
    if PLANNER not in state.session.consultants or not state.integration_tip:
        return []
    known = state.fulfilment
    if known is None or known.tip != state.integration_tip:
        return [consulting.want(state, "complete")]
    if known.settled:
        return []
    return _ask(state, _missing(known.answer) if known.answer else "the planner cannot tell")


def wrong(state: TeamState, found: Run, answer: Completion) -> str:
    if answer.fulfilled or not answer.tasks:
        return ""
    if problem := replanning.unfit(state, answer.tasks, replanning.plan_scope(state)):
        return problem
    try:
        _added(state, found, answer)
    except Refused as refusal:
        return str(refusal)
    return ""


def looked_at(state: TeamState, found: Run, answer: Completion, now: float) -> Events:
    if answer.fulfilled:
        return []
    if not answer.tasks or routing.choose(state, routing.TARGETS["completion"]) == "user":
        return _ask(state, _missing(answer))
    name = f"esc-{len(state.escalations) + 1}"
    added = _added(state, found, answer)
    tasks = ", ".join(event.spec.id for event in added if isinstance(event, e.TaskAdded))
    return [
        e.EscalationRaised(name, PLANNER, "completion", _missing(answer)),
        e.EscalationResolved(name, f"added {tasks}", found.role),
        *added,
    ]


def _added(state: TeamState, found: Run, answer: Completion) -> Events:
    specs = replanning.heirs(state, (), answer.tasks)
    return reshape.addition(state, specs, by=found.id, planned=True)


def unsure(state: TeamState, found: Run, problem: str, now: float) -> Events:
    return _ask(state, consulting.no_answer(found, problem))


def _missing(answer: Completion) -> str:
    return f"the merged work is not all that was wanted: {'; '.join((answer.reason, *answer.missing))}"


def _ask(state: TeamState, reason: str) -> Events:
    text = (
        f"{reason}\nAccept the work as it is, have the planner look at it again (with your advice, if you "
        "write any), or stop the session?"
    )
    return escalation.ask(state, "completion", reason, Question(text, OPTIONS["completion"]))


def answer(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    word = text.strip().lower()
    resolved = e.EscalationResolved(record.id, text.strip(), by)
    if word == STOP:
        stopped = f"stopped by {by} at {record.id}"
        return [resolved, *escalation.fail_session(state, stopped, except_for=record.id)]
    if word == ACCEPT:
        return [resolved, e.CompletionAccepted(state.integration_tip, by)]
    if not state.reviews:
        # There is work again: the planner looks at it after that, anyway.
        return [resolved]
    advice = "" if word == RETRY else text.strip()
    return [resolved, consulting.want(state, "complete", about=advice)]

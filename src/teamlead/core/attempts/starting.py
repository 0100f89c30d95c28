"""What starts next; and what a person is asked where only their word lets it start."""

from teamlead.core import events as e
from teamlead.core.asking import escalation
from teamlead.core.model import Concern, Question
from teamlead.core.state.budget import SESSION, Purse, missing
from teamlead.core.state.records import Task
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.team_state import TeamState
from teamlead.core.work import graph

Events = list[e.AnyEvent]


def start(state: TeamState, now: float) -> Events:
    """The events of one step towards it, or none."""
    if state.holds and (asked := ask_about_agent(state)):
        return asked
    for task in state.heads(now):
        purse = state.shortage(task)
        if purse is None:
            return [_started(state, task)]
        # While others of the scope run, they may use less than they reserved.
        if not purse.reserved:
            return _ask_about_budget(state, task, purse)
    return []


def _started(state: TeamState, task: Task) -> e.AttemptStarted:
    base = state.session.base_commit
    tip = state.integration_tip
    staff = state.staff_of(task.spec)
    return e.AttemptStarted(
        task=task.spec.id,
        attempt=len(task.attempts) + 1,
        bases=(tip or base,) if task.fresh else graph.bases(task, base),
        fallback=tip,
        fresh=task.fresh,
        agent=staff.agent,
        model=staff.model,
        effort=staff.effort,
    )


def ask_about_agent(state: TeamState) -> Events:
    """Only if something waits for it."""
    waiting = {lane.kind for lane in state.open_lanes if not lane.empty}
    waiting |= {kind_of(consultation.agent) for consultation in state.wanted.values()}
    asked = {kind: name for kind in state.holds if (name := state.asked.get(("agent", kind)))}
    if moot := [name for kind, name in asked.items() if kind not in waiting]:
        return [e.EscalationWithdrawn(name, "nothing waits for this agent any more") for name in moot]
    for kind, hold in state.holds.items():
        if hold.until is None and not hold.cause and kind in waiting and kind not in asked:
            reason = f"{kind} cannot be used: {hold.reason}"
            text = (
                f"{reason}\nTry it again once you have seen to it, or stop the session? "
                "It keeps its agents and models: for others, start a new one."
            )
            question = Question(text, escalation.OPTIONS["agent"])
            return escalation.ask(state, "agent", reason, question, cause=kind)
    return []


def _ask_about_budget(state: TeamState, task: Task, purse: Purse) -> Events:
    name = task.spec.id
    own = purse.scope not in {SESSION, f"role:{task.spec.role}"}
    whose = "the session" if purse.scope == SESSION else name if own else f"the role {task.spec.role}"
    reason = f"the budget of {whose} is used up: {missing(purse, task.lane.kind, state.seats)}"
    choice = "Allow as much again, skip it, or stop" if own else "Allow as much again, or stop"
    options = tuple(o for o in escalation.OPTIONS["budget"] if own or o != escalation.SKIP)
    question = Question(f"{reason}\n{choice} the session?", options)
    blocked = [e.TaskBlocked(name, "BUDGET", reason)] if own else []
    concerned = (Concern(name),) if own else ()
    asked = escalation.ask(state, "budget", reason, question, *concerned, cause=purse.scope)
    return [*blocked, *asked]

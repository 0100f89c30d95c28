"""Models that the lead consults: that one is wanted, and when it is asked. What it answers: `answering`."""

from teamlead.core import events as e
from teamlead.core.asking import escalation
from teamlead.core.model import Question
from teamlead.core.runs import BLIND, Purpose, Run, name_of, run_id
from teamlead.core.state.budget import Purse
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState

Events = list[e.AnyEvent]


def want(
    state: TeamState,
    purpose: Purpose,
    task: str = "",
    *,
    attempt: int = 0,
    escalation: str = "",
    about: str = "",
) -> e.AnyEvent:
    name = name_of(purpose, task)
    return e.RunWanted(
        run_id(name, state.asked_of.get(name, 0) + 1),
        purpose,
        task=task,
        attempt=attempt,
        escalation=escalation,
        about=about,
    )


def in_question(state: TeamState, found: Run) -> Task | None:
    """The task whose attempt waits for what it says."""
    task = state.tasks[found.task]
    attempt = task.live
    if attempt is None or attempt.number != found.attempt or attempt.phase != "judging":
        return None
    return task


def no_answer(found: Run, problem: str) -> str:
    return f"the {found.role} gave no usable answer: {problem}"


def start(state: TeamState, now: float) -> Events:
    """The events of one step towards an answer, or none."""
    found = state.next_adviser(now)
    if found is None:
        return []
    short = next((purse for purse in state.funds_of(found.role) if purse.used_up), None)
    if short is not None:
        return _ask_about_budget(state, found, short)
    staff = state.consultant(found.role)
    commit = _subject(state, found)
    return [
        e.RunStarted(
            run=found.id,
            task=found.task,
            agent=staff.agent,
            commit=commit,
            model=staff.model,
            effort=staff.effort,
        )
    ]


def moot(state: TeamState) -> Events:
    """Withdraws what was asked about a budget that nothing waits for, or about a judge that nothing does."""
    needed = {purse.scope for lane in state.lanes.values() if not lane.empty for purse in lane.funds}
    needed |= {purse.scope for found in state.wanted.values() for purse in state.funds_of(found.role)}
    moot: Events = [
        e.EscalationWithdrawn(name, "nothing waits for this budget any more")
        for (kind, scope), name in state.asked.items()
        if kind == "budget" and not state.escalations[name].tasks and scope not in needed
    ]
    judge = state.asked.get(("judge", "judge"))
    asked = (*state.wanted.values(), *state.advising.values())
    if judge is None or any(found.role == "judge" for found in asked):
        return moot
    return [*moot, e.EscalationWithdrawn(judge, "nothing waits to be judged any more")]


def _subject(state: TeamState, found: Run) -> str:
    """The commit that it looks at: the work in question, else all that was merged.

    Whoever says what it must give has not seen it.
    """
    task = state.tasks.get(found.task)
    last = task.attempts[-1] if task and task.attempts else None
    work = last.work.commit if last and found.purpose not in BLIND else ""
    own = (work or last.base) if last else ""
    return own or state.integration_tip or state.session.base_commit


def _ask_about_budget(state: TeamState, found: Run, purse: Purse) -> Events:
    reason = f"the budget of {purse.scope.replace(':', ' ')} is used up, and {found.name} is to be asked"
    options = (escalation.MORE, escalation.STOP)
    question = Question(f"{reason}\nAllow as much again, or stop the session?", options)
    return escalation.ask(state, "budget", reason, question, cause=purse.scope)

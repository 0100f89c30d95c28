"""Who works in a session, and in which conversation."""

from collections.abc import Collection, Iterable

from teamlead.core.model import Member, TaskSpec
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState


def newcomers(state: TeamState, specs: Iterable[TaskSpec], talks: Collection[str]) -> list[Member]:
    """Agents that the session has not had in these roles; `talks`: those that can talk with their team."""
    members = state.session.members
    known = {(member.role, member.agent) for member in members}
    pairs = dict.fromkeys((spec.role, state.staff_of(spec).agent) for spec in specs)
    talking = {*talks, *(member.agent for member in members if member.talks)}
    new = (pair for pair in pairs if pair not in known)
    return [
        Member(f"{role}-{number}", agent, role, agent in talking)
        for number, (role, agent) in enumerate(new, len(members))
    ]


def conversation_for(task: Task, agent: str) -> str:
    """The one that the task's next or live run continues; empty: it begins a new one.

    A conversation speaks of the copy it was held in, so none outlives it.
    """
    if task.live is None and task.fresh:
        return ""
    for attempt in reversed(task.attempts):
        if task.spec.plans and attempt.outcome == "failed":
            # Perhaps over what was said in it, such as too much.
            return ""
        if attempt.run.conversation:
            return attempt.run.conversation if attempt.run.agent == agent else ""
        # A run that was to continue one and is lost without it has found that it is not there any more.
        if attempt.fresh or attempt.run.status == "lost":
            return ""
    return ""

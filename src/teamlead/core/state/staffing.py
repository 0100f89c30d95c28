"""Who works on a task, and how: its own choice, else its role's, else the session's."""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from teamlead.core.model import Budget, Member, Role, SessionSpec, TaskSpec, ToolPolicy

if TYPE_CHECKING:
    from teamlead.core.state.records import Task
    from teamlead.core.state.team_state import TeamState

WITH_ACCOUNT = frozenset({"claude", "codex", "gemini"})
"""Agents that share one account a user, whatever follows their name."""

NO_ROLE = Role("")


class Staff(NamedTuple):
    agent: str
    model: str
    effort: str
    arguments: tuple[str, ...]
    policy: ToolPolicy
    budget: Budget
    """Of the role, for all its agents together."""


def kind_of(agent: str) -> str:
    """What agents are held by together when one of them meets a limit."""
    name = agent.partition(":")[0]
    return name if name in WITH_ACCOUNT else agent


def agent_for(state: "TeamState", spec: TaskSpec) -> str:
    return spec.agent or state.roles.get(spec.role, NO_ROLE).agent or state.session.agent


def staff_of(state: "TeamState", spec: TaskSpec) -> Staff:
    return staff(state.session, state.roles, spec)


def staff(session: SessionSpec, roles: Mapping[str, Role], spec: TaskSpec) -> Staff:
    """A model and arguments belong to the agent that is named beside them, and go to no other."""
    role = roles.get(spec.role, NO_ROLE)
    agent = model = ""
    arguments: tuple[str, ...] = ()
    for level in (spec, role, session):
        agent = level.agent
        model = model or level.model
        arguments = arguments or level.arguments
        if agent:
            break
    effort = spec.effort or role.effort or session.effort
    return Staff(
        agent=agent, model=model, effort=effort, arguments=arguments, policy=role.policy, budget=role.budget
    )


def newcomers(state: "TeamState", specs: Iterable[TaskSpec], talks: Collection[str]) -> list[Member]:
    """Agents that the session has not had in these roles; `talks`: those that can talk with their team."""
    members = state.session.members
    known = {(member.role, member.agent) for member in members}
    pairs = dict.fromkeys((spec.role, agent_for(state, spec)) for spec in specs)
    talking = {*talks, *(member.agent for member in members if member.talks)}
    new = (pair for pair in pairs if pair not in known)
    return [
        Member(f"{role}-{number}", agent, role, agent in talking)
        for number, (role, agent) in enumerate(new, len(members))
    ]


def conversation_for(task: "Task", agent: str) -> str:
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

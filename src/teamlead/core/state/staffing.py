"""Who works on a task, and how: its own choice, else its role's, else the session's."""

from typing import NamedTuple

from teamlead.core.model import Budget, SessionSpec, TaskSpec, ToolPolicy
from teamlead.core.roles import role_named

WITH_ACCOUNT = frozenset({"claude", "codex", "gemini"})
"""Agents that share one account a user, whatever follows their name."""


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


def agent_of(session: SessionSpec, spec: TaskSpec) -> str:
    """As `staff` says, for whoever needs no more."""
    return spec.agent or role_named(spec.role, session.roles).settings.agent or session.agent


def staff(session: SessionSpec, spec: TaskSpec) -> Staff:
    """A model and arguments belong to the agent that is named beside them, and go to no other."""
    role = role_named(spec.role, session.roles)
    said = role.settings
    agent = model = ""
    arguments: tuple[str, ...] = ()
    for level in (spec, said, session):
        agent = level.agent
        model = model or level.model
        arguments = arguments or level.arguments
        if agent:
            break
    effort = spec.effort or said.effort or session.effort
    return Staff(
        agent=agent, model=model, effort=effort, arguments=arguments, policy=role.policy, budget=said.budget
    )

"""Who works on a task, and how: its own choice, else its role's, else the session's."""

from collections.abc import Mapping
from typing import NamedTuple

from teamlead.core.model import Budget, Role, SessionSpec, TaskSpec, ToolPolicy

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


def agent_for(session: SessionSpec, roles: Mapping[str, Role], spec: TaskSpec) -> str:
    return spec.agent or roles.get(spec.role, NO_ROLE).agent or session.agent


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

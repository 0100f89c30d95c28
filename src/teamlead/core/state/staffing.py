"""Who works on a task, and how: its own choice, else its role's, else the session's."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from teamlead.core.model import Budget, SessionSpec, TaskSpec, Tool, ToolPolicy
from teamlead.core.roles import role_named

WITH_ACCOUNT = frozenset({"claude", "codex", "gemini"})
"""Agents that share one account a user, whatever follows their name."""


ENGINE = "engine"
"""The agent of what code does: the lead itself."""


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
    if spec.function:
        return f"{ENGINE}:{spec.function}"
    return spec.agent or role_named(spec.role, session.roles).settings.agent or session.agent


def staff(session: SessionSpec, spec: TaskSpec) -> Staff:
    """A model and arguments belong to the agent that is named beside them, and go to no other."""
    if spec.function:
        return Staff(agent_of(session, spec), "", "", (), ToolPolicy(), Budget())
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
        agent=agent,
        model=model,
        effort=effort,
        arguments=arguments,
        policy=_narrowed(role.policy, spec.tools),
        budget=said.budget,
    )


def _narrowed(policy: ToolPolicy, tools: Sequence[Tool] | None) -> ToolPolicy:
    """A task takes tools away from its role, and gives none."""
    if tools is None:
        return policy
    return replace(policy, tools=tuple(tool for tool in policy.tools if tool in tools))

"""Who works on a task, with what: a task's own word goes before its role's, that before the session's."""

from typing import NamedTuple

from teamlead.core.model import Role, SessionSpec, TaskSpec
from teamlead.core.roles import role_named


class Staffing(NamedTuple):
    agent: str
    model: str
    effort: str
    arguments: tuple[str, ...]


def staffing(session: SessionSpec, task: TaskSpec) -> Staffing:
    """A model and arguments mean nothing to another program: whoever names the agent names them, too."""
    levels: list[TaskSpec | Role | SessionSpec] = [task, role_named(session.roles, task.role), session]
    agent = next((level.agent for level in levels if level.agent), "")
    naming = next((at for at, level in enumerate(levels) if level.agent), len(levels))
    heard = levels[: naming + 1]
    return Staffing(
        agent,
        next((level.model for level in heard if level.model), ""),
        next((level.effort for level in levels if level.effort), ""),
        next((level.arguments for level in heard if level.arguments), ()),
    )


def kind_of(agent: str) -> str:
    """What shares an account and its limits: a program we know by its name, others by their command."""
    name, _, _ = agent.partition(":")
    return name if name in {"claude", "codex", "gemini"} else agent

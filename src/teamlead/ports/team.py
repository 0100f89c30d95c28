"""How agents reach their leader and each other while they work."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from teamlead.core.events import MessageType
from teamlead.core.facts import Talk
from teamlead.core.model import Question


class Team(NamedTuple):
    """Where an agent reaches its team, as an MCP server over HTTP on loopback."""

    url: str
    token: str
    """Of this attempt alone."""


class Letter(NamedTuple):
    """A message that its recipient has not seen yet."""

    id: str
    sender: str
    text: str
    type: MessageType = "message"
    summary: str = ""


class TaskLine(NamedTuple):
    """What an agent is told of a task."""

    id: str
    title: str
    state: str
    role: str
    word: str
    """What the agent at work on it says itself."""


class Listener(Protocol):
    """The leader, as agents reach it while they work. Each call bears being cancelled."""

    async def put(self, fact: Talk) -> None:
        """Returns once it is on disk with what it caused; raises its refusal."""
        ...

    async def ask(self, task: str, attempt: int, question: Question, call: str) -> str:
        """The escalation's id, once it is on disk: the same for the same `call`."""
        ...

    async def answer(self, escalation: str, patience: float) -> str | None:
        """What the person answered. None: it takes longer, and the question is parked, on disk."""
        ...

    async def unread(self, task: str) -> Sequence[Letter]: ...

    async def tasks(self) -> Sequence[TaskLine]: ...


class TeamServerPort(Protocol):
    """Where agents reach the leader."""

    async def start(self) -> None: ...

    def admit(self, task: str, attempt: int, role: str = "", form: str = "") -> Team: ...

    def dismiss(self, team: Team) -> None:
        """From now on its token is worth nothing, and what it was waiting for is given up."""
        ...

    async def close(self) -> None: ...

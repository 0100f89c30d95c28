"""A leader that only listens, and a team server in front of it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar, TypeVar

import msgspec

from teamlead.core.facts import AnyFact, MessagesTaken
from teamlead.core.model import Question
from teamlead.errors import Refused
from teamlead.mcp.server import TeamServer
from teamlead.ports.team import Letter, TaskLine, Team

Result = TypeVar("Result")
PATIENCE = 30.0
"""A bound on waits that only a failing test ever reaches."""


class FakeListener:
    """Keeps what it hears. What it has heard counts as on disk once `gate` is open."""

    def __init__(self) -> None:
        self.facts: list[AnyFact] = []
        self.questions: dict[str, Question] = {}
        """By the id of the call."""
        self.answers: dict[str, asyncio.Future[str]] = {}
        self.parked: list[str] = []
        self.letters: list[Letter] = []
        self.lines: list[TaskLine] = []
        self.refusal: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.knocked = asyncio.Event()
        """Somebody has called."""

    async def put(self, fact: AnyFact) -> None:
        self.knocked.set()
        await self.gate.wait()
        if self.refusal is not None:
            raise self.refusal
        self.facts.append(fact)
        if isinstance(fact, MessagesTaken):
            if not {letter.id for letter in self.letters}.issuperset(fact.messages):
                raise Refused("they are taken already")
            self.letters = [letter for letter in self.letters if letter.id not in fact.messages]

    async def ask(self, task: str, attempt: int, question: Question, call: str) -> str:
        if self.refusal is not None:
            raise self.refusal
        self.questions.setdefault(call, question)
        escalation = f"esc-{list(self.questions).index(call) + 1}"
        self.answers.setdefault(escalation, asyncio.get_running_loop().create_future())
        self.knocked.set()
        return escalation

    async def answer(self, escalation: str, patience: float) -> str | None:
        done, _ = await asyncio.wait([self.answers[escalation]], timeout=patience)
        if not done:
            self.parked.append(escalation)
        return self.answers[escalation].result() if done else None

    async def unread(self, task: str) -> Sequence[Letter]:
        return list(self.letters)

    async def tasks(self) -> Sequence[TaskLine]:
        return list(self.lines)


@asynccontextmanager
async def serving(listener: FakeListener, *, patience: float = PATIENCE) -> AsyncIterator[TeamServer]:
    server = TeamServer(listener, patience=patience)
    await server.start()
    try:
        yield server
    finally:
        await server.close()


def play(scenario: Coroutine[Any, Any, Result], patience: float = PATIENCE) -> Result:
    async def bounded() -> Result:
        try:
            async with asyncio.timeout(patience):
                return await scenario
        finally:
            while Wire.opened:
                Wire.opened.pop().writer.close()

    return asyncio.run(bounded())


class Wire:
    """A connection that sends exactly what it is told."""

    opened: ClassVar[list["Wire"]] = []
    """To be closed when the scenario is over."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, team: Team) -> None:
        self.reader = reader
        self.writer = writer
        self.team = team

    @classmethod
    async def open(cls, team: Team) -> "Wire":
        host, port = team.url.removeprefix("http://").partition("/")[0].split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        cls.opened.append(cls(reader, writer, team))
        return cls.opened[-1]

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def request(
        self, body: bytes | object = b"", *, method: str = "POST", target: str = "/mcp", **headers: str | None
    ) -> bytes:
        """As a client would send it; a header that is None is left out, one with a value replaced."""
        payload = body if isinstance(body, bytes) else msgspec.json.encode(body)
        usual: dict[str, str | None] = {
            "Host": self.team.url.removeprefix("http://").partition("/")[0],
            "Authorization": f"Bearer {self.team.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(payload)),
        }
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{n}: {v}" for n, v in {**usual, **given}.items() if v is not None]
        head = "\r\n".join([f"{method} {target} HTTP/1.1", *lines, "", ""])
        return head.encode("latin-1") + payload

    async def answer(self) -> tuple[int, Any]:
        """The next answer: its status, and its body as decoded JSON (None if it has none)."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("ascii").lower()
        status = int(head.split()[1])
        length = head.partition("content-length: ")[2].partition("\r\n")[0]
        body = await self.reader.readexactly(int(length)) if length else b""
        return status, msgspec.json.decode(body) if body else None

    async def ask(self, body: object = b"", **options: Any) -> tuple[int, Any]:
        await self.send(self.request(body, **options))
        return await self.answer()

    async def call(self, tool: str, identity: int = 1, **arguments: object) -> Any:
        """The result of a tool call."""
        status, body = await self.ask(call(tool, identity, **arguments))
        assert status == 200, body
        return body["result"]


def call(tool: str, identity: int = 1, **arguments: object) -> dict[str, object]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": identity, "method": "tools/call", "params": params}


def said(result: Any) -> list[str]:
    return [block["text"] for block in result["content"]]

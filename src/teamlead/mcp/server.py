"""The team's MCP server: on loopback, in the leader's own loop, with a token for each attempt.

What it cannot hold off it bounds: where one guest, or all strangers together, keep too many connections, the
oldest of theirs gives way.
"""

import asyncio
import secrets
from collections.abc import Mapping
from functools import partial
from typing import Final

from teamlead.mcp.desk import Desk
from teamlead.mcp.door import PATH, Seat, enter
from teamlead.mcp.http import Answer, Connection, Entry, Head
from teamlead.mcp.protocol import refusal, respond
from teamlead.ports import Listener, Team
from teamlead.system.environment import TEAM_TOKEN
from teamlead.system.secrets import Secrets

MOST_CONNECTIONS: Final = 32
PATIENCE: Final = 45.0
"""Seconds that a question blocks its call: some clients give a call up after a minute."""


class TeamServer:
    def __init__(
        self, listener: Listener, *, patience: float = PATIENCE, environment: Mapping[str, str] = {}
    ) -> None:
        """`environment`: what agents have theirs from. No secret of it is recorded."""
        self._environment = environment
        self._desk = Desk(listener, patience)
        self._seats: dict[str, Seat] = {}
        self._open: dict[asyncio.Task[None], Connection] = {}
        self._server: asyncio.Server | None = None
        self._host = ""

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._arrived, "127.0.0.1", 0)
        self._host = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def admit(self, task: str, attempt: int, role: str = "") -> Team:
        token = secrets.token_urlsafe(32)
        private = Secrets({**self._environment, TEAM_TOKEN: token})
        self._seats[token] = Seat(task, attempt, role, token.encode(), private)
        return Team(f"http://{self._host}{PATH}", token)

    def dismiss(self, team: Team) -> None:
        seat = self._seats.pop(team.token, None)
        if seat is not None:
            for task in self._of(seat):
                task.cancel()

    async def close(self) -> None:
        if self._server is None:
            return
        self._server.close()
        tasks = list(self._open)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _arrived(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer, self._door, refusal)
        task = asyncio.get_running_loop().create_task(connection.serve())
        self._open[task] = connection
        task.add_done_callback(self._open.pop)
        self._make_room(None)

    def _door(self, head: Head) -> Entry | Answer:
        seat = enter(head, self._host, self._seats.values())
        if isinstance(seat, Answer):
            return seat
        self._make_room(seat)
        return Entry(seat, partial(respond, desk=partial(self._desk.serve, seat)))

    def _make_room(self, guest: Seat | None) -> None:
        theirs = self._of(guest)
        if len(theirs) > MOST_CONNECTIONS:
            theirs[0].cancel()

    def _of(self, guest: Seat | None) -> list[asyncio.Task[None]]:
        return [task for task, connection in self._open.items() if connection.guest is guest]

"""The team's MCP server: on loopback, in the leader's own loop, with a token for each attempt.

It bounds what it cannot hold off: where one guest, or all strangers together, keep too many connections, the
oldest of theirs gives way before another one is taken in.
"""

import asyncio
import errno
import resource
import secrets
import socket
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from teamlead.mcp.admission import PATH, Guest, enter
from teamlead.mcp.http import Admitted, Answer, Connection, RequestHead
from teamlead.mcp.protocol import refusal, respond
from teamlead.mcp.tool_calls import ToolCalls
from teamlead.ports.team import Listener, Team
from teamlead.system.environment import TEAM_TOKEN
from teamlead.system.secrets import Secrets

AT_ONCE: Final = 16
"""In one turn of the loop."""
PART: Final = 32
"""And no more than one in so many of the descriptors that this process may have: the rest needs some."""
NONE_LEFT: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
PAUSE: Final = 0.1
"""Seconds without a look, where nothing is left to take in a connection with."""
MOST_CONNECTIONS: Final = 32
"""Of one guest."""
TURNS_OF_STRANGERS: Final = 8
"""As many as come in so many turns of the loop: an agent that says at once who it is does so in time, in any
crowd."""
PATIENCE: Final = 45.0
"""Seconds that a question blocks its call: some clients give a call up after a minute."""


class TeamServer:
    def __init__(
        self,
        listener: Listener,
        *,
        patience: float = PATIENCE,
        environment: Mapping[str, str] = {},
        known: Mapping[str, str] = {},
    ) -> None:
        """`environment`: what agents have theirs from. No secret of it, nor a `known` one, is kept."""
        self._environment = environment
        self._known = known
        self._calls = ToolCalls(listener, patience)
        self._guests: dict[str, Guest] = {}
        self._open: dict[asyncio.Task[None], Connection] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._arrivals: Arrivals | None = None
        self._host = ""

    async def start(self) -> None:
        self._arrivals = Arrivals(self._arrived)
        self._host = f"127.0.0.1:{self._arrivals.port}"

    def admit(self, task: str, attempt: int, role: str = "", form: str = "") -> Team:
        token = secrets.token_urlsafe(32)
        private = Secrets({**self._environment, TEAM_TOKEN: token}, self._known)
        self._guests[token] = Guest(
            task=task, attempt=attempt, role=role, form=form, token=token.encode(), secrets=private
        )
        return Team(f"http://{self._host}{PATH}", token)

    def dismiss(self, team: Team) -> None:
        guest = self._guests.pop(team.token, None)
        if guest is not None:
            for task in self._of(guest):
                self._end(task)

    async def close(self) -> None:
        if self._arrivals is None:
            return
        self._arrivals.close()
        for task in list(self._open):
            self._end(task)
        await asyncio.gather(*self._leaving, return_exceptions=True)

    def _arrived(self, accepted: socket.socket) -> None:
        assert self._arrivals is not None
        self._make_space(None, self._arrivals.at_once * TURNS_OF_STRANGERS)
        connection = Connection(accepted, self._enter, refusal)
        task = asyncio.get_running_loop().create_task(connection.serve())
        self._open[task] = connection
        task.add_done_callback(partial(self._gone, accepted))

    def _enter(self, head: RequestHead) -> Admitted | Answer:
        guest = enter(head, self._host, self._guests.values())
        if isinstance(guest, Answer):
            return guest
        self._make_space(guest, MOST_CONNECTIONS)
        return Admitted(guest, partial(respond, serve=partial(self._calls.serve, guest)))

    def _make_space(self, guest: Guest | None, most: int) -> None:
        """Ends the oldest connection for one more, whose own task this is, if it has one yet."""
        theirs = [task for task in self._of(guest) if task is not asyncio.current_task()]
        if len(theirs) >= most:
            self._end(theirs[0])

    def _end(self, task: asyncio.Task[None]) -> None:
        """Ends a connection. It counts no more: others in this turn of the loop cannot end it again."""
        del self._open[task]
        self._leaving.add(task)
        task.cancel()

    def _gone(self, accepted: socket.socket, task: asyncio.Task[None]) -> None:
        self._open.pop(task, None)
        self._leaving.discard(task)
        # One that had to go before its first turn has nobody else to close it.
        accepted.close()

    def _of(self, guest: Guest | None) -> list[asyncio.Task[None]]:
        return [task for task, connection in self._open.items() if connection.guest is guest]


class Arrivals:
    """Takes in connections on loopback, a few in each turn of the loop.

    asyncio's own server takes all that wait before anybody can hear one of them. Here each has some turns in
    which what it says is heard, before those that came after it take its place.
    """

    def __init__(self, take: Callable[[socket.socket], None]) -> None:
        self._take = take
        self._loop = asyncio.get_running_loop()
        self._later: asyncio.TimerHandle | None = None
        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.at_once = AT_ONCE if limit == resource.RLIM_INFINITY else max(1, min(AT_ONCE, limit // PART))
        # Those that wait in the system's own queue cost us nothing; one that is full turns agents away.
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=socket.SOMAXCONN)
        self._socket.setblocking(False)
        self._look()

    @property
    def port(self) -> int:
        port: int = self._socket.getsockname()[1]
        return port

    def close(self) -> None:
        if self._later is not None:
            self._later.cancel()
        self._loop.remove_reader(self._socket)
        self._socket.close()

    def _look(self) -> None:
        self._later = None
        self._loop.add_reader(self._socket, self._arrived)

    def _arrived(self) -> None:
        for _ in range(self.at_once):
            try:
                accepted, _ = self._socket.accept()
            except (BlockingIOError, ConnectionError):
                return
            except OSError as error:
                if error.errno not in NONE_LEFT:
                    raise
                # It would be reported again at once, and without end.
                self._loop.remove_reader(self._socket)
                self._later = self._loop.call_later(PAUSE, self._look)
                return
            accepted.setblocking(False)
            self._take(accepted)

"""Takes in connections on loopback, a few in each turn of the loop.

asyncio's own server takes all that wait before anybody can hear one of them. Here each has some turns in
which what it says is heard, before those that came after it take its place.
"""

import asyncio
import errno
import resource
import socket
from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 16
"""In one turn of the loop."""
PART: Final = 32
"""And no more than one in so many of the descriptors that this process may have: the rest needs some."""
NONE_LEFT: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
PAUSE: Final = 0.1
"""Seconds without a look, where nothing is left to take in a connection with."""


class Arrivals:
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

"""Those of the user's world whom nobody in a room should be able to talk to, and one whom all may."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

PATIENCE = 30.0
LONGEST = 200
"""Bytes that anybody says: the slug of an attack."""


def _serve(listener: socket.socket, hear: Callable[[socket.socket], None]) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            # It was closed.
            return
        hear(client)


@contextmanager
def _listening(listener: socket.socket, hear: Callable[[socket.socket], None]) -> Iterator[None]:
    listener.listen(200)
    thread = threading.Thread(target=_serve, args=(listener, hear), daemon=True)
    thread.start()
    try:
        yield
    finally:
        # Wakes who waits for somebody, as closing alone does not.
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(PATIENCE)


class Ears:
    """Listen at several places, and remember who said something there."""

    def __init__(self) -> None:
        self.heard: set[str] = set()
        self._open = ExitStack()

    def at_path(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        path.chmod(0o777)
        self._open.callback(path.unlink, missing_ok=True)
        self._listen(listener)

    def at_name(self, name: str) -> None:
        """Of an abstract socket."""
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(f"\0{name}")
        self._listen(listener)

    def at_port(self) -> int:
        listener = socket.create_server(("127.0.0.1", 0))
        self._listen(listener)
        return int(listener.getsockname()[1])

    def _listen(self, listener: socket.socket) -> None:
        self._open.enter_context(_listening(listener, self._hear))

    def _hear(self, client: socket.socket) -> None:
        with client:
            client.settimeout(PATIENCE)
            self.heard.add(client.recv(LONGEST).decode().strip())

    def close(self) -> None:
        self._open.close()


class Gate:
    """Holds the attackers back until the honest agent is at work, and that one until all attackers go.

    Who comes says a word, and may pass when the gate hangs up: the honest one says "stay", an attacker "come"
    before and "go" after its attacks. On loopback, which agents share with everybody.
    """

    def __init__(self, attackers: int) -> None:
        self._attackers = attackers
        self._honest_is_at_work = False
        self._waiting: dict[str, list[socket.socket]] = {"stay": [], "come": []}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listening = _listening(self._listener, self._hear)
        self.port = int(self._listener.getsockname()[1])

    def __enter__(self) -> Self:
        self._listening.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.__exit__(None, None, None)
        for word in self._waiting:
            self._let_pass(word)

    def _hear(self, client: socket.socket) -> None:
        client.settimeout(PATIENCE)
        word = client.recv(LONGEST).decode().strip()
        if word == "go":
            client.close()
            self._attackers -= 1
        else:
            self._waiting[word].append(client)
        self._honest_is_at_work |= word == "stay"
        if self._honest_is_at_work:
            self._let_pass("come")
        if self._attackers <= 0:
            self._let_pass("stay")

    def _let_pass(self, word: str) -> None:
        while self._waiting[word]:
            self._waiting[word].pop().close()

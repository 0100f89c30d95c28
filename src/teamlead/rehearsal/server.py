"""The scripted model: a server on the loopback, for tests and rehearsals.

with ScriptedModel(check_script(text, name, "model")) as model:
    ...  # a program whose endpoint is model.url
"""

import threading
from collections import deque
from http.server import ThreadingHTTPServer
from typing import Any, Self

from teamlead.errors import ConfigError
from teamlead.rehearsal.conversation import Conversation, Reply, Trouble
from teamlead.rehearsal.request_handler import LOOK_EVERY, Handler, KeptRequest, Route
from teamlead.rehearsal.scripted_turns import reply
from teamlead.runners.script import Script


class ScriptedModel:
    """It remembers its last requests, each of some 100 KB, and how often it was asked for a task at all."""

    def __init__(self, script: Script, *, remembers: int = 1000) -> None:
        self.closing = threading.Event()
        self.asked = 0
        self._script = script
        self._lock = threading.Lock()
        self._log: deque[KeptRequest] = deque(maxlen=remembers)
        handler = type("ModelHandler", (Handler,), {"model": self})
        self._server = _Server(("127.0.0.1", 0), handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def requests(self) -> list[KeptRequest]:
        """The requests, in the order of their arrival."""
        return list(self._log)

    def note(self, request: KeptRequest) -> None:
        with self._lock:
            self._log.append(request)
            self.asked += bool(request.task)

    def choose(self, route: Route, asked: Conversation) -> Reply:
        try:
            return reply(self._script, asked, route.interface.toolbox)
        except ConfigError as problem:
            return Reply(Trouble(400, str(problem)))

    def serve(self) -> None:
        """Serves in this thread, until it is closed."""
        self._server.serve_forever(poll_interval=LOOK_EVERY)

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve, name="scripted model", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A program that is still being answered, or not answered, does not keep the model from closing.
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores a program that goes away in the middle of an answer: it is nobody's mistake."""

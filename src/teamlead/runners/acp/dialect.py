"""One turn of an agent over ACP."""

import time
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any

from teamlead.ports.runner import RunSpec
from teamlead.runners.acp.ends import failed, remember_cost, stopped
from teamlead.runners.acp.known_agents import KnownAgent
from teamlead.runners.acp.opening import Opening
from teamlead.runners.acp.permissions import Decisions
from teamlead.runners.acp.rpc import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Frame,
    Request,
    RpcError,
    decode,
    encode,
    problem,
)
from teamlead.runners.acp.updates import Updates, tokens
from teamlead.runners.program import Dialect, ProgramInput
from teamlead.runners.run_events import LONGEST_RAW, Event
from teamlead.runners.untrusted_fields import table, text

MOST_REMINDERS = 10
_NEXT = ("agent_message_chunk", "agent_thought_chunk", "tool_call")
"""What shows that an agent goes on."""


class AcpDialect(Dialect):
    talks = True
    translates = True

    def __init__(
        self, spec: RunSpec, environment: Mapping[str, str], habits: KnownAgent, cost: float = 0.0
    ) -> None:
        """`cost`: what the conversation has cost before."""
        self._spec = spec
        self._steers = habits.capabilities.steer
        self._line: ProgramInput | None = None
        self._events: list[Event] = []
        meta = {} if spec.own_settings else habits.meta
        self._opening = Opening(spec, environment, meta, self._events.append)
        self._talk = self._turn()
        self._requests = 0
        self._pending: int | None = None
        """The request that waits for its answer: there is one at a time."""
        self._session = ""
        """Set with the prompt. What the agent tells before, such as a history, is not of this run."""
        self._updates = Updates(cost)
        self._interrupted = False
        self._decisions = Decisions(spec, self._answer)

    @property
    def awaits_service(self) -> bool:
        return bool(self._session) and not self._updates.busy

    def open(self, line: ProgramInput) -> None:
        self._line = line
        self._go_on(lambda: next(self._talk))

    def read(self, line: bytes) -> Iterable[Event]:
        frame = decode(line)
        if frame is None:
            return [{"type": "raw", "text": line[:LONGEST_RAW].decode("utf-8", "replace")}] if line else []
        if "method" in frame:
            self._hear(text(frame["method"]), table(frame.get("params")), frame)
        elif self._pending is not None and type(frame["id"]) is int and frame["id"] == self._pending:
            self._pending = None
            self._take(frame)
        events = [*self._decisions.late(), *self._events]
        self._events.clear()
        return events

    def close(self) -> Iterable[Event]:
        self._decisions.withdraw()
        return self._decisions.late()

    def say(self, text: str) -> bool:
        """The protocol knows no prompt in mid-turn: it was tried with each agent that is said to steer."""
        if not self._steers or not self._session or self._pending is None:
            return False
        self._requests += 1
        return self._ask(self._requests, _prompt(self._session, text))

    def interrupt(self) -> bool:
        self._decisions.withdraw()
        self._interrupted = bool(self._session)
        return self._interrupted and self._write(method="session/cancel", params={"sessionId": self._session})

    def _turn(self) -> Generator[Request, Any, None]:
        try:
            self._session = yield from self._opening.run()
            end = yield from self._prompt(self._spec.prompt)
            for _ in range(MOST_REMINDERS):
                refused = self._decisions.refused
                if not refused or self._interrupted:
                    break
                # Some agents end their turn with a call that was rejected, and none is told why it was.
                end = yield from self._prompt(f"A tool call was rejected: {refused}. Go on without it.")
        except RpcError as error:
            self._events += [*self._updates.end(), failed(error, time.time())]
        else:
            self._events.append(stopped(end, self._updates.said))
        if self._updates.cost:
            remember_cost(self._spec.home, self._session, self._updates.cost)

    def _prompt(self, words: str) -> Generator[Request, Any, str]:
        """Returns why the agent stopped."""
        self._decisions.refused = ""
        end = table((yield _prompt(self._session, words)))
        self._events += [*self._updates.end(), *tokens(end.get("usage"))]
        return text(end.get("stopReason"))

    def _go_on(self, step: Callable[[], Request]) -> None:
        try:
            request = step()
        except StopIteration:
            return
        self._requests += 1
        self._pending = self._requests
        self._ask(self._pending, request)

    def _ask(self, number: int, request: Request) -> bool:
        return self._write(id=number, method=request.method, params=request.params)

    def _take(self, frame: Frame) -> None:
        if "error" in frame:
            self._go_on(lambda: self._talk.throw(problem(frame["error"])))
        else:
            self._go_on(lambda: self._talk.send(frame.get("result")))

    def _hear(self, method: str, params: dict[str, Any], frame: Frame) -> None:
        if "id" not in frame:
            if method == "session/update" and self._session:
                update = table(params.get("update"))
                if update.get("sessionUpdate") in _NEXT:
                    self._decisions.refused = ""
                self._events += self._updates.read(update)
        elif isinstance(frame["id"], bool) or not isinstance(frame["id"], int | str):
            self._write(id=None, error={"code": INVALID_REQUEST, "message": "an id is a number or a string"})
        elif method == "session/request_permission":
            self._asked(frame["id"], params)
        else:
            what = {"code": METHOD_NOT_FOUND, "message": f"teamlead offers no {method!r}"}
            self._write(id=frame["id"], error=what)

    def _asked(self, request: int | str, params: Mapping[str, Any]) -> None:
        call = table(params.get("toolCall"))
        self._events += self._updates.tool(call, asked=True)
        self._events += self._decisions.decide(request, self._updates.known(call), params.get("options"))

    def _answer(self, request: int | str, result: Mapping[str, Any]) -> None:
        self._write(id=request, result=result)

    def _write(self, **frame: Any) -> bool:
        return self._line is not None and self._line.write(encode(**frame))


def _prompt(session: str, words: str) -> Request:
    block = {"type": "text", "text": words.encode("utf-8", "replace").decode()}
    return Request("session/prompt", {"sessionId": session, "prompt": [block]})

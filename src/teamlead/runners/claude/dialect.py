"""What Claude Code says, and what is said to it.

Messages go to it one a line, also in mid-turn. Before it uses a tool it asks over the same lines and waits:
each request is answered at once, by the policy.
"""

import re
import time
from collections.abc import Iterable
from itertools import chain
from typing import Any

from teamlead.ports.runner import RunSpec
from teamlead.runners.claude.outgoing_messages import OutgoingMessages
from teamlead.runners.claude.permissions import Decisions, is_known
from teamlead.runners.claude.results import Meter, finished
from teamlead.runners.program import Dialect, ProgramInput
from teamlead.runners.run_events import LONGEST_TEXT, Event, parse_event
from teamlead.runners.untrusted_fields import amount, table, tables, text
from teamlead.system.text import clip

_HOOK = "policy"
_PATIENCE = 24 * 3600
"""Seconds it waits for a decision; without one the call is not made."""
_NO_SUCH_TOOL = re.compile(r"No such tool available: (\w+)")
_EXIT_CODE = re.compile(r"Exit code (\d+)")


class ClaudeDialect(Dialect):
    talks = True
    translates = True

    def __init__(self, spec: RunSpec) -> None:
        self._spec = spec
        self._outgoing = OutgoingMessages()
        self._decisions = Decisions(spec, self._outgoing)
        self._meter = Meter(resumed=bool(spec.conversation))
        self._started = False
        self._interrupted = False
        self._over = False
        self._end: Event | None = None
        self._tools: dict[str, str] = {}
        """Calls under way: id to name."""
        self._last_text = ""
        self._failure = ""
        self._reset_at: float | None = None
        self._waiting: set[str] = set()
        """Messages that it has not taken up yet: its turn goes on with them after its result."""
        self._confirms = False
        """It tells when it takes a message up, as releases before 2.1 do not."""

    @property
    def awaits_service(self) -> bool:
        return self._started and not self._tools

    def open(self, line: ProgramInput) -> None:
        self._outgoing.line = line
        hook = {"matcher": None, "hookCallbackIds": [_HOOK], "onFailure": "block", "timeout": _PATIENCE}
        self._outgoing.ask("initialize", hooks={"PreToolUse": [hook]})

    def say(self, text: str) -> bool:
        if not self._started or self._over:
            return False
        message = self._outgoing.tell(text)
        if message:
            self._waiting.add(message)
        return bool(message)

    def interrupt(self) -> bool:
        self._interrupted = True
        return self._outgoing.ask("interrupt")

    def read(self, line: bytes) -> Iterable[Event]:
        return chain(self._decisions.late(), self._meaning(parse_event(line)))

    def _meaning(self, event: Event) -> Iterable[Event]:
        match event["type"]:
            case "raw":
                return (event,)
            case "system":
                return self._system(event)
            case "assistant":
                return self._assistant(event)
            case "user":
                return self._user(event)
            case "result":
                return self._result(event)
            case "control_request":
                return self._decisions.decide(text(event.get("request_id")), table(event.get("request")))
            case "control_response":
                return self._answered(table(event.get("response")))
        self._note(event)
        return ()

    def _note(self, event: Event) -> None:
        match event["type"]:
            case "rate_limit_event":
                info = table(event.get("rate_limit_info"))
                if info.get("status") == "rejected":
                    self._reset_at = amount(info.get("resetsAt"))
            case "control_cancel_request":
                self._decisions.withdrawn(text(event.get("request_id")))
            case "command_lifecycle":
                self._confirms = True
                if event.get("state") != "queued":
                    self._waiting.discard(text(event.get("command_uuid")))

    def _system(self, event: Event) -> Iterable[Event]:
        match event.get("subtype"):
            case "init" if not self._started:
                self._started = True
                yield {
                    "type": "started",
                    "agent": "claude",
                    "model": text(event.get("model")),
                    "conversation": text(event.get("session_id")),
                }
                for server in tables(event.get("mcp_servers")):
                    if server.get("status") != "connected":
                        yield {"type": "warning", "text": f"no connection to {text(server.get('name'))!r}"}
            case "api_retry":
                status = event.get("error_status") or "no answer"
                yield {"type": "retry", "text": f"{text(event.get('error'))} ({status})"}

    def _assistant(self, event: Event) -> Iterable[Event]:
        self._end = None
        message = table(event.get("message"))
        # What it says in its own name, of errors of its service, is no answer of a model.
        self._failure = text(event.get("error"))
        if not self._failure:
            yield from self._meter.answer(message)
        for block in tables(message.get("content")):
            match block.get("type"):
                case "text":
                    self._last_text = text(block.get("text"))
                    yield {"type": "text", "text": self._last_text}
                case "tool_use":
                    name = text(block.get("name"))
                    self._tools[text(block.get("id"))] = name
                    yield {"type": "tool_call", "name": name, "input": table(block.get("input"))}

    def _user(self, event: Event) -> Iterable[Event]:
        for block in tables(table(event.get("message")).get("content")):
            if block.get("type") != "tool_result":
                continue
            name = self._tools.pop(text(block.get("tool_use_id")), "")
            output = _output(block.get("content"))
            code = _EXIT_CODE.match(output) if block.get("is_error") else None
            yield {
                "type": "tool_result",
                "name": name,
                "exit_code": int(code[1]) if code else None,
                "output": clip(output, LONGEST_TEXT),
            }
            removed = _NO_SUCH_TOOL.search(output) if block.get("is_error") else None
            if removed and is_known(removed[1]):
                yield {"type": "denied", "name": removed[1], "reason": "it is taken away in this role"}

    def _answered(self, response: dict[str, Any]) -> Iterable[Event]:
        """Reads the answer to `initialize`: only with the hook in place does it get to work."""
        if response.get("request_id") != "initialize":
            return
        if response.get("subtype") == "success" and table(response.get("response")).get(
            "hooks_applied", True
        ):
            self._outgoing.tell(self._spec.prompt)
            return
        error = f"it takes no decisions on its tools: {text(response.get('error')) or 'hooks not applied'}"
        yield {"type": "finished", "status": "error", "error": error}

    def _result(self, event: Event) -> Iterable[Event]:
        yield self._meter.result(event)
        end = finished(event, self._failure, self._last_text, time.time())
        if end["status"] == "limit":
            end["reset_at"] = self._reset_at or end["reset_at"]
        if self._spec.conversation and not self._started:
            # It ended before it began: what was to be continued is not there any more.
            end |= {"status": "lost", "conversation": ""}
        self._end = end
        if self._interrupted or not (self._waiting and self._confirms):
            yield from self._last_word()

    def close(self) -> Iterable[Event]:
        """Ends with its last result, unless it went on after that."""
        self._decisions.close()
        return self._last_word()

    def _last_word(self) -> Iterable[Event]:
        if self._end is not None and not self._over:
            self._over = True
            yield self._end


def _output(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(text(block.get("text")) for block in tables(content) if block.get("type") == "text")

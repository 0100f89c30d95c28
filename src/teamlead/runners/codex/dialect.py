"""What Codex says, and what it records meanwhile and does not say."""

import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from teamlead.ports.runner import RunSpec
from teamlead.runners.endings import ServiceProblem, service_problem, status_in
from teamlead.runners.followed_file import FollowedFile
from teamlead.runners.program import Dialect
from teamlead.runners.run_events import LONGEST_TEXT, MOST_DENIALS, Event, parse_event
from teamlead.runners.untrusted_fields import count, table, tables, text
from teamlead.system.text import clip

_RETRY = re.compile(r"Reconnecting\.\.\. .*?\((?P<why>.*)\)\s*\Z", re.DOTALL)
_CODE = re.compile(r"\bstatus:? (\d{3})\b")
_CODES = (
    (402, re.compile(r"Quota exceeded")),
    (404, re.compile(r"model_not_found|does not exist")),
    (503, re.compile(r"at capacity")),
)
"""What it says of some answers of its service in words of its own."""
_TOKENS = ("input_tokens", "output_tokens")
_THREAD = re.compile(r"[0-9a-f-]{36}")
_DENIED = re.compile(
    r"^.*(?:patch rejected|rejected by user approval|: Read-only file system|: Operation not permitted).*$"
    r"|^bwrap: .*$",
    re.MULTILINE,
)
"""What becomes of a call that Codex or the sandbox of its commands does not allow, or does not get to run."""
_RESULT = '"output":"'
"""What comes before it, in a result that a script hands on whole, tells a person nothing."""


class CodexDialect(Dialect):
    translates = True

    def __init__(self, spec: RunSpec, home: Path) -> None:
        self._spec = spec
        self._home = home
        self._rollout = Rollout(home, spec.conversation, continued=True)
        self._started = False
        self._over = False
        self._counted = False
        self._open: set[str] = set()
        """Calls under way."""
        self._last_text = ""
        self._usage: dict[str, Any] = {}

    @property
    def awaits_service(self) -> bool:
        return self._started and not self._open

    def read(self, line: bytes) -> Iterable[Event]:
        yield from self._recorded()
        event = parse_event(line)
        match event["type"]:
            case "raw":
                yield event
            case "thread.started":
                yield self._begin(text(event.get("thread_id")))
            case "item.started":
                yield from self._call(table(event.get("item")))
            case "item.completed":
                yield from self._item(table(event.get("item")))
            case "error":
                yield from self._trouble(text(event.get("message")))
            case "turn.completed":
                self._usage = table(event.get("usage"))
                yield from self._finish("ok", summary=self._last_text)
            case "turn.failed":
                yield from self._fail(text(table(event.get("error")).get("message")))

    def close(self) -> Iterable[Event]:
        yield from self._recorded()
        if not self._counted and self._usage and not self._spec.conversation:
            yield {"type": "usage", **{name: count(self._usage.get(name)) for name in _TOKENS}}
        if self._spec.conversation and not self._started:
            # It ended before it began: what was to be continued is not there any more.
            yield from self._finish("lost", error=f"no conversation {self._spec.conversation!r}")

    def _begin(self, thread: str) -> Event:
        self._started = True
        if thread != self._spec.conversation:
            self._rollout = Rollout(self._home, thread, continued=False)
        return {"type": "started", "agent": "codex", "model": self._spec.model, "conversation": thread}

    def _recorded(self) -> Iterable[Event]:
        for event in self._rollout.events():
            self._counted |= event["type"] == "usage"
            yield event

    def _call(self, item: dict[str, Any]) -> Iterable[Event]:
        name, given = _tool(item)
        if name:
            self._open.add(text(item.get("id")))
            yield {"type": "tool_call", "name": name, "input": given}

    def _item(self, item: dict[str, Any]) -> Iterable[Event]:
        match item.get("type"):
            case "agent_message":
                self._last_text = text(item.get("text"))
                yield {"type": "text", "text": self._last_text}
            case "error":
                yield {"type": "warning", "text": text(item.get("message"))}
            case _ if text(item.get("id")) in self._open:
                self._open.remove(text(item.get("id")))
                yield _result(item)

    def _trouble(self, said: str) -> Iterable[Event]:
        """Ends it where time does not help soon: by itself it tries again, for hours if told to wait."""
        retry = _RETRY.match(said)
        if retry is None:
            return
        yield {"type": "retry", "text": said}
        if _problem(retry["why"]).status in {"limit", "denied"}:
            yield from self._fail(retry["why"])

    def _fail(self, said: str) -> Iterable[Event]:
        problem = _problem(said)
        return self._finish(problem.status, error=said, reset_at=problem.reset_at)

    def _finish(self, status: str, **fields: object) -> Iterable[Event]:
        if not self._over:
            self._over = True
            yield {"type": "finished", "status": status, **fields}


def _problem(said: str) -> ServiceProblem:
    return service_problem(status_in(said, _CODE, _CODES), said, time.time())


def _tool(item: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    match item.get("type"):
        case "command_execution":
            return "shell", {"command": text(item.get("command"))}
        case "file_change":
            return "edit", {"paths": [text(change.get("path")) for change in tables(item.get("changes"))]}
        case "mcp_tool_call":
            return f"mcp__{text(item.get('server'))}__{text(item.get('tool'))}", table(item.get("arguments"))
        case "web_search":
            return "web_search", {"query": text(item.get("query"))}
    return "", {}


def _result(item: dict[str, Any]) -> Event:
    name, _ = _tool(item)
    code = item.get("exit_code")
    return {
        "type": "tool_result",
        "name": name,
        "exit_code": code if isinstance(code, int) else int(item.get("status") != "completed"),
        "output": clip(text(item.get("aggregated_output")) or _answer(item), LONGEST_TEXT),
    }


def _answer(item: dict[str, Any]) -> str:
    """Reads the answer of a server's tool."""
    blocks = tables(table(item.get("result")).get("content"))
    return text(table(item.get("error")).get("message")) or "\n".join(
        text(block.get("text")) for block in blocks
    )


class Rollout:
    """The file in which Codex records a conversation, followed while it grows.

    The output of Codex tells what a turn used only at its end, added up over the whole conversation, and
    nothing of a turn that fails or is ended. The record has each answer of the model with what it used: of
    one run alone, and in time for a budget. It also has the calls that were not allowed.
    """

    def __init__(self, home: Path, thread: str, *, continued: bool) -> None:
        pattern = f"*/*/*/rollout-*-{thread}.jsonl" if _THREAD.fullmatch(thread) else ""

        def find() -> Path | None:
            return next((home / "sessions").glob(pattern), None) if pattern else None

        self._record = FollowedFile(find, continued=continued)
        self._calls: dict[str, str] = {}
        """Tools by the calls of them under way."""
        self._denied: list[str] = []

    def events(self) -> Iterator[Event]:
        for line in self._record.lines():
            record = parse_event(line)
            payload = table(record.get("payload"))
            match record["type"]:
                case "token_usage_record":
                    yield from _answered(table(payload.get("usage")))
                case "response_item":
                    yield from self._item(payload)
                case "event_msg":
                    output = text(table(payload.get("item")).get("aggregated_output"))
                    yield from self._denials("exec_command", output)

    def _item(self, item: dict[str, Any]) -> Iterator[Event]:
        call = text(item.get("call_id"))
        if name := text(item.get("name")):
            self._calls[call] = name
        elif tool := self._calls.pop(call, ""):
            yield from self._denials(tool, _output(item.get("output")))

    def _denials(self, tool: str, output: str) -> Iterator[Event]:
        """Tells a denial once: a command's record may have it, and that of the call which ran the command."""
        denied = _DENIED.search(output) if len(self._denied) < MOST_DENIALS else None
        if denied and not any(told in denied[0] for told in self._denied):
            self._denied.append(denied[0].rpartition(_RESULT)[2].strip())
            yield {"type": "denied", "name": tool, "reason": self._denied[-1]}


def _output(value: object) -> str:
    """Reads an output. That of a script, which runs other calls, comes in blocks, and theirs as JSON."""
    return text(value) or "\n".join(text(block.get("text")) for block in tables(value)).replace("\\n", "\n")


def _answered(usage: dict[str, Any]) -> Iterator[Event]:
    yield {"type": "turn"}
    yield {
        "type": "usage",
        "input_tokens": count(usage.get("input_tokens")),
        "output_tokens": count(usage.get("output_tokens")),
    }

"""What Gemini says, and what it records meanwhile: each answer of the model with what it used."""

import re
import time
from collections.abc import Iterable
from pathlib import Path

from teamlead.core.model import Usage
from teamlead.ports.runner import RunSpec
from teamlead.runners.endings import ServiceProblem, service_problem, status_in
from teamlead.runners.followed_file import FollowedFile
from teamlead.runners.gemini.invocation import KNOWN
from teamlead.runners.program import Dialect
from teamlead.runners.run_events import LONGEST_TEXT, Event, parse_event
from teamlead.runners.untrusted_fields import count, table, text
from teamlead.system.text import clip

_SESSION = re.compile(r"[0-9a-f-]{36}")
_CODE = re.compile(r'"code":\s*(\d{3})\b')
_CODES = (
    (404, re.compile(r"NOT_FOUND")),
    (503, re.compile(r"API Error: (?:terminated|fetch failed|UNAVAILABLE|INTERNAL)")),
)
"""What it says of some answers of its service without their status."""


class GeminiDialect(Dialect):
    translates = True

    def __init__(self, spec: RunSpec, home: Path) -> None:
        self._spec = spec
        self._home = home
        self._record = self._follow(spec.conversation, continued=True)
        self._started = False
        self._over = False
        self._tools: dict[str, str] = {}
        """Calls under way: id to name."""
        self._counted = Usage(0, 0)
        self._answers: set[str] = set()
        self._said = ""

    @property
    def awaits_service(self) -> bool:
        return self._started and not self._tools

    def read(self, line: bytes) -> Iterable[Event]:
        yield from self._recorded()
        event = parse_event(line)
        match event["type"]:
            case "raw":
                yield event
            case "init":
                yield self._begin(event)
            case "message" if event.get("role") == "assistant":
                self._said += text(event.get("content"))
                yield {"type": "text", "text": text(event.get("content"))}
            case "tool_use":
                yield self._call(event)
            case "tool_result":
                yield from self._result(event)
            case "error":
                yield {"type": "warning", "text": text(event.get("message"))}
            case "result":
                yield from self._finish(event)

    def close(self) -> Iterable[Event]:
        if not self._over:
            yield from self._recorded()
        if self._spec.conversation and not self._started:
            # It ended before it began: what was to be continued is not there any more.
            error = f"no conversation {self._spec.conversation!r}"
            yield {"type": "finished", "status": "lost", "error": error}

    def _begin(self, event: Event) -> Event:
        self._started = True
        session = text(event.get("session_id"))
        if session != self._spec.conversation:
            self._record = self._follow(session, continued=False)
        model = text(event.get("model"))
        return {"type": "started", "agent": "gemini", "model": model, "conversation": session}

    def _follow(self, session: str, *, continued: bool) -> FollowedFile:
        pattern = f"*/chats/session-*-{session[:8]}.jsonl" if _SESSION.fullmatch(session) else ""

        def find() -> Path | None:
            return next((self._home / ".gemini" / "tmp").glob(pattern), None) if pattern else None

        return FollowedFile(find, continued=continued)

    def _recorded(self) -> Iterable[Event]:
        for line in self._record.lines():
            record = parse_event(line)
            answer = text(record.get("id"))
            # An answer is recorded again with what became of its calls.
            if record["type"] == "gemini" and record.get("tokens") and answer not in self._answers:
                self._answers.add(answer)
                tokens = table(record["tokens"])
                yield {"type": "turn"}
                yield self._use(count(tokens.get("input")), count(tokens.get("output")))

    def _use(self, input_tokens: int, output_tokens: int) -> Event:
        self._counted = self._counted.plus(Usage(input_tokens, output_tokens))
        return {"type": "usage", "input_tokens": input_tokens, "output_tokens": output_tokens}

    def _call(self, event: Event) -> Event:
        self._said = ""
        name = text(event.get("tool_name"))
        self._tools[text(event.get("tool_id"))] = name
        return {"type": "tool_call", "name": name, "input": table(event.get("parameters"))}

    def _result(self, event: Event) -> Iterable[Event]:
        name = self._tools.pop(text(event.get("tool_id")), "")
        failed = event.get("status") != "success"
        output = clip(text(event.get("output")), LONGEST_TEXT)
        yield {"type": "tool_result", "name": name, "exit_code": int(failed), "output": output}
        if table(event.get("error")).get("type") == "tool_not_registered" and name in KNOWN:
            yield {"type": "denied", "name": name, "reason": "it is taken away in this role"}

    def _finish(self, event: Event) -> Iterable[Event]:
        self._over = True
        stats = table(event.get("stats"))
        # What it adds up at the end is of this run, and has all of it.
        missing = [
            max(count(stats.get(name)) - (counted or 0), 0)
            for name, counted in zip(
                _TOKENS, (self._counted.input_tokens, self._counted.output_tokens), strict=True
            )
        ]
        yield self._use(*missing)
        if event.get("status") == "success":
            yield {"type": "finished", "status": "ok", "summary": self._said.strip()}
            return
        said = text(table(event.get("error")).get("message"))
        problem = _problem(said)
        yield {"type": "finished", "status": problem.status, "error": said, "reset_at": problem.reset_at}


_TOKENS = ("input_tokens", "output_tokens")


def _problem(said: str) -> ServiceProblem:
    return service_problem(
        status_in(said, _CODE, _CODES), said.replace("retry after", "retry in"), time.time()
    )

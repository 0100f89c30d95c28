"""Codex records a conversation in a file. This follows the file while it grows.

Its output tells what a turn used only at its end, added up over the whole conversation, and nothing of a
turn that fails or is ended. The record has each answer of the model with what it used: of one run alone, and
in time for a budget. It also has the calls that were not allowed.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from teamlead.runners.followed_file import FollowedFile
from teamlead.runners.run_events import MOST_DENIALS, Event, parse_event
from teamlead.runners.untrusted_fields import count, table, tables, text

_THREAD = re.compile(r"[0-9a-f-]{36}")
_DENIED = re.compile(
    r"^.*(?:patch rejected|rejected by user approval|: Read-only file system|: Operation not permitted).*$"
    r"|^bwrap: .*$",
    re.MULTILINE,
)
"""What becomes of a call that Codex or the sandbox of its commands does not allow, or does not get to run."""
_RESULT = '"output":"'
"""What comes before it, in a result that a script hands on whole, tells a person nothing."""


class Rollout:
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

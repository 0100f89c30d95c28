"""What an agent streams, one line each. Streams are files beside the journal; this reads lines of them."""

import json
from collections.abc import Mapping
from typing import Any

from teamlead.views.moments import iso

Streamed = Mapping[str, Any]
"""An event of an agent: its `type`, when it was, and whatever it consists of."""


def parse(line: str | bytes) -> Streamed:
    """A line of events.jsonl; whatever it is, it comes back as an event."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        return {"type": "raw", "text": line if isinstance(line, str) else line.decode(errors="replace")}
    try:
        return {**event, "at": iso(event.pop("time"))}
    except (KeyError, TypeError, ValueError, OverflowError, OSError):
        return event


def activity(event: Streamed) -> str:
    """Empty for what tells a person nothing."""
    match event.get("type"):
        case "text" | "raw" | "warning":
            return _line(event.get("text"))
        case "tool_call":
            given = event.get("input")
            target = next(iter(given.values()), "") if isinstance(given, dict) else ""
            return f"[{_line(event.get('name'))}] {_line(target)}".rstrip()
        case "tool_result":
            code = event.get("exit_code")
            said = _line(event.get("output"))
            ended = f"exit code {code}" if code else ""
            return "  → " + ": ".join(part for part in (ended, said) if part) if ended or said else ""
        case "denied":
            return f"not allowed: [{_line(event.get('name'))}] {_line(event.get('reason'))}".rstrip()
        case "retry":
            return f"its service is tried again: {_line(event.get('text'))}".rstrip(": ")
        case "ask":
            return f"asks: {_line(event.get('text'))}"
        case "finished":
            told = event.get("summary") or event.get("error") or event.get("status")
            return f"finished: {_line(told)}"
        case _:
            return ""


def _line(value: object) -> str:
    text = " ".join(str(value or "").split())
    return text if len(text) <= 200 else text[:199] + "…"

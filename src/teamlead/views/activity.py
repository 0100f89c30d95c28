"""What an agent streams, one line each. Streams are files beside the journal; this reads lines of them."""

import json
from typing import Any


def parse(line: str | bytes) -> dict[str, Any]:
    """A line of events.jsonl; whatever it is, it comes back as an event."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    if isinstance(event, dict):
        return event
    return {"type": "raw", "text": line if isinstance(line, str) else line.decode(errors="replace")}


def activity(event: dict[str, Any]) -> str:
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

"""What an agent did in an attempt, as text: for a model that is to judge it."""

import json
from collections.abc import Mapping
from pathlib import Path

from teamlead.views.activity import parse

MOST_BYTES = 1_000_000
"""Of a stream, at each of its ends: a prompt takes less."""


def transcript(folder: Path) -> str:
    """Empty if nothing was kept of it."""
    lines = (_told(parse(line)) for line in _ends(folder / "events.jsonl").splitlines())
    return "\n".join(line for line in lines if line)


def _ends(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            head = stream.read(MOST_BYTES)
            size = path.stat().st_size
            if size <= 2 * MOST_BYTES:
                return (head + stream.read()).decode(errors="replace")
            stream.seek(size - MOST_BYTES)
            return (head + b"\n" + stream.read()).decode(errors="replace")
    except FileNotFoundError:
        return ""


def _told(event: Mapping[str, object]) -> str:
    match event.get("type"):
        case "text" | "raw" | "warning":
            return str(event.get("text") or "")
        case "tool_call":
            given = json.dumps(event.get("input"), ensure_ascii=False)
            return f"[{event.get('name')}] {given}"
        case "tool_result":
            code = event.get("exit_code")
            ended = f"exit code {code}: " if code else ""
            return f"  → {ended}{event.get('output') or ''}"
        case "denied":
            return f"not allowed: [{event.get('name')}] {event.get('reason') or ''}"
        case "finished":
            return f"finished: {event.get('summary') or event.get('error') or event.get('status')}"
        case _:
            return ""

"""What an agent's program told of the tools that it used, as its log has it."""

import json
from typing import Any, NamedTuple

from teamlead.ports.checking import Claim

MOST_BYTES = 16 * 1024 * 1024


class Log(NamedTuple):
    told: bool
    """It tells of them at all."""
    inputs: tuple[str, ...]
    """All that they were given."""

    def holds(self, *words: str) -> bool:
        return any(all(word in given for word in words) for given in self.inputs)


def read_log(claim: Claim) -> Log:
    path = claim.folder / "events.jsonl"
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return Log(told=False, inputs=())
    calls = [
        event for line in path.read_bytes().splitlines() if (event := _event(line)).get("type") == "tool_call"
    ]
    given = [call.get("input") for call in calls]
    texts = tuple(json.dumps(each, ensure_ascii=False) for each in given)
    return Log(bool(calls), texts)


def _event(line: bytes) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}

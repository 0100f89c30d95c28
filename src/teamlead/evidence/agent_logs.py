"""What an agent's program told of the tools that it used, as its log has it."""

import json
from typing import Any, NamedTuple

from teamlead.ports.checking import Claim

MOST_BYTES = 16 * 1024 * 1024
_RUNS = frozenset({"command", "cmd", "script", "code", "prompt", "argv", "args"})
"""What a tool is given that can run something."""


class Log(NamedTuple):
    told: bool
    """It tells of them at all."""
    inputs: tuple[str, ...]
    """All that they were given."""
    ran: bool
    """One of them may have run something."""

    def holds(self, *words: str) -> bool:
        return any(all(word in given for word in words) for given in self.inputs)


def read_log(claim: Claim) -> Log:
    path = claim.folder / "events.jsonl"
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return Log(told=False, inputs=(), ran=True)
    calls = [
        event for line in path.read_bytes().splitlines() if (event := _event(line)).get("type") == "tool_call"
    ]
    given = [call.get("input") for call in calls]
    keys = {key for each in given if isinstance(each, dict) for key in each}
    texts = tuple(json.dumps(each, ensure_ascii=False) for each in given)
    return Log(
        bool(calls), texts, ran=bool(keys & _RUNS) or not all(isinstance(each, dict) for each in given)
    )


def _event(line: bytes) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}

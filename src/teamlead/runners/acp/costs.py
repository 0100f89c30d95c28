"""What a conversation has cost so far: by the protocol an agent tells the total of all its runs.

The total is kept in the folder that the runs of a task share: otherwise what earlier runs spent would count
again.
"""

from contextlib import suppress
from pathlib import Path

import msgspec

FILE = "acp-cost.json"


class _Cost(msgspec.Struct):
    conversation: str
    usd: float


def recall(home: Path, conversation: str) -> float:
    try:
        cost = msgspec.json.decode((home / FILE).read_bytes(), type=_Cost)
    except (OSError, msgspec.DecodeError):
        return 0.0
    return cost.usd if conversation and cost.conversation == conversation else 0.0


def remember(home: Path, conversation: str, usd: float) -> None:
    with suppress(OSError):
        home.mkdir(parents=True, exist_ok=True)
        (home / FILE).write_bytes(msgspec.json.encode(_Cost(conversation, usd)))

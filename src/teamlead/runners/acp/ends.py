"""How a turn ended: the event that finishes a run, and what its conversation has cost so far."""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from teamlead.runners.acp.rpc import AUTHENTICATION_REQUIRED, RpcError
from teamlead.runners.endings import service_problem, status_in
from teamlead.runners.run_events import Event

FILE = "acp-cost.json"
_REASONS: Mapping[str, str] = {
    "cancelled": "the agent cancelled its turn",
    "refusal": "the model refused to go on",
    "max_tokens": "the model reached its limit of tokens in one turn",
    "max_turn_requests": "the agent reached its limit of requests in one turn",
}
_HTTP_STATUS = re.compile(r"(?:error|status|http|code)\W{0,3}(?:code\W{0,3})?([45]\d\d)\b", re.IGNORECASE)


class ConversationLost(RpcError):
    """The agent does not have the conversation that should be continued."""


def stopped(reason: str, said: str) -> Event:
    if reason == "end_turn":
        return {"type": "finished", "status": "ok", "summary": said}
    words = _REASONS.get(reason, f"the agent stopped for an unknown reason: {reason!r}")
    return {"type": "finished", "status": "error", "summary": said, "error": words}


def failed(problem: RpcError, now: float) -> Event:
    told: Event = {"type": "finished", "error": problem.message}
    if problem.code == AUTHENTICATION_REQUIRED:
        return {**told, "status": "denied"}
    judged = service_problem(status_in(problem.message, _HTTP_STATUS), problem.message, now)
    if isinstance(problem, ConversationLost) and judged.status == "error":
        return {**told, "status": "lost"}
    return {**told, "status": judged.status, "reset_at": judged.reset_at}


class _Cost(msgspec.Struct):
    conversation: str
    usd: float


def recall_cost(home: Path, conversation: str) -> float:
    """Returns the cost of earlier runs: by the protocol an agent tells the total of all of them."""
    try:
        cost = msgspec.json.decode((home / FILE).read_bytes(), type=_Cost)
    except (OSError, msgspec.DecodeError):
        return 0.0
    return cost.usd if conversation and cost.conversation == conversation else 0.0


def remember_cost(home: Path, conversation: str, usd: float) -> None:
    with suppress(OSError):
        home.mkdir(parents=True, exist_ok=True)
        (home / FILE).write_bytes(msgspec.json.encode(_Cost(conversation, usd)))

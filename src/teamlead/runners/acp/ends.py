"""How a turn ended: the event that finishes a run."""

import re
from collections.abc import Mapping

from teamlead.runners.acp.rpc import AUTHENTICATION_REQUIRED, Problem
from teamlead.runners.run_events import Event
from teamlead.runners.service_errors import classify

_REASONS: Mapping[str, str] = {
    "cancelled": "the agent cancelled its turn",
    "refusal": "the model refused to go on",
    "max_tokens": "the model reached its limit of tokens in one turn",
    "max_turn_requests": "the agent reached its limit of requests in one turn",
}
_HTTP_STATUS = re.compile(r"(?:error|status|http|code)\W{0,3}(?:code\W{0,3})?([45]\d\d)\b", re.IGNORECASE)


class ConversationLost(Problem):
    """The agent does not have the conversation that should be continued."""


def stopped(reason: str, said: str) -> Event:
    if reason == "end_turn":
        return {"type": "finished", "status": "ok", "summary": said}
    words = _REASONS.get(reason, f"the agent stopped for an unknown reason: {reason!r}")
    return {"type": "finished", "status": "error", "summary": said, "error": words}


def failed(problem: Problem, now: float) -> Event:
    told: Event = {"type": "finished", "error": problem.message}
    if problem.code == AUTHENTICATION_REQUIRED:
        return {**told, "status": "denied"}
    found = _HTTP_STATUS.search(problem.message)
    judged = classify(int(found[1]) if found else None, problem.message, now)
    if isinstance(problem, ConversationLost) and judged.status == "error":
        return {**told, "status": "lost"}
    return {**told, "status": judged.status, "reset_at": judged.reset_at}

"""How a turn ended, and what it used, from what the program says of it."""

from collections.abc import Sequence

from teamlead.runners.endings import service_problem
from teamlead.runners.run_events import Event
from teamlead.runners.untrusted_fields import amount, count, table, tables, text, texts

_CODES = {
    "authentication_failed": 401,
    "billing_error": 402,
    "model_not_found": 404,
    "rate_limit": 429,
    "invalid_request": 400,
    "max_output_tokens": 400,
    "overloaded": 529,
    "server_error": 500,
}
"""Its words for errors of its service: they tell more than the status, which is 400 for an empty account."""


def finished(result: Event, failure: str, last_text: str, now: float) -> Event:
    """`failure` is its word for the service's last error, if the turn ended with one."""
    said = "; ".join(texts(result.get("errors"))) or text(result.get("result"))
    end: Event = {"type": "finished", "conversation": text(result.get("session_id"))}
    if result.get("is_error") is False and result.get("subtype") == "success":
        return end | {"status": "ok", "summary": text(result.get("result"))}
    reason = text(result.get("terminal_reason"))
    error = said or reason or text(result.get("subtype"))
    if reason == "budget_exhausted":
        # It looks at its budget after an answer, also after the one that was its last word.
        if result.get("stop_reason") == "end_turn":
            return end | {"status": "ok", "summary": last_text}
        return end | {"status": "budget", "error": error}
    if reason != "api_error" or result.get("stop_reason") == "refusal":
        return end | {"status": "error", "error": error}
    # A stream that broke and an answer that never came have neither a word nor a status.
    code = _CODES.get(failure) or count(result.get("api_error_status")) or 503
    problem = service_problem(code, said, now)
    return end | {"status": problem.status, "error": error, "reset_at": problem.reset_at}


class Meter:
    """Counts usage: by what each answer says at its beginning, put right by what the turn's end says."""

    def __init__(self, *, resumed: bool) -> None:
        self._resumed = resumed
        self._answer = ""
        self._told = (0, 0)

    def answer(self, message: Event) -> list[Event]:
        """Counts an answer once: it comes in several pieces, each of which repeats its usage."""
        if message.get("id") == self._answer:
            return []
        self._answer = text(message.get("id"))
        given, made = _tokens(table(message.get("usage")), _IN_MESSAGES)
        self._told = (self._told[0] + given, self._told[1] + made)
        return [{"type": "turn"}, {"type": "usage", "input_tokens": given, "output_tokens": made}]

    def result(self, result: Event) -> Event:
        models = tables(list(table(result.get("model_usage_since_last_result")).values()))
        if models:
            given, made = map(sum, zip(*(_tokens(model, _IN_MODELS) for model in models), strict=True))
            costs = [amount(model.get("costUSD")) for model in models]
            cost = None if None in costs else sum(filter(None, costs))
        else:
            given, made = _tokens(table(result.get("usage")), _IN_MESSAGES)
            # The sum of the whole conversation, of which this run is only the last part.
            cost = None if self._resumed else amount(result.get("total_cost_usd"))
        told, self._told = self._told, (0, 0)
        return {
            "type": "usage",
            "input_tokens": max(0, given - told[0]),
            "output_tokens": max(0, made - told[1]),
            "cost_usd": cost,
        }


_IN_MESSAGES = ("output_tokens", "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_IN_MODELS = ("outputTokens", "inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens")


def _tokens(usage: Event, names: Sequence[str]) -> tuple[int, int]:
    """Returns input, of which some comes from a cache, and output."""
    made, *given = (count(usage.get(name)) for name in names)
    return sum(given), made

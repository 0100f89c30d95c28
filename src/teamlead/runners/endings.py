"""How a run ended: from what we did to the process, then what it said, then how it exited."""

import signal
from collections.abc import Mapping

from teamlead.core.model import Budget
from teamlead.core.runs import AgentStatus, RunEnd
from teamlead.ports.runner import RunSpec
from teamlead.runners.run_events import Tally
from teamlead.system.processes import ProcessEnd
from teamlead.system.text import printable, tail


def run_end(
    spec: RunSpec, ended: ProcessEnd, tally: Tally, stderr: str, *, overspent: str = "", silent: bool = False
) -> RunEnd:
    """`silent`: it waited for its service when it was ended."""
    status, detail = _judge(spec, ended, tally, stderr)
    if overspent:
        status, detail = "budget", overspent
    elif ended.stopped == "idle" and silent:
        status, detail = "unavailable", f"no answer from its service for {spec.idle_timeout:g} s"
    return RunEnd(
        status=status,
        summary=tally.summary,
        detail=detail,
        question=tally.question if status == "ok" else None,
        usage=tally.usage,
        tool_calls=tally.tool_calls,
        turns=tally.turns,
        conversation=tally.conversation,
        reset_at=tally.reset_at if status == "limit" else None,
        denials=tuple(tally.denials),
        report=tally.report,
    )


def _judge(spec: RunSpec, ended: ProcessEnd, tally: Tally, stderr: str) -> tuple[AgentStatus, str]:
    match ended.stopped:
        case "cancelled":
            return "interrupted", "ended by the lead"
        case "hard" if spec.budget.seconds is not None and spec.budget.seconds <= spec.hard_timeout:
            return "budget", f"it has worked for all of its {spec.hard_timeout:g} s"
        case "hard":
            return "timeout", f"hard time-out: it still ran after {spec.hard_timeout:g} s"
        case "idle":
            return "timeout", f"idle time-out: no output for {spec.idle_timeout:g} s"
    if not ended.entered:
        # Nobody has worked, so nobody has failed. The next attempt would fare no better: a person is asked.
        why = _last_words(stderr)
        return "denied", f"no room could be made for the agent (`teamlead doctor` says what mends that){why}"
    if tally.finished in _SAID:
        return _SAID[tally.finished], tally.error or f"the agent ended with status {tally.finished!r}"
    if tally.finished not in (None, "ok"):
        return "error", tally.error or f"the agent ended with status {tally.finished!r}"
    if ended.exit_code:
        return "error", f"{_exit(ended.exit_code)}{_last_words(stderr)}"
    if tally.finished is None and tally.question is None:
        return "error", f"the agent ended without saying that it finished{_last_words(stderr)}"
    return "ok", ""


_SAID: Mapping[str | None, AgentStatus] = {
    "limit": "limit",
    "unavailable": "unavailable",
    "denied": "denied",
    "lost": "lost",
    "budget": "budget",
}
"""What an agent's word is enough for: nothing of it counts as success."""


def overspent(budget: Budget, tally: Tally) -> str:
    """Says which limit was reached; "" if none was."""
    usage = tally.usage
    tokens = (usage.input_tokens or 0) + (usage.output_tokens or 0)
    if budget.cost_usd is not None and (usage.cost_usd or 0.0) >= budget.cost_usd:
        return f"it has spent ${usage.cost_usd:.2f} of ${budget.cost_usd:.2f}"
    if budget.tokens is not None and tokens >= budget.tokens:
        return f"it has used {tokens} of {budget.tokens} tokens"
    if budget.turns is not None and tally.turns > budget.turns:
        return f"it has taken more than {budget.turns} turns"
    return ""


def _exit(code: int) -> str:
    if code > 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def _last_words(stderr: str) -> str:
    words = tail(printable(stderr), lines=10, chars=2000).strip()
    return f": {words}" if words else ""

"""How a run ended: from what we did to the process, then what it said, then how it exited.

Also what an error of an agent's service means for its run, whichever service it is.
"""

import re
import signal
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

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


class ServiceProblem(NamedTuple):
    status: AgentStatus
    reset_at: float | None = None
    """With "limit": when the account may be used again, if the text tells it."""


_DENIED = {401, 402, 403, 404}
_UNAVAILABLE = {408, 425}
_WORDS: tuple[tuple[AgentStatus, str], ...] = (
    ("limit", r"usage limit|rate.?limit|quota|too many requests|hit your .*limit|resource.?exhausted"),
    ("denied", r"not logged in|api key|unauthorized|authenticat|credit balance|billing|permission denied"),
    ("unavailable", r"overloaded|time.?d? ?out|connect|network|stream|unavailable|high demand|server error"),
)


def status_in(
    said: str, status: re.Pattern[str], known: Iterable[tuple[int, re.Pattern[str]]] = ()
) -> int | None:
    """Finds the status of an answer in what is said of it: a number, or words `known` to stand for one."""
    found = status.search(said)
    return int(found[1]) if found else next((code for code, words in known if words.search(said)), None)


def service_problem(code: int | None, said: str, now: float) -> ServiceProblem:
    """Judges by the status code of the answer; where there is none, by its words."""
    status = _by_words(said) if code is None else _by_code(code)
    return ServiceProblem(status, reset_time(said, now) if status == "limit" else None)


def _by_code(code: int) -> AgentStatus:
    if code == 429:
        return "limit"
    if code in _DENIED:
        return "denied"
    return "unavailable" if code >= 500 or code in _UNAVAILABLE else "error"


def _by_words(said: str) -> AgentStatus:
    return next((status for status, words in _WORDS if re.search(words, said, re.IGNORECASE)), "error")


_EPOCH = re.compile(r"\|(\d{10})\b")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_DELAY = re.compile(r"\bin ((?:\d+(?:\.\d+)? ?(?:d|h|m|s)[a-z]*[ ,]*(?:and )?)+)", re.IGNORECASE)
_PART = re.compile(r"(\d+(?:\.\d+)?) ?(ms|[dhms])", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_CLOCK = re.compile(
    r"(?P<word>resets?|again)(?: at)? "
    r"(?:(?P<month>[A-Z][a-z]{2})[a-z]* (?P<day>\d{1,2})(?:st|nd|rd|th)?,?(?: (?P<year>\d{4}),?)?(?: at)? )?"
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>[ap]m)(?: \((?P<zone>[\w/+-]+)\))?",
    re.IGNORECASE,
)
_JUST_OVER = timedelta(minutes=10)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905 - reads better


def reset_time(said: str, now: float) -> float | None:
    """Reads when a limit ends: "|EPOCH", an instant, "in 2h 5m", "resets Nov 20, 4am (UTC)"."""
    try:
        if epoch := _EPOCH.search(said):
            return float(epoch[1])
        if instant := _INSTANT.search(said):
            return datetime.fromisoformat(instant[0]).timestamp()
        if delay := _DELAY.search(said):
            parts = _PART.findall(delay[1])
            return now + sum(float(number) * _SECONDS[unit.lower()] for number, unit in parts)
        if clock := _CLOCK.search(said):
            return _clock(clock, now).timestamp()
    except (ValueError, OverflowError):
        pass  # There is no such day, or no such hour.
    return None


def _clock(found: re.Match[str], now: float) -> datetime:
    """Returns the next such time; without a zone, in that of this machine, where the program runs too.

    "again at" names a minute, cut: its end is meant. A moment that is just over is not tomorrow's.
    """
    zone = _zone(found["zone"])
    today = datetime.fromtimestamp(now, zone).astimezone(zone)
    hour = int(found["hour"]) % 12 + (12 if found["half"].lower() == "pm" else 0)
    time = today.replace(hour=hour, minute=int(found["minute"] or 0), second=0, microsecond=0)
    time += timedelta(minutes=1 if found["word"] == "again" else 0)
    if not found["month"]:
        return time if time >= today - _JUST_OVER else time + timedelta(days=1)
    month = _MONTHS.index(found["month"].lower()) + 1
    time = time.replace(year=int(found["year"] or today.year), month=month, day=int(found["day"]))
    past = not found["year"] and time < today - timedelta(days=180)
    return time.replace(year=today.year + 1) if past else time


def _zone(name: str | None) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (OSError, ValueError, ZoneInfoNotFoundError):
        return None

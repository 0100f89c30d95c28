"""What an error of an agent's service means for its run, whichever service it is."""

import re
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from teamlead.core.runs import AgentStatus


class Problem(NamedTuple):
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


def classify(code: int | None, said: str, now: float) -> Problem:
    """Judges by the status code of the answer; where there is none, by its words."""
    status = _by_words(said) if code is None else _by_code(code)
    return Problem(status, reset_time(said, now) if status == "limit" else None)


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

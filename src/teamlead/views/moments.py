"""Moments, spans of time and numbers of things, as people and JSON read them."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import overload


@overload
def iso(at: float) -> str: ...
@overload
def iso(at: float | None) -> str | None: ...
def iso(at: float | None) -> str | None:
    return None if at is None else _iso(at)


# The rows of one commit name few moments, each many times.
@lru_cache(maxsize=256)
def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def from_iso(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def clock(at: float) -> str:
    """Local time, with the date: a hold may last for days."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def span(seconds: float) -> str:
    # A clock that was set back is behind the journal's moments for a while.
    seconds = max(0, int(seconds))
    if seconds < 60:
        return f"{seconds}s"
    if seconds < 3600:
        return f"{seconds // 60}m{seconds % 60:02d}s"
    if seconds < 86400:
        return f"{seconds // 3600}h{seconds % 3600 // 60:02d}m"
    return f"{seconds // 86400}d{seconds % 86400 // 3600:02d}h"


def until(at: float, now: float) -> str:
    return f"until {clock(at)} (in {span(at - now)})"


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"

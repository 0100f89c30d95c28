"""Amounts as people write and read them: "15m", "2h", "$0.42", "200k"."""

import math
import re

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_WRITTEN = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([smhd]?)")


def parse_duration(value: object) -> float | None:
    """Seconds, or None if `value` is not a duration."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str) and len(value) <= 20 and (match := _WRITTEN.fullmatch(value.strip())):
        return float(match[1]) * _UNITS[match[2]]
    return None


def show_duration(seconds: float) -> str:
    """The shortest spelling, to the millisecond, which `parse_duration` reads back."""
    for unit in ("h", "m"):
        if seconds and seconds % _UNITS[unit] == 0:
            return f"{seconds / _UNITS[unit]:.0f}{unit}"
    return f"{seconds:.0f}s" if seconds == int(seconds) else f"{seconds:.3f}".rstrip("0").rstrip(".") + "s"


def show_cost(usd: float) -> str:
    """To the cent, or finer below it."""
    return f"${usd:.4f}" if 0 < usd < 0.01 else f"${usd:.2f}"


def show_tokens(tokens: int) -> str:
    for letter, factor in (("M", 1_000_000), ("k", 1_000)):
        if tokens >= factor and tokens % (factor // 10) == 0:
            return f"{tokens / factor:g}{letter}"
    return str(tokens)

"""A summary is one: short, and not what a tool printed."""

import re
from collections.abc import Iterator
from typing import Final

from teamlead.core.reports import Result
from teamlead.forms.results.breaches import Fault

MOST_TOKENS: Final = 500
RAW_IN_SUMMARY: Final = 4
RAW_IN_FINDINGS: Final = 25
"""Lines on end that look like a tool's output."""

_RAW = re.compile(
    r"\s*\d+(?:→|\t|\s?\|\s)"  # a file with numbered lines
    r"|[^\s:]{1,200}:\d+:"  # a search
    r"|[d-][rwx-]{9}[.+@]?\s"  # a listing
    r"|(?:\./|/)?(?:[\w.@-]{1,80}/){1,30}[\w.@-]{1,80}$"  # paths alone
)


def tokens(text: str) -> int:
    """About how many a model would count: a quarter of the bytes in UTF-8, which holds for most scripts."""
    return -(-len(" ".join(text.split()).encode(errors="replace")) // 4)


def length(result: Result, _: str) -> Iterator[Fault]:
    if (count := tokens(result.summary)) > MOST_TOKENS:
        yield Fault(
            f"the summary has about {count} tokens (shorten it to {MOST_TOKENS}; the rest belongs to the "
            "findings)",
            "summary",
        )


def not_raw(result: Result, _: str) -> Iterator[Fault]:
    for name, most in (("summary", RAW_IN_SUMMARY), ("findings", RAW_IN_FINDINGS)):
        if (count := _longest_run(getattr(result, name))) >= most:
            yield Fault(f"{count} lines on end look like a tool's output (say what they show)", name)


def _longest_run(text: str) -> int:
    longest = run = 0
    for line in text.split("\n"):
        run = run + 1 if _RAW.match(line) else 0
        longest = max(longest, run)
    return longest

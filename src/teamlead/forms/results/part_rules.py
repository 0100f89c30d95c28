"""The rules about parts of a report: which it needs, how long they may be, and which make it better.

It needs the findings in their form, an error where it failed, blockers, and the checklist. Its summary is
short, and not what a tool printed.
"""

import re
from collections.abc import Iterator
from typing import Final

from teamlead.core.reports import (
    Checklist,
    DesignFindings,
    ExplorationFindings,
    Result,
)
from teamlead.forms.results.breaches import Asked, Fault
from teamlead.forms.results.kinds import KINDS

BOXES: Final = {
    "references_valid": "every file:line reference exists",
    "snippets_match": "quoted code matches the files",
    "no_invented_paths": "no path is invented",
    "evidence_documented": "each finding has its evidence",
}

DONE: Final = frozenset({"SUCCESS", "ALREADY_DONE"})
WITH_WORK: Final = frozenset({"SUCCESS", "PARTIAL"})
"""Whose findings have a form: there is something to tell of."""

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


def sections(result: Result, asked: Asked) -> Iterator[Fault]:
    kind = KINDS.get(asked.form)
    if result.status == "FAILED" and result.error is None:
        yield Fault("it failed, and tells no error (say its type and message under Error)", "error")
    elif result.status == "IMPOSSIBLE" and not result.tried:
        yield Fault("it cannot be done, and nothing was tried (say under Tried what you tried)", "tried")
    elif kind and result.status in WITH_WORK and not isinstance(result.details, kind.shape):
        yield Fault(f"the findings are not in the form {asked.form!r} (it asks for: {kind.asks})", "details")
    elif isinstance(result.details, DesignFindings) and not result.details.decision.strip():
        yield Fault("the design names no decision (say it)", "details")


def blockers(result: Result, _: Asked) -> Iterator[Fault]:
    if result.status not in DONE and not result.blockers:
        yield Fault(
            f"it ended as {result.status}, and reports no blocker (say under Blockers what kept it from "
            "being done, and what would remove it)",
            "blockers",
        )
    for number, blocker in enumerate(result.blockers):
        if not blocker.text.strip():
            yield Fault("the blocker says nothing (say what it is)", f"blockers[{number}]")


def checklist(result: Result, _: Asked) -> Iterator[Fault]:
    given = result.checklist or Checklist()
    if open_boxes := [text for name, text in BOXES.items() if not getattr(given, name)]:
        yield Fault(
            f"not confirmed: {', '.join(open_boxes)} (check it, then tick it under Verification)", "checklist"
        )


def resolutions(result: Result, _: Asked) -> Iterator[Fault]:
    for number, blocker in enumerate(result.blockers):
        if not blocker.resolution.strip():
            yield Fault(f"nothing is said to remove the blocker {blocker.text[:60]!r}", f"blockers[{number}]")


def tokens(text: str) -> int:
    """About how many a model would count: a quarter of the bytes in UTF-8, which holds for most scripts."""
    return -(-len(" ".join(text.split()).encode(errors="replace")) // 4)


def length(result: Result, _: Asked) -> Iterator[Fault]:
    if (count := tokens(result.summary)) > MOST_TOKENS:
        yield Fault(
            f"the summary has about {count} tokens (shorten it to {MOST_TOKENS}; the rest belongs to the "
            "findings)",
            "summary",
        )


def not_raw(result: Result, _: Asked) -> Iterator[Fault]:
    for name, most in (("summary", RAW_IN_SUMMARY), ("findings", RAW_IN_FINDINGS)):
        if (count := _longest_run(getattr(result, name))) >= most:
            yield Fault(f"{count} lines on end look like a tool's output (say what they show)", name)


def _longest_run(text: str) -> int:
    longest = run = 0
    for line in text.split("\n"):
        run = run + 1 if _RAW.match(line) else 0
        longest = max(longest, run)
    return longest


def next_steps(result: Result, _: Asked) -> Iterator[Fault]:
    if result.status not in DONE and not result.next_steps:
        yield Fault("it is not done, and names no next step (say what should be done)", "next_steps")


def recovery_options(result: Result, _: Asked) -> Iterator[Fault]:
    if result.error is not None and not result.error.recovery:
        yield Fault("the error comes without a way to recover (suggest some)", "error")


def trade_offs(result: Result, _: Asked) -> Iterator[Fault]:
    if isinstance(result.details, DesignFindings) and not result.details.trade_offs:
        yield Fault("the design weighs nothing (name the trade-offs)", "details")


def patterns_found(result: Result, _: Asked) -> Iterator[Fault]:
    if isinstance(result.details, ExplorationFindings) and not result.details.patterns:
        yield Fault("no pattern is named (name those that new code should follow)", "details")

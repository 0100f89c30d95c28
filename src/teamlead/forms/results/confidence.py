"""How sure a result may say it is, and what it has to show for it."""

import math
from collections.abc import Iterator
from typing import Final

from teamlead.core.reports import Result
from teamlead.forms.results.breaches import Asked, Fault

BANDS: Final = ((95, "certain"), (85, "high"), (75, "medium"), (60, "low"), (0, "uncertain"))
"""From which score on. certain: direct evidence, verified by execution. uncertain: it should ask."""

NEEDS_BREAKDOWN: Final = 75
NEEDS_JUSTIFICATION: Final = 85
NEEDS_UNCERTAINTY: Final = 70
"""Below it."""


def band(score: float) -> str:
    return next(name for least, name in BANDS if score >= least)


def breakdown(result: Result, _: Asked) -> Iterator[Fault]:
    if result.confidence >= NEEDS_BREAKDOWN and result.breakdown is None:
        yield Fault(
            f"a confidence of {result.confidence:g} needs its breakdown (from {NEEDS_BREAKDOWN} on, say "
            "verified_confidence and inferred_confidence; their mean is the confidence)",
            "breakdown",
        )


def formula(result: Result, _: Asked) -> Iterator[Fault]:
    """The confidence is the mean of its two parts, exactly or as a whole number."""
    parts = result.breakdown
    if parts is None:
        return
    stated = {"breakdown.combined": parts.combined, "confidence": result.confidence}
    for path, number in stated.items():
        if number is not None and not _rounds(parts.mean, number):
            name = "the combined confidence" if path != "confidence" else "the confidence"
            yield Fault(
                f"{name} is {number:g}, but ({parts.verified:g} + {parts.inferred:g}) / 2 = {parts.mean:g} "
                f"(say {parts.mean:g})",
                path,
            )


def _rounds(mean: float, stated: float) -> bool:
    if math.isclose(mean, stated, abs_tol=0.005):
        return True
    return stated.is_integer() and abs(mean - stated) <= 0.5


def justification(result: Result, _: Asked) -> Iterator[Fault]:
    if not result.confidence_reason.strip():
        yield Fault("the confidence has no reason (say why it is that, behind the number)", "confidence")
    if result.confidence < NEEDS_JUSTIFICATION:
        return
    given = result.justification
    if given is None:
        yield Fault(
            f"a confidence of {result.confidence:g} needs its justification (from {NEEDS_JUSTIFICATION} on, "
            "say score, evidence count, verification method and possible blind spots)",
            "justification",
        )
        return
    if not _rounds(result.confidence, given.score) and not _rounds(given.score, result.confidence):
        yield Fault(
            f"the justification is for {given.score:g}, the confidence is {result.confidence:g} "
            "(justify the one that you state)",
            "justification",
        )
    if given.evidence_count == 0:
        yield Fault("it counts no direct evidence (find some, or be less sure)", "justification")
    for name, text in (("verification method", given.method), ("possible blind spots", given.blind_spots)):
        if not text.strip():
            yield Fault(f"it names no {name} (add them)", "justification")


def uncertainty(result: Result, _: Asked) -> Iterator[Fault]:
    if result.confidence < NEEDS_UNCERTAINTY and not result.uncertainty.strip():
        yield Fault(
            f"a confidence of {result.confidence:g} needs a section about it (below {NEEDS_UNCERTAINTY}, "
            "say under Uncertainty what you are not sure of)",
            "uncertainty",
        )


def should_ask(result: Result, _: Asked) -> Iterator[Fault]:
    if band(result.confidence) == "uncertain":
        yield Fault(f"a confidence of {result.confidence:g} is a guess: it should have asked", "confidence")

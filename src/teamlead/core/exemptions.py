"""What a lead may do itself. Each is a permission and needs all of its conditions; every use is logged."""

from collections.abc import Iterable
from typing import NamedTuple

from teamlead.errors import Refused


class Exemption(NamedTuple):
    conditions: dict[str, str]
    """All must hold; by id, in words."""
    cost: str
    """Of the lead's context."""
    alternative: str
    """What it would cost otherwise."""
    why: str


EXEMPTIONS: dict[str, Exemption] = {
    "quick-lookup": Exemption(
        {
            "files": "at most 3 files",
            "lines-per-file": "at most 200 lines of each",
            "lines": "at most 300 lines in total",
            "purpose": "to see one value or section, not to analyse",
            "time": "in less than 10 seconds",
        },
        "about 100 tokens",
        "about 700 tokens",
        "one value is not worth an agent",
    ),
    "fallback-read": Exemption(
        {
            "agent-failed": "an agent failed or ran out of time, and again when it was tried once more",
            "files": "at most 3 files",
            "lines-per-file": "at most 200 lines of each",
        },
        "about 200 tokens",
        "the user is blocked",
        "a failed agent must not block the user",
    ),
    "trivial-edit": Exemption(
        {
            "lines": "at most 2 lines",
            "meaning": "no effect on the meaning",
            "judgement": "nothing to decide",
            "occasion": "the user asked for speed, or an agent failed twice, or only the form changes",
        },
        "about 50 tokens",
        "about 1000 tokens",
        "an obvious correction is not worth an agent",
    ),
    "metadata-read": Exemption(
        {"own-state": "only files in which the lead keeps its own state"},
        "about 30 tokens",
        "about 500 tokens",
        "this is no content of the project",
    ),
}


def check_conditions(name: str, met: Iterable[str]) -> None:
    """A partial match is none. Raises Refused."""
    held = frozenset(met)
    missing = [text for key, text in EXEMPTIONS[name].conditions.items() if key not in held]
    if missing:
        raise Refused(
            f"{name!r} does not apply, because it needs: {'; '.join(missing)}", remedy="delegate it instead"
        )

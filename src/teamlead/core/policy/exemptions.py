"""What a lead may do itself, and how much it may read.

Each is a permission and needs all of its conditions; every use is logged.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

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


Context = Literal["reference", "fallback", "metadata", "presentation"]
"""What a lead reads for. reference: a quick lookup in the middle of a phase. fallback: after an agent failed
twice. metadata: the lead's own state. presentation: shown to the user, and not analysed."""


class Limit(NamedTuple):
    """None: no limit."""

    files: int | None = None
    lines_per_file: int | None = None
    lines: int | None = None


LIMITS: dict[Context, Limit] = {
    "reference": Limit(3, 200, 300),
    "fallback": Limit(3, 200),
    "metadata": Limit(),
    "presentation": Limit(lines=300),
}


class Portion(NamedTuple):
    """What is read of one file."""

    path: str
    lines: int


def excess(portions: Sequence[Portion], context: Context) -> str:
    """Which limit these portions exceed, in words; empty if none."""
    limit = LIMITS[context]
    files = {portion.path for portion in portions}
    if limit.files is not None and len(files) > limit.files:
        return f"{len(files)} files are more than the {limit.files} of a lookup"
    for path in sorted(files):
        lines = sum(portion.lines for portion in portions if portion.path == path)
        if limit.lines_per_file is not None and lines > limit.lines_per_file:
            return f"{lines} lines of {path} are more than the {limit.lines_per_file} a file"
    total = sum(portion.lines for portion in portions)
    if limit.lines is not None and total > limit.lines:
        return f"{total} lines are more than the {limit.lines} in total"
    return ""

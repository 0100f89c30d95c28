"""What speaks for or against a piece of work, as code found it."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from teamlead.core.model import Value

EvidenceKind = Literal[
    "activity",
    "change",
    "scope",
    "outputs",
    "secrets",
    "report",
    "references",
    "claims",
    "tests",
    "check",
    "judge",
    "merged",
    "whole",
]

Verdict = Literal["proven", "refused", "objected", "flagged", "unknown"]
"""refused: it cannot be accepted. objected: a person may accept it nevertheless. flagged: somebody should
look at it. unknown: code could not tell."""

RoomKind = Literal["", "none", "landlock", "seatbelt", "bubblewrap", "strict"]
"""What a check ran in: no room, no full room (landlock, seatbelt), or a full one. Empty: nobody noted it."""


class Evidence(Value, frozen=True):
    """One thing that was looked at, and how to look at it again."""

    kind: EvidenceKind
    verdict: Verdict
    claim: str
    """What was required or said."""
    found: str
    command: str = ""
    """Repeats it, from the repository's root."""
    details: tuple[str, ...] = ()
    log: str = ""
    """Where the whole output is kept."""

    @property
    def told(self) -> tuple[str, ...]:
        """All of it, line by line, nothing twice."""
        return (self.found, *(detail for detail in self.details if not self.found.startswith(detail)))


def in_brief(details: Sequence[str]) -> str:
    """For where there is room for one line."""
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    return f"{details[0]}{more}"


TestStatus = Literal["passed", "failed", "skipped"]


class SuiteRun(Value, frozen=True):
    """What a test program reported."""

    runner: str
    """pytest, unittest, jest, vitest, go, cargo or junit."""
    passed: int
    failed: int
    skipped: int
    names: dict[str, TestStatus] | None = None
    """By the name of the test, as far as it told names; None where it told numbers only."""

    @property
    def numbers(self) -> "SuiteRun":
        """Without the names, which may be many."""
        return SuiteRun(self.runner, self.passed, self.failed, self.skipped)

    @property
    def ran(self) -> int:
        return self.passed + self.failed

    @property
    def total(self) -> int:
        return self.ran + self.skipped

    @property
    def complete(self) -> bool:
        """Every test has its name."""
        found = Counter((self.names or {}).values())
        return (found["passed"], found["failed"], found["skipped"]) == (
            self.passed,
            self.failed,
            self.skipped,
        )


class BaseRun(Value, frozen=True):
    """What the same command came to on the commit that a change started from."""

    exit_code: int | None
    """None: it did not end in time."""
    suite: SuiteRun | None = None


class SuiteDelta(Value, frozen=True):
    """The tests of a change against those of its base. Names, the first of them, or a sentence of numbers."""

    new_failures: tuple[str, ...] = ()
    old_failures: tuple[str, ...] = ()
    """That failed before, too."""
    fixed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    """That pass, and were not there before."""
    vanished: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    """That ran before."""
    flaky: tuple[str, ...] = ()
    """That failed, and passed when repeated."""

    @property
    def lost(self) -> tuple[str, ...]:
        return (*self.vanished, *self.skipped)

    @property
    def progress(self) -> bool:
        """Something passes now that did not before."""
        return bool(self.fixed or self.added)

"""What speaks for or against a piece of work, as code found it."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from teamlead.core.model import Change, Value
from teamlead.core.reports import Feedback, Result

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
    "proof",
    "example",
    "judge",
    "merged",
    "whole",
]

Verdict = Literal["proven", "refused", "objected", "flagged", "unknown"]
"""refused: it cannot be accepted. objected: a person may accept it nevertheless. flagged: somebody should
look at it. unknown: code could not tell."""

RoomKind = Literal["", "none", "landlock", "seatbelt", "bubblewrap", "strict"]
"""What a check ran in: no room, no full room (landlock, seatbelt), or a full one. Empty: nobody noted it."""


CHECKS_PROVE_IT = "its checks show that it is done"
USED_AS_BY_ALL = "tests use what they test as everybody does"
MADE_BY_GENERATOR = "what is generated was made by its generator"
ASSERTED_AS_BEFORE = "tests assert as much as before"
"""A claim that is held against the text of tests alone."""


ASKED = 3


def still_shown(details: Sequence[str]) -> str:
    """What a judge is asked where the text of tests says less than before: a few of it, and how many more."""
    more = f"; and {len(details) - ASKED} more" if len(details) > ASKED else ""
    told = "; ".join(details[:ASKED])
    return f"Which sentence of the plan asks for this, and do the tests still show the same? {told}{more}"


class GoneTest(Value, frozen=True):
    """A test that a change deletes, or marks so that it may be left out."""

    file: str
    name: str = ""
    """As its source calls it; empty: every test of the file."""


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
    question: str = ""
    """What code cannot tell, for a judge to answer; empty where there is nothing to ask."""
    hidden: bool = False
    """Neither agents nor models are told what it is: they could do just that."""
    gone: tuple[GoneTest, ...] = ()
    """Of what is objected to, only where it speaks of nothing else."""

    @property
    def told(self) -> tuple[str, ...]:
        """All of it, line by line, nothing twice."""
        return (self.found, *(detail for detail in self.details if not self.found.startswith(detail)))


MOST_DETAILS = 30
LONGEST = 2000
"""Characters of one sentence: all of it is kept in the journal."""


def bounded(item: Evidence) -> Evidence:
    details = tuple(detail[:LONGEST] for detail in item.details[:MOST_DETAILS])
    return replace(item, claim=item.claim[:LONGEST], found=item.found[:LONGEST], details=details)


def in_brief(details: Sequence[str]) -> str:
    """For where there is room for one line."""
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    return f"{details[0]}{more}"


TestStatus = Literal["passed", "failed", "skipped"]


class SuiteRun(Value, frozen=True):
    """What a test program reported."""

    runner: str
    """pytest, unittest, jest, vitest, mocha, node, tap, go, cargo or junit; "a+b" for several."""
    passed: int
    failed: int
    skipped: int
    names: dict[str, TestStatus] | None = None
    """By the name of the test, as far as it told names; None where it told numbers only."""

    @property
    def programs(self) -> tuple[str, ...]:
        return tuple(self.runner.split("+"))

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
    replaced: tuple[str, ...] = ()
    """That are gone while another, of quite another name, is new in the same place: "old → new"."""

    @property
    def lost(self) -> tuple[str, ...]:
        return (*self.vanished, *self.skipped)

    @property
    def progress(self) -> bool:
        """Something passes now that did not before."""
        return bool(self.fixed or self.added)


class CheckResult(Value, frozen=True, kw_only=True):
    """How a command ended that an attempt's work has to pass, held against the same command on its base."""

    command: str
    exit_code: int | None
    """None: it did not end in time."""
    seconds: float = 0.0
    output: str = ""
    """The last lines, for the next prompt and for the user."""
    log: str = ""
    """Where the whole output is kept."""
    suite: SuiteRun | None = None
    """Numbers only."""
    base: BaseRun | None = None
    """None: not asked for, or it could not be told."""
    delta: SuiteDelta | None = None
    by_number: str = ""
    """Why tests were not compared by name, where they were not."""
    unseen: tuple[str, ...] = ()
    """Files that were made garbage in a clean copy, and the check passed there, too."""
    room: RoomKind = ""

    @property
    def passed(self) -> bool:
        return self.exit_code == 0


class Cost(Value, frozen=True):
    """Of one kind of further runs."""

    of: str
    runs: int
    seconds: float


class Proofs(Value, frozen=True):
    """What further runs came to, besides a task's checks."""

    evidence: tuple[Evidence, ...] = ()
    acquits: bool = False
    """The tests of the base hold on the new source, so that nothing is hidden by what tests say now."""
    retested: bool = False
    """The tests of the base were run on the new source, each told by its name: what came out decides, not
    what the text of tests says."""
    runs: int = 0
    seconds: float = 0.0
    costs: tuple[Cost, ...] = ()
    """Of which these consist."""

    def beside(self, other: "Proofs") -> "Proofs":
        return Proofs(
            (*self.evidence, *other.evidence),
            acquits=self.acquits or other.acquits,
            retested=self.retested or other.retested,
            runs=self.runs + other.runs,
            seconds=round(self.seconds + other.seconds, 2),
            costs=(*self.costs, *other.costs),
        )


class Examined(Value, frozen=True):
    """What an examination of an agent's claims came to."""

    result: Result | None = None
    """As handed in, or as read from its last words."""
    feedback: Feedback | None = None
    """As read from its last words."""
    evidence: tuple[Evidence, ...] = ()
    """An item that is refused or objected to says in `found` what to do differently."""


class Found(Value, frozen=True):
    """What a copy holds beyond its base, committed by the lead."""

    commit: str
    """Empty if nothing differs from the base."""
    changes: tuple[Change, ...] = ()
    unmerged: tuple[str, ...] = ()
    """Paths with an unfinished merge."""
    trespasses: tuple[str, ...] = ()
    """What the agent changed outside of its copy, one sentence each."""
    remarks: tuple[str, ...] = ()
    """What was changed there, too, and may have been the user's own doing."""
    tree: str = ""
    """A name for what the work holds: the same for the same."""
    findings: str = ""
    """What a member of a team left as files of findings."""


class Work(Value, frozen=True, kw_only=True):
    """What is kept of the work that was found: its list of changes has no bound, and stays with git."""

    commit: str = ""
    tree: str = ""
    files: int = 0
    added: int = 0
    deleted: int = 0
    paths: tuple[str, ...] = ()
    """The first of them, for people."""
    findings: str = ""
    """What it left as files of findings, beside what it handed in."""
    trespasses: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    """What was found by examining it. What only the numbers above say is not repeated."""


SHOWN_PATHS = 50


def kept_of(found: Found, evidence: tuple[Evidence, ...]) -> Work:
    return Work(
        commit=found.commit,
        tree=found.tree,
        files=len(found.changes),
        added=sum(change.added for change in found.changes),
        deleted=sum(change.deleted for change in found.changes),
        paths=tuple(change.path for change in found.changes[:SHOWN_PATHS]),
        findings=found.findings,
        trespasses=found.trespasses,
        remarks=found.remarks,
        evidence=evidence,
    )

"""What agents hand in: held to its contract, summed up, and its references looked up."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from teamlead.core.evidence.references import Reason, Standing
from teamlead.core.reports import Result, ResultStatus, Severity
from teamlead.core.rules import Level

AggregateStatus = Literal["SUCCESS", "PARTIAL", "FAILED"]


class ResultProblemPart(TypedDict):
    """`set_aside`: the reason why a soft rule does not count here. `blocking`: the result is not accepted."""

    rule: str
    level: Level
    message: str
    line: int | None
    set_aside: str
    blocking: bool


class CheckedResultPart(TypedDict):
    """`result` is null if a part of it is missing. `band`: how sure its agent is, in a word."""

    file: str
    ok: bool
    problems: Sequence[ResultProblemPart]
    flags: Sequence[str]
    band: str | None
    result: Result | None


class ResultCheckDocument(TypedDict):
    """`teamlead result check`."""

    ok: bool
    results: Sequence[CheckedResultPart]


class OpinionPart(TypedDict):
    """What one role says of one place. `clears`: that nothing is wrong there."""

    role: str
    file: str
    category: str
    severity: Severity | None
    clears: bool
    confidence: float
    text: str


class CombinedIssuePart(TypedDict):
    """One issue, whoever reported it. `evidence`: what is quoted for it."""

    place: str
    category: str
    severity: Severity
    text: str
    evidence: str
    suggestion: str
    highest_confidence: float
    combined_confidence: float
    roles: Sequence[str]
    contested: bool
    opinions: Sequence[OpinionPart]


class ContradictionPart(TypedDict):
    """Opinions of one place that a person has to choose between."""

    place: str
    reason: str
    opinions: Sequence[OpinionPart]


class SummedResultPart(TypedDict):
    file: str
    role: str
    status: ResultStatus
    confidence: float
    summary: str
    error: str


class BlockerPart(TypedDict):
    file: str
    text: str
    resolution: str


class LeftOutPart(TypedDict):
    """A result that breaks the contract."""

    file: str
    problems: Sequence[str]


class AggregateDocument(TypedDict):
    """`teamlead result aggregate`: the surest issue first."""

    status: AggregateStatus
    next: Literal["proceed", "review", "handle-errors"]
    results: Sequence[SummedResultPart]
    issues: Sequence[CombinedIssuePart]
    contradictions: Sequence[ContradictionPart]
    blockers: Sequence[BlockerPart]
    left_out: Sequence[LeftOutPart]


class ReferencePart(TypedDict):
    """A place that was cited. `line`: where the quoted code stands, if it moved."""

    place: str
    standing: Standing
    reason: Reason | None
    note: str
    line: int | None


class CitingReportPart(TypedDict):
    name: str
    ok: bool
    summary: str
    references_total: int
    references_valid: int
    references: Sequence[ReferencePart]


class ReferencesDocument(TypedDict):
    """`teamlead refs verify`. `commit` is empty where the files are checked as they lie there."""

    ok: bool
    commit: str
    reports: Sequence[CitingReportPart]

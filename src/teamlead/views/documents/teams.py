"""Teams that presets describe, and which of them fits a task."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from teamlead.core.transitions import StagePhase

Origin = Literal["built in", "user", "repository"]


class TeamProblemPart(TypedDict):
    """`line` is 1 where the file itself is the problem."""

    file: str
    line: int
    severity: Literal["error", "warning"]
    message: str
    remedy: str


class TeamPart(TypedDict):
    """A preset, as far as its front matter tells. `hides`: places of those of its name that it stands before.

    `path` is empty for ours. `usable`: its front matter has no errors.
    """

    name: str
    description: str
    keywords: Sequence[str]
    origin: Origin
    path: str
    hides: Sequence[str]
    usable: bool


class TeamListDocument(TypedDict):
    """`teamlead team list`: in the order in which the first of several that fit equally is taken."""

    teams: Sequence[TeamPart]
    problems: Sequence[TeamProblemPart]


class TeamMemberPart(TypedDict):
    """`agent`: its program; empty: settings or session say. `function`: of the engine, in its place."""

    name: str
    role: str
    agent: str
    function: str


class TeamTaskPart(TypedDict):
    """What a member does in a stage. Null: the preset does not say, and its role decides."""

    member: str
    instructions: str
    form: str
    writes: Sequence[str] | None
    outputs: Sequence[str]
    checks: Sequence[str]
    model: str
    tools: Sequence[str] | None
    after: Sequence[str]
    approved_by_user: bool


class ReopeningPart(TypedDict):
    """The stages that are done again while a critical finding stands, at most so many `times`."""

    stages: Sequence[str]
    times: int


class TeamStagePart(TypedDict):
    """`depends_on`: stages. `parallel`: its members work at the same time."""

    name: str
    phase: StagePhase
    parallel: bool
    depends_on: Sequence[str]
    tasks: Sequence[TeamTaskPart]
    reopens: ReopeningPart | None


class FindingCardPart(TypedDict):
    name: str
    sections: Sequence[str]


class TeamShowDocument(TypedDict):
    """`teamlead team show`. `asks_for`: what a repository's needs your consent for; `allowed`: it has it."""

    team: TeamPart
    members: Sequence[TeamMemberPart]
    stages: Sequence[TeamStagePart]
    cards: Sequence[FindingCardPart]
    asks_for: Sequence[str]
    allowed: bool
    problems: Sequence[TeamProblemPart]
    text: str


class TeamCheckDocument(TypedDict):
    """`teamlead team check`. `files`: what was looked at."""

    ok: bool
    files: Sequence[str]
    problems: Sequence[TeamProblemPart]


class TeamScorePart(TypedDict):
    """`score`: how many of its keywords the task has."""

    name: str
    score: int
    keywords: Sequence[str]


class TeamSelectDocument(TypedDict):
    """`teamlead team select`. `chosen` is empty where no keyword is met; then `proposal` is a preset."""

    task: str
    chosen: str
    scores: Sequence[TeamScorePart]
    proposal: str
    problems: Sequence[TeamProblemPart]

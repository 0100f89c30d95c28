"""What is run and looked into to find out whether work holds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from teamlead.core.answers import Example
from teamlead.core.evidence.obstacles import Obstacle
from teamlead.core.evidence.values import CheckResult, Examined, Proofs, RoomKind, SuiteRun
from teamlead.core.model import Change, TaskSpec
from teamlead.core.reports import Result
from teamlead.core.runs import Consultant
from teamlead.ports.rooms import Room


class CheckEnd(NamedTuple):
    exit_code: int | None
    seconds: float
    output: str
    log: str
    suite: SuiteRun | None = None
    """What its output says about tests; None where it is no known test program's."""
    room: RoomKind = ""
    earlier: bool = False
    """Another session found it out: good enough to begin with, and tried again before anybody is blamed."""
    remembered: bool = False
    """Nothing was run for this answer."""


class Checker(Protocol):
    async def check(
        self,
        command: str,
        cwd: Path,
        log: Path,
        timeout: float,  # noqa: ASYNC109 - a bound on the command, not on this call
        slot: int,
        *,
        room: Room | None = None,
        environment: Mapping[str, str] = {},
    ) -> CheckEnd:
        """`environment`: what the command finds in it besides what every check does."""
        ...


class Trials(Protocol):
    """Commands on clean copies of commits: of a base, and of merged work. What one came to is remembered."""

    async def run(
        self,
        commit: str,
        command: str,
        timeout: float,  # noqa: ASYNC109 - as above
        *,
        repetition: int = 0,
        environment: Mapping[str, str] = {},
        afresh: bool = False,
    ) -> CheckEnd:
        """Each `repetition` is a run of its own, and so is one with another `environment`.

        `afresh`: it is run also where it is remembered, and is remembered in the place of that.
        """
        ...


class Obstacles(Protocol):
    """What is in the way of checks in a copy, whoever works there."""

    async def explain(self, command: str, end: CheckEnd, limit: float) -> Obstacle | None:
        """Of a command that ended so on a clean copy of the base. None: agents may make it pass.

        `limit`: the seconds that it had.
        """
        ...


class NegativeControl(Protocol):
    """Where checks might look elsewhere than at the copy that they run in."""

    async def unseen(self, command: str, base: str, commit: str, timeout: float) -> tuple[str, ...]:  # noqa: ASYNC109 - as above
        """For a command that passes on a commit: files of it in which it does not notice garbage.

        Nothing: it sees what was changed since `base`, or there is nothing that it could be expected to see.
        """
        ...


class Merged(NamedTuple):
    """What another task of the same session has brought in."""

    task: str
    title: str
    base: str
    commit: str
    paths: frozenset[str] | None
    """That it changed; None: more than are kept."""
    built_on: bool
    """The plan says that the work at hand builds on it."""


class Claim(NamedTuple):
    """What an attempt says it did, and what it did."""

    task: TaskSpec
    attempt: int
    checks: tuple[str, ...]
    """The commands that it has to pass."""
    text: str
    """The agent's last words."""
    result: Result | None
    """What it handed in while it worked; None: its result is in its last words, if anywhere."""
    base: str
    commit: str
    """Empty if nothing changed."""
    copies: tuple[Path, ...]
    """The copy's names: on disk, and as the agent saw it."""
    folder: Path
    """Of the attempt, for what is to be kept."""
    changes: tuple[Change, ...] = ()
    """Empty where the two commits tell enough."""
    own_git: Path | None = None
    """The git directory that its agent worked with; None: nobody knows."""
    merged: tuple[Merged, ...] = ()
    """The latest work of other tasks of the session."""
    findings: str = ""
    """What it left as files of findings."""


class Examiner(Protocol):
    """Holds what an agent says against its contract and against the repository."""

    async def examine(self, claim: Claim) -> Examined: ...


class Case(NamedTuple):
    """Work whose checks have passed."""

    claim: Claim
    checks: tuple[CheckResult, ...]
    timeout: float
    """Seconds that each run may take."""
    times: float
    """Runs may take so many times as long as the checks, all together."""


class Prover(Protocol):
    """Finds out by further runs whether checks that passed show that the work is done."""

    async def prove(self, case: Case) -> Proofs:
        """What cannot be tried speaks neither for nor against the work."""
        ...

    async def try_out(
        self,
        commit: str,
        examples: Sequence[Example],
        timeout: float,  # noqa: ASYNC109 - as above
        *,
        by: Consultant = "judge",
    ) -> Proofs:
        """Whether programs give there what somebody expected who has not seen the work."""
        ...

"""What is run and looked into to find out whether work holds."""

from pathlib import Path
from typing import NamedTuple, Protocol

from teamlead.core.evidence.values import Examined, RoomKind, SuiteRun
from teamlead.core.model import Change, TaskSpec
from teamlead.core.reports import Result
from teamlead.ports.rooms import Room


class CheckEnd(NamedTuple):
    exit_code: int | None
    seconds: float
    output: str
    log: str
    suite: SuiteRun | None = None
    """What its output says about tests; None where it is no known test program's."""
    room: RoomKind = ""


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
    ) -> CheckEnd: ...


class Trials(Protocol):
    """Commands on clean copies of commits: of a base, and of merged work. What one came to is remembered."""

    async def run(self, commit: str, command: str, timeout: float, *, repetition: int = 0) -> CheckEnd:  # noqa: ASYNC109 - as above
        """Each `repetition` is a run of its own."""
        ...


class NegativeControl(Protocol):
    """Where checks might look elsewhere than at the copy that they run in."""

    async def unseen(self, command: str, base: str, commit: str, timeout: float) -> tuple[str, ...]:  # noqa: ASYNC109 - as above
        """For a command that passes on a commit: files of it in which it does not notice garbage.

        Nothing: it sees what was changed since `base`, or there is nothing that it could be expected to see.
        """
        ...


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
    changes: tuple[Change, ...]
    copies: tuple[Path, ...]
    """The copy's names: on disk, and as the agent saw it."""
    folder: Path
    """Of the attempt, for what is to be kept."""


class Examiner(Protocol):
    """Holds what an agent says against its contract and against the repository."""

    async def examine(self, claim: Claim) -> Examined: ...

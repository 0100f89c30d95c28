"""The working copies and branches of a session."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from teamlead.core.evidence.values import Found
from teamlead.core.model import Trespass
from teamlead.ports.rooms import Room


class Copy(NamedTuple):
    path: Path
    base: str
    kept: str = ""
    """The ref that keeps what an earlier copy held and no branch does; "" if there is none."""


class Applied(NamedTuple):
    commit: str
    before: str
    undo: str


NO_FILES: Mapping[str, str] = {}


class Loan(NamedTuple):
    """A clean copy of a commit, for a command."""

    path: Path
    number: int
    """Unique among those lent at one time, from 0."""
    logs: Path
    """For what the command says. As long as it runs, it holds `alive.lock` there."""
    room: Room | None = None
    """As with RunSpec."""


class Workspace(Protocol):
    """The working copies and branches of one session."""

    def path(self, task: str) -> Path:
        """Where the task's copy is or would be."""
        ...

    def room(self, task: str) -> Room | None:
        """What a program in the task's copy sees of the machine; None: all that the user sees."""
        ...

    async def prepare(
        self, task: str, attempt: int, bases: Sequence[str], fallback: str, *, fresh: bool
    ) -> Copy:
        """A copy on the branch of the task. Without `fresh` an earlier attempt's copy is continued.

        Raises MergeConflict if the bases neither merge with each other nor are all in `fallback`.
        """
        ...

    async def hand_over(self, task: str, files: Mapping[str, str]) -> None:
        """Puts files into the copy for its agent to read, by their paths there. They are nobody's work."""
        ...

    async def collect(self, task: str, attempt: int, base: str, title: str, summary: str) -> Found:
        """Commits what the copy holds, as one commit on `base`, to the task's branch."""
        ...

    async def disregard(self, task: str) -> None:
        """What differs from the collected work by now was left by its checks: it is never counted as work."""
        ...

    async def integrate(self, task: str, commit: str, title: str) -> str:
        """Merges to the integration branch; returns its tip. Raises MergeConflict with both sides shown."""
        ...

    async def integration_tip(self) -> str: ...

    async def merged(self, task: str, attempt: int) -> str:
        """The attempt's commit, if the integration branch holds it already; else ""."""
        ...

    async def release(self, task: str) -> str:
        """Lets the copy go. Returns the ref that keeps what is on no branch, or "".

        A copy whose work cannot be kept stays, and its path is returned.
        """
        ...

    async def look(self) -> tuple[Trespass, ...]:
        """What was changed in the user's repository, not by them by the looks of it, and is not put right."""
        ...

    async def tree(self, commit: str) -> str:
        """A name for what a commit holds: the same for commits that hold the same."""
        ...

    async def snapshot(self, task: str) -> str:
        """A commit of what the copy holds while an agent is at work in it; "" where that cannot be told.

        Nothing that anybody else sees changes by it. The same content on the same base has the same name,
        a copy without changes that of its base. Known to this workspace alone, and until it is closed.
        """
        ...

    async def try_merge(self, one: str, other: str) -> tuple[str, ...]:
        """The paths in which two commits conflict, snapshots too."""
        ...

    async def difference(self, before: str, after: str) -> str:
        """What changed from one commit to another, as a patch."""
        ...

    def borrow(
        self, commit: str, *, provided: bool = True, files: Mapping[str, str] = NO_FILES
    ) -> AbstractAsyncContextManager[Loan]:
        """A copy of the commit that no agent was in. It goes with all that is in it.

        `provided`: with what the user's settings add to every copy. `files`: laid beside, as those that are
        handed over to a task.
        """
        ...

    async def tidy(self) -> None:
        """Removes borrowed copies that an earlier leader did not come to give back."""
        ...

    async def roll_back(self) -> tuple[str, ...]:
        """Takes the session's branches away. Returns the refs that keep what they held, each time."""
        ...

    async def applied(self, commit: str, branch: str) -> Applied | None:
        """What `apply` brought to the branch before; None if it did not."""
        ...

    async def apply(self, commit: str, branch: str, *, squash: bool, sign: bool, message: str) -> Applied:
        """Brings the work onto the user's branch, by compare-and-swap. Raises Refused or MergeConflict."""
        ...

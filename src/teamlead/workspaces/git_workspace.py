"""The Workspace port on git.

git is called in threads, so that the loop never waits for it.
"""

import asyncio
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import ParamSpec, Self, TypeVar

from teamlead.core.evidence.values import Found
from teamlead.core.model import Trespass
from teamlead.errors import LockHeld, TeamleadError
from teamlead.ports.leadership import Epoch
from teamlead.ports.rooms import House, Room
from teamlead.ports.workspace import NO_FILES, Applied, Copy, Loan
from teamlead.system.disk import storing
from teamlead.system.exhaustion import exhausted
from teamlead.system.git import UserSettings
from teamlead.system.process_limits import NONE_LEFT
from teamlead.system.repository import Repository
from teamlead.workspaces import (
    approval,
    borrowing,
    collecting,
    copy_room,
    merging,
    preparing,
    releasing,
    sparse,
)
from teamlead.workspaces.copy_folder import CopyFolder
from teamlead.workspaces.fence import Fence
from teamlead.workspaces.provisions import Provisions, alone, run_commands
from teamlead.workspaces.repository_watch import Watch, refuse_changed
from teamlead.workspaces.session_refs import KEEP_IGNORED, POOLED, Session
from teamlead.workspaces.trial_merge import TrialMerge

Given = ParamSpec("Given")
Result = TypeVar("Result")

THREADS = 32
"""They start when needed."""
WATCH = "watch"
"""It waits for no task."""
TRIAL = "a check of the merged work"
TRIAL_MERGE = "trial merge"
"""It waits for no task, and no task for it."""


class GitWorkspace:
    def __init__(
        self,
        repository: Repository,
        settings: UserSettings,
        session: str,
        base_commit: str,
        *,
        copies: Path,
        logs: Path,
        provisions: Provisions = Provisions(),  # noqa: B008 - immutable
        epoch: Epoch = Epoch(),  # noqa: B008 - as above
        keep_ignored: int = KEEP_IGNORED,
        pooled: int = POOLED,
        limited_to: Callable[[str], Sequence[str]] = lambda _: (),
        house: House | None = None,
        roomless: Callable[[str], bool] = lambda _: False,
        leaves_findings: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`house`: what programs in copies run in; None: they see what the user sees.

        `leaves_findings`: whether files of findings that the agent of a task leaves are for its lead.
        `roomless`: whether the agent of a task runs without a room all the same.
        """
        self._fence = Fence(repository.git(settings), session, epoch, logs / "acting.lock")
        self._session = Session(
            repository=repository,
            settings=settings,
            id=session,
            base_commit=base_commit,
            copies=copies.resolve(),
            logs=logs,
            fence=self._fence,
            keep_ignored=keep_ignored,
            pooled=pooled,
            house=house,
            roomless=roomless,
        )
        self._trial_merge = TrialMerge(self._session)
        self._watch = Watch.of(self._session)
        self._provisions = provisions
        self._house = house
        self._rooms: dict[str, Room | None] = {}
        self._limited_to = limited_to
        """The scope that a task's copy is limited to; nothing for a whole one."""
        self._leaves_findings = leaves_findings
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="git")
        self._tasks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._lent: set[int] = set()
        """Numbers of borrowed copies, also of those that could not be removed."""
        self._tidied = False
        """Nothing runs of earlier leaders: when this one leaves, nobody is at work."""

    def __enter__(self) -> Self:
        self._fence.put_up()
        self._trial_merge.clear()
        return self

    def __exit__(self, *_: object) -> None:
        """Leaves after the last call has ended, also one that was given up."""
        self._threads.shutdown()
        self._trial_merge.clear()
        if self._tidied:
            # Where it fails, they count as at work until the next leader has looked.
            with suppress(TeamleadError, OSError):
                self._watch.end_all()
        self._fence.take_down()

    @property
    def changed_files(self) -> tuple[str, ...]:
        """Lists changed files of the user's checkouts: programs without rooms may have changed them."""
        return self._watch.noted_files() if self._house is None else ()

    def path(self, task: str) -> Path:
        return self._copy(task).path

    def room(self, task: str) -> Room | None:
        if task not in self._rooms:
            # Its copy was made by an earlier leader.
            self._rooms[task] = copy_room.furnish(self._copy(task), self._house, self._provisions)
        return self._rooms[task]

    async def prepare(
        self, task: str, attempt: int, bases: Sequence[str], fallback: str, *, fresh: bool
    ) -> Copy:
        copy = self._copy(task)
        (await alone(copy)).close()
        record = await self._in_thread(
            task,
            preparing.make,
            copy,
            attempt,
            bases,
            fallback,
            self._provisions,
            fresh=fresh,
            sparse=sparse.patterns(self._limited_to(task)),
        )
        room = self._rooms[task] = await self._in_thread(
            task, copy_room.furnish, copy, self._house, self._provisions
        )
        if not record.ready:
            await run_commands(copy, record, self._provisions, room)
            record = await self._in_thread(task, preparing.finish, copy, record, self._provisions)
        return Copy(copy.path, record.base, record.replaced)

    async def hand_over(self, task: str, files: Mapping[str, str]) -> None:
        await self._in_thread(task, preparing.hand_over, self._copy(task), files)

    async def collect(self, task: str, attempt: int, base: str, title: str, summary: str) -> Found:
        return await self._in_thread(
            task,
            collecting.collect,
            self._copy(task),
            attempt,
            base,
            title,
            summary,
            findings=self._leaves_findings(task),
        )

    async def disregard(self, task: str) -> None:
        await self._in_thread(task, collecting.disregard, self._copy(task))

    async def integrate(self, task: str, commit: str, title: str) -> str:
        return await self._in_thread(task, merging.integrate, self._session, task, commit, title)

    async def integration_tip(self) -> str:
        return await self._in_thread("", merging.current_tip, self._session)

    async def merged(self, task: str, attempt: int) -> str:
        return await self._in_thread(task, collecting.merged, self._copy(task), attempt)

    async def release(self, task: str) -> str:
        kept = await self._in_thread(task, releasing.release, self._copy(task))
        await self._in_thread(WATCH, self._watch.end, task)
        return kept

    async def look(self) -> tuple[Trespass, ...]:
        found = await self._in_thread(WATCH, self._watch.look)
        return tuple(change.trespass for change in found if change.level == "open")

    async def tree(self, commit: str) -> str:
        return await self._in_thread(
            "", self._session.git.text, "rev-parse", "--verify", f"{commit}^{{tree}}"
        )

    async def snapshot(self, task: str) -> str:
        return await self._in_thread(TRIAL_MERGE, self._trial_merge.snapshot, self._copy(task))

    async def try_merge(self, one: str, other: str) -> tuple[str, ...]:
        return await self._in_thread(TRIAL_MERGE, self._trial_merge.try_merge, one, other)

    async def difference(self, before: str, after: str) -> str:
        shape = ("--no-ext-diff", "--no-color", "--no-renames", "--stat", "--patch")
        return await self._in_thread("", self._session.git.text, "diff", *shape, before, after)

    @asynccontextmanager
    async def borrow(
        self, commit: str, *, provided: bool = True, files: Mapping[str, str] = NO_FILES
    ) -> AsyncIterator[Loan]:
        number = next(number for number in count() if number not in self._lent)
        self._lent.add(number)
        copy = borrowing.Borrowed(self._session, number)
        if not await copy.quiet():
            # It stays lent: what something runs in is not removed, and the next one is made elsewhere.
            raise LockHeld(f"what ran before in {str(copy.path)!r} does not end")
        try:
            provisions = self._provisions if provided else Provisions()
            record = await self._in_thread(copy.task, borrowing.make, copy, commit, provisions)
            await self._in_thread(copy.task, preparing.lay_beside, copy, files)
            room = await self._in_thread(copy.task, copy_room.furnish, copy, self._house, provisions)
            await run_commands(copy, record, provisions, room)
            if not self._session.held():
                await self._in_thread(WATCH, self._watch.begin, f"{TRIAL}, {copy.task}", 0)
            yield Loan(copy.path, number, copy.logs, room)
        finally:
            await self._in_thread(WATCH, self._watch.end, f"{TRIAL}, {copy.task}")
            await self._give_back(copy)

    async def _give_back(self, copy: borrowing.Borrowed) -> None:
        if await self._in_thread(copy.task, borrowing.give_back, copy):
            self._lent.discard(copy.number)

    async def tidy(self) -> None:
        await self._in_thread(WATCH, self._watch.end_all)
        self._tidied = True
        for copy in borrowing.left_behind(self._session):
            self._lent.add(copy.number)
            if await copy.quiet():
                await self._give_back(copy)

    async def roll_back(self) -> tuple[str, ...]:
        return await self._in_thread("", releasing.roll_back, self._session)

    async def applied(self, commit: str, branch: str) -> Applied | None:
        request = approval.ApprovalRequest(commit, branch, squash=False, sign=False, message="")
        return await self._in_thread("", approval.applied, self._session, request)

    async def apply(self, commit: str, branch: str, *, squash: bool, sign: bool, message: str) -> Applied:
        request = approval.ApprovalRequest(commit, branch, squash, sign, message)
        return await self._in_thread("", self._apply, request)

    def _apply(self, request: approval.ApprovalRequest) -> Applied:
        refuse_changed(self._session.repository, but=self._session.id)
        done = approval.apply(self._session, request)
        self._watch.own(request.ref)
        return done

    def _copy(self, task: str) -> CopyFolder:
        return CopyFolder(self._session, task)

    async def _in_thread(
        self, task: str, function: Callable[Given, Result], *arguments: Given.args, **options: Given.kwargs
    ) -> Result:
        """Does one thing at a time for each task: a call that was given up may still run in its thread."""
        lock = self._tasks[task]

        def work() -> Result:
            with lock, storing(self._session.copies), self._fence.acting():
                return function(*arguments, **options)

        try:
            called = asyncio.get_running_loop().run_in_executor(self._threads, work)
        except RuntimeError as error:
            # It may still be called, by one that comes free: as what was given up is.
            if str(error) != NONE_LEFT:
                raise
            raise exhausted(f"no thread can be started: {error}") from error
        return await called

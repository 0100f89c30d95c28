"""Who may change a session's refs and copies: the leader whose epoch is in `refs/teamlead/leader/<session>`.

git compares it in the very transaction that moves a ref. So a leader that was stopped, was replaced and wakes
up moves nothing, however far it had come. What is not a ref, such as removing a copy, cannot be refused half
way: a new leader waits until nothing of the old one is under way, git's processes included.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import GitFailed, MachineUnable, StaleLeader
from teamlead.ports.leadership import Epoch
from teamlead.system.git import Git
from teamlead.system.locks import locked

REASON = "teamlead: "
"""What git's logs say of every move that a lead makes begins with it."""
DIGITS = 18
"""Of an epoch at most: the journal can go above it."""


class Update(NamedTuple):
    ref: str
    new: str
    old: str | None = None
    """Where the ref must be: "" for one that must not be there, None for wherever it is."""


class Fence:
    def __init__(self, git: Git, session: str, epoch: Epoch, lock: Path) -> None:
        self.ref = f"refs/teamlead/leader/{session}"
        self.verify = epoch.verify
        self._git = git
        self._session = session
        self._rise = epoch.rise
        self._epoch = epoch.number
        self._lock = lock
        self._mark = ""
        self.latest: dict[str, str] = {}
        """Where this leader left each ref that it moved."""
        # git tries again later where another call has the leader's ref locked; here they take turns.
        self._turn = threading.Lock()

    def put_up(self) -> None:
        """Refuses an earlier leader's updates from now on. Waits until nothing else of it is under way."""
        with locked(self._lock):
            self._remove_leftover_locks()
            latest = self._epoch_in(self._found())
            if latest >= self._epoch:
                # The journal lost epochs: it was damaged, or restored from a copy.
                self._epoch = self._rise(latest)
            self._put_up()

    def _remove_leftover_locks(self) -> None:
        """Removes locks of a git that a power cut ended: nothing that could hold them is under way."""
        refs = self._git.git_dir / "refs"
        for place in (refs / "heads/teamlead" / self._session, refs / "teamlead/kept" / self._session):
            for path in place.rglob("*.lock"):
                path.unlink(missing_ok=True)
        (self._git.git_dir / f"{self.ref}.lock").unlink(missing_ok=True)

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Surrounds everything that is done to the repository: a new leader waits for its end."""
        with locked(self._lock, shared=True):
            self.verify()
            yield

    def _put_up(self) -> None:
        self._mark = self._git.text("hash-object", "-w", "--stdin", stdin=f"{self._epoch}\n".encode())
        while (found := self._found()) != self._mark:
            if self._epoch_in(found) > self._epoch:
                raise StaleLeader(self._session)
            try:
                self._git.run("update-ref", self.ref, self._mark, found)
            except GitFailed:
                if self._found() == found:
                    raise
        # One that came later may have come and gone by now.
        self.verify()

    def take_down(self) -> None:
        """Removes the leader's ref. One that was killed, or met a full disk, leaves it to the next leader."""
        with suppress(GitFailed, MachineUnable):
            self._git.run("update-ref", "-d", self.ref, self._mark)

    def update(self, reason: str, *updates: Update) -> None:
        """Makes all of the updates, or none."""
        try:
            self._update(reason, updates)
        except GitFailed:
            if self._found() == self._mark:
                raise
            # Somebody else may have removed the mark; whether we lead is for the journal to say.
            self.verify()
            self._put_up()
            self._update(reason, updates)

    def _update(self, reason: str, updates: tuple[Update, ...]) -> None:
        lines = [f"verify {self.ref}", self._mark]
        for ref, new, old in updates:
            lines += [f"update {ref}", new, "" if old is None else old or "0" * len(new)]
        script = "".join(f"{line}\0" for line in lines).encode(errors="surrogateescape")
        with self._turn:
            self._git.run("update-ref", "-z", "--stdin", "-m", f"{REASON}{reason}", stdin=script)
        self.latest |= {update.ref: update.new for update in updates}

    def _epoch_in(self, mark: str) -> int:
        content = self._git.run("cat-file", "blob", mark, ok=(0, 128)).text if mark else ""
        return int(content) if content.isdecimal() and len(content) <= DIGITS else 0

    def _found(self) -> str:
        return self._git.run("rev-parse", "--verify", "--quiet", self.ref, ok=(0, 1)).text

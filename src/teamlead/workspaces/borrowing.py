"""A clean copy of a commit, for one command.

No agent was ever in it: its record never says `ready`, so that whoever finds it knows it holds nothing that
could be lost. It is on no branch.
"""

import re
from contextlib import suppress

from teamlead.errors import GitFailed, StorageFailed
from teamlead.system.disk import storing
from teamlead.system.run_lock import claim
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.preparing import place
from teamlead.workspaces.provisions import Provisions, provide_files
from teamlead.workspaces.releasing import copies_of, drop, let_go
from teamlead.workspaces.session_refs import Session

NAMED = re.compile(r"trial-(0|[1-9]\d{0,5})")
"""No task is called so."""


class Borrowed(CopyFolder):
    def __init__(self, session: Session, number: int) -> None:
        super().__init__(session, f"trial-{number}")
        self.number = number
        self.branch = ""
        self.logs = session.logs / self.task

    async def quiet(self) -> bool:
        """Waits for the end of what a dead leader ran in it."""
        with storing(self.logs):
            self.logs.mkdir(parents=True, exist_ok=True)
            for path in (self.logs.with_suffix(".lock"), self.logs / "alive.lock"):
                lock = await claim(path)
                if lock is None:
                    return False
                lock.close()
        return True


def make(copy: Borrowed, commit: str, provisions: Provisions) -> CopyRecord:
    drop(copy)
    record = copy.save(CopyRecord(attempt=0, base=commit, tip=commit))
    record = copy.save(place(copy, record, ""))
    provide_files(copy, record, provisions)
    return record


def give_back(copy: Borrowed) -> bool:
    """Removes the copy; its files may serve another one. Returns False for a copy that has to stay."""
    with suppress(GitFailed, StorageFailed):
        record = copy.load()
        if record is not None and copy.there():
            let_go(copy, record)
    try:
        drop(copy)
    except (GitFailed, OSError):
        return False
    return True


def left_behind(session: Session) -> list[Borrowed]:
    names = (NAMED.fullmatch(copy.task) for copy in copies_of(session))
    return [Borrowed(session, int(name[1])) for name in names if name]

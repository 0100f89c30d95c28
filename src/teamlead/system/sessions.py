"""Where a session's files are, and how the user's words name a session.

An id is the moment of its start, to the millisecond, and two letters by chance: ids sort by age, and two of
one moment differ.
"""

import os
import time
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import NotFound, UsageError
from teamlead.system.file_modes import tighten
from teamlead.system.repository import Repository
from teamlead.system.user_folders import state_home

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""In the order in which they sort, without those that look alike."""


class SessionFolder(NamedTuple):
    path: Path

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def journal(self) -> Path:
        return self.path / "journal.db"

    @property
    def inbox(self) -> Path:
        return self.path / "inbox.db"

    @property
    def attempts(self) -> Path:
        return self.path / "attempts"

    @property
    def copies(self) -> Path:
        """Holds what is known of the working copies, and of the user's repository beside them."""
        return self.path / "copies"

    @property
    def log(self) -> Path:
        """Holds what a leader in the background prints."""
        return self.path / "leader.log"

    @property
    def shown(self) -> Path:
        """Which commit of its work a person was shown last."""
        return self.path / "shown"

    def attempt(self, task: str, number: int) -> Path:
        return self.attempts / f"{task}-{number}"


def sessions_folder(repository: Repository) -> Path:
    return repository.state_dir / "sessions"


def state_of(session: Path) -> Path:
    """Returns the state directory in which a session really lies, whatever links lead to its folder."""
    return session.resolve().parent.parent.parent


def close_state(repository: Repository, *sessions: Path) -> None:
    """Closes what an earlier version let others read: the folders of all, and all in `sessions`."""
    tighten(state_home(), repository.state_dir, sessions_folder(repository))
    tighten(*sessions, deep=True)


def new_session_id(now: float) -> str:
    parts = divmod(int(now % 1 * len(LETTERS) ** 2), len(LETTERS))
    letters = "".join(LETTERS[number % len(LETTERS)] for number in (*parts, *os.urandom(2)))
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}-{letters}"


def all_sessions(repository: Repository) -> list[SessionFolder]:
    """Lists the latest first. A folder without a journal is a start that was cut off at once."""
    folder = sessions_folder(repository)
    if not folder.is_dir():
        return []
    found = [SessionFolder(path) for path in folder.iterdir() if (path / "journal.db").exists()]
    return sorted(found, key=lambda session: session.id, reverse=True)


def find_session(repository: Repository, name: str | None) -> SessionFolder:
    """Finds a session by its id, or by a part of it that only one has; without a name, the latest."""
    sessions = all_sessions(repository)
    if not sessions:
        raise NotFound("there is no session in this repository", remedy="teamlead start PLAN")
    if name is None:
        return sessions[0]
    exact = [session for session in sessions if session.id == name]
    matching = exact or [session for session in sessions if name and name in session.id]
    if not matching:
        raise NotFound(f"there is no session {name!r} in this repository", remedy="see `teamlead list`")
    if len(matching) > 1:
        ids = ", ".join(session.id for session in matching[:5])
        raise UsageError(
            f"{name!r} could be any of {len(matching)} sessions: {ids}", remedy="use more of the id"
        )
    return matching[0]


def task_id(name: str) -> str:
    """`1` is short for `task-1`, and `1-judge` for who judged it."""
    return f"task-{name}" if name[:1].isdigit() else name


def escalation_id(name: str) -> str:
    return f"esc-{name}" if name.isdigit() else name

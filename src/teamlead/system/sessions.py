"""Where a session's files are, and how the user's words name a session.

An id tells the moment of its start, to the millisecond, and has two letters by chance, so that two of one
moment differ. That of a planning says so in front: sessions are sorted by their moments.
"""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import NotFound, UsageError
from teamlead.system.file_modes import tighten
from teamlead.system.repository import Repository
from teamlead.system.user_folders import state_home

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""In the order in which they sort, without those that look alike."""
PLANNING = "plan-"
"""In front of the id of a session that makes a plan."""


class SessionFolder(NamedTuple):
    path: Path

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def plans(self) -> bool:
        """It makes a plan, and has no work to look at."""
        return self.id.startswith(PLANNING)

    @property
    def opened(self) -> str:
        """When, in an order that texts have."""
        return self.id.removeprefix(PLANNING)

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
    return sorted(found, key=lambda session: session.opened, reverse=True)


def find_session(repository: Repository, name: str | None, *, plannings: bool = True) -> SessionFolder:
    """Finds a session by its id, or by a part of it that only one has; without a name, the latest.

    Without `plannings`, for what they do not have.
    """
    sessions = [session for session in all_sessions(repository) if plannings or not session.plans]
    if not sessions:
        raise NotFound("there is no session in this repository", remedy="teamlead start PLAN")
    return sessions[0] if name is None else named(sessions, name)


def find_planning(repository: Repository, name: str) -> SessionFolder:
    plannings = [session for session in all_sessions(repository) if session.plans]
    return named(plannings, name, "planner session", "see `teamlead plan list`")


def named(
    sessions: Sequence[SessionFolder], name: str, what: str = "session", remedy: str = "see `teamlead list`"
) -> SessionFolder:
    """The one that has this id, or alone has this part of one."""
    exact = [session for session in sessions if session.id == name]
    matching = exact or [session for session in sessions if name and name in session.id]
    if not matching:
        raise NotFound(f"there is no {what} {name!r} in this repository", remedy=remedy)
    if len(matching) > 1:
        ids = ", ".join(session.id for session in matching[:5])
        raise UsageError(
            f"{name!r} could be any of {len(matching)} {what}s: {ids}", remedy="use more of the id"
        )
    return matching[0]


def task_id(name: str) -> str:
    """`1` is short for `task-1`, and `1-judge` for who judged it."""
    return f"task-{name}" if name[:1].isdigit() else name


def escalation_id(name: str) -> str:
    return f"esc-{name}" if name.isdigit() else name

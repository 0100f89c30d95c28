"""Where a session's files are, and how its id and the ids in it are made.

An id tells the moment of its start, to the millisecond, and has two letters by chance, so that two of one
moment differ. That of a planning says so in front; that of a team's session tells the team, and the second.
When a session was opened, its journal knows.
"""

import os
import re
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from teamlead.system.file_modes import tighten
from teamlead.system.repository import Repository
from teamlead.system.user_folders import state_home

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""In the order in which they sort, without those that look alike."""
PLANNING = "plan-"
"""In front of the id of a session that makes a plan."""
PARTY = "party-"
"""In front of that of a team's."""
_SECOND = re.compile(r"(\d{8})(\d{6})(?:-\d+)?\Z")


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
    def stamp(self) -> str:
        """What its id says of the moment of its start."""
        second = _SECOND.search(self.id) if self.id.startswith(PARTY) else None
        return "-".join(second.groups()) if second else self.id.removeprefix(PLANNING)

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


def stamp(at: float) -> str:
    """A moment as ids tell it. Later ones sort behind earlier ones."""
    parts = divmod(int(at % 1 * len(LETTERS) ** 2), len(LETTERS))
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(at))}-{LETTERS[parts[0]]}{LETTERS[parts[1]]}"


def new_session_id(now: float) -> str:
    return stamp(now) + "".join(LETTERS[number % len(LETTERS)] for number in os.urandom(2))


def new_session_ids(now: float, prefix: str = "") -> Iterator[str]:
    """As many as are tried until nobody has one."""
    while True:
        yield f"{prefix}{new_session_id(now)}"


def team_session_ids(now: float, team: str) -> Iterator[str]:
    name = f"{PARTY}{team}-{time.strftime('%Y%m%d%H%M%S', time.gmtime(now))}"
    yield name
    yield from (f"{name}-{number}" for number in count(2))


def session_folders(repository: Repository) -> list[SessionFolder]:
    """Lists all by their ids. A folder without a journal is a start that was cut off at once."""
    folder = sessions_folder(repository)
    if not folder.is_dir():
        return []
    return sorted(SessionFolder(path) for path in folder.iterdir() if (path / "journal.db").exists())


def task_id(name: str) -> str:
    """`1` is short for `task-1`, and `1-judge` for who judged it."""
    return f"task-{name}" if name[:1].isdigit() else name


def escalation_id(name: str) -> str:
    return f"esc-{name}" if name.isdigit() else name

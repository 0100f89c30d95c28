"""Which session a user means: the latest one, or the one that has this id. Loads little: `status` needs it.

Sessions are in the order of their journals' first events. Ids may lie: a folder can be renamed, a clock set
back.
"""

from collections.abc import Iterable, Sequence

from teamlead.errors import NotFound, UsageError
from teamlead.journal.reader import opened_at
from teamlead.system.repository import Repository
from teamlead.system.sessions import SessionFolder, session_folders, stamp

COARSE = 2.0
"""Seconds by which the time of a file may lag behind the clock."""


def all_sessions(repository: Repository) -> list[SessionFolder]:
    """Lists the latest first."""
    return latest_first(session_folders(repository))


def latest_first(folders: Iterable[SessionFolder]) -> list[SessionFolder]:
    return sorted(folders, key=_opened, reverse=True)


def _opened(folder: SessionFolder) -> tuple[str, float, str]:
    """Where the journal cannot be read, the id has to do."""
    at = opened_at(folder.journal)
    return (folder.stamp, 0.0, folder.id) if at is None else (stamp(at), at, folder.id)


def _latest(folders: Sequence[SessionFolder]) -> SessionFolder:
    """Looks only into those that may have been opened after the one whose id tells the latest moment.

    A journal is written when it is opened, so one that was written last before that moment is none of them.
    """
    latest = max(folders, key=lambda folder: folder.stamp)
    at = opened_at(latest.journal) or 0.0
    return max((each for each in folders if each == latest or _written(each) > at - COARSE), key=_opened)


def _written(folder: SessionFolder) -> float:
    return folder.journal.stat().st_mtime


def find_session(repository: Repository, name: str | None, *, plannings: bool = True) -> SessionFolder:
    """Finds a session by its id, or by a part of it that only one has; without a name, the latest.

    Without `plannings`, for what they do not have.
    """
    folders = list(session_folders(repository))
    sessions = [folder for folder in folders if plannings or not folder.plans]
    if name is not None and not _matching(sessions, name) and _matching(folders, name):
        raise _is_planning(_named(folders, name))
    if sessions:
        return _latest(sessions) if name is None else _named(sessions, name)
    if folders:
        raise _is_planning(_latest(folders))
    raise NotFound("there is no session in this repository", remedy="teamlead start PLAN")


def _is_planning(folder: SessionFolder) -> NotFound:
    return NotFound(
        f"{folder.id!r} is a planning, which has a plan and no work",
        remedy=f"carry its plan out with `teamlead start --session {folder.id}`, "
        f'or say what shall be different with `teamlead plan new --session {folder.id} "TEXT"`',
    )


def find_planning(repository: Repository, name: str) -> SessionFolder:
    folders = list(session_folders(repository))
    plannings = [folder for folder in folders if folder.plans]
    if not _matching(plannings, name) and _matching(folders, name):
        found = _named(folders, name)
        raise NotFound(
            f"{found.id!r} is no planning: it carries a plan out",
            remedy=f"go on with it: teamlead resume {found.id}",
        )
    return _named(plannings, name, "planner session", "see `teamlead plan list`")


def _named(
    sessions: Sequence[SessionFolder], name: str, what: str = "session", remedy: str = "see `teamlead list`"
) -> SessionFolder:
    """The one that has this id, or alone has this part of one."""
    matching = _matching(sessions, name)
    if not matching:
        raise NotFound(f"there is no {what} {name!r} in this repository", remedy=remedy)
    if len(matching) > 1:
        ids = ", ".join(session.id for session in latest_first(matching)[:5])
        raise UsageError(
            f"{name!r} could be any of {len(matching)} {what}s: {ids}", remedy="use more of the id"
        )
    return matching[0]


def _matching(sessions: Sequence[SessionFolder], name: str) -> list[SessionFolder]:
    exact = [session for session in sessions if session.id == name]
    return exact or [session for session in sessions if name and name in session.id]

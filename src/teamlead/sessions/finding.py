"""Which session a user means: the latest one, or the one that has this id. Loads little: `status` needs it.

Sessions are in the order of their journals' first events. Ids may lie: a folder can be renamed, a clock set
back.
"""

from collections.abc import Iterable, Sequence

from teamlead.core import phases
from teamlead.core.transitions import FINAL_PHASES
from teamlead.errors import NotFound, TeamleadError, UsageError
from teamlead.journal.reader import opened_at
from teamlead.sessions.leader import leader_of
from teamlead.sessions.view_reader import ViewReader
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
    """With what can be done with it now."""
    name = folder.id
    change = f'say what shall be different with `teamlead plan new --session {name} "TEXT"`'
    try:
        with ViewReader(folder.journal) as reader:
            row = reader.session()
    except TeamleadError:
        return NotFound(f"{name!r} is a planning, which has no work", remedy="see `teamlead plan list`")
    if phases.done(row["phase"]):
        start = f"carry its plan out with `teamlead start --session {name}`"
        return NotFound(
            f"{name!r} is a planning, which has a plan and no work",
            remedy=f"{start}, see it with `teamlead plan show {name}`, or {change}",
        )
    if row["phase"] in FINAL_PHASES:
        return NotFound(f"{name!r} is a planning, which came to no plan", remedy=change)
    if row["questions"]:
        remedy = f"see what it asks with `teamlead escalations {name}`, or {change}"
    elif leader_of(folder) is not None:
        remedy = f"follow it with `teamlead watch {name}`"
    else:
        remedy = f"go on with it: teamlead resume {name}"
    return NotFound(f"{name!r} is a planning, which has no plan yet and no work", remedy=remedy)


def find_planning(repository: Repository, name: str | None) -> SessionFolder:
    """As above, among plannings."""
    folders = list(session_folders(repository))
    plannings = [folder for folder in folders if folder.plans]
    if not plannings and name is None:
        raise NotFound(
            "there is no planner session in this repository", remedy='teamlead plan "what you want"'
        )
    if name is None:
        return _latest(plannings)
    if not _matching(plannings, name) and _matching(folders, name):
        found = _named(folders, name)
        raise NotFound(
            f"{found.id!r} is no planning: it carries a plan out",
            remedy=f"go on with it: teamlead resume {found.id}",
        )
    return _named(plannings, name, "planner session", "see `teamlead plan list`")


def initialised(repository: Repository, name: str) -> SessionFolder | None:
    """The session that this means, if nobody has led it yet. A planning of that name comes first."""
    folders = list(session_folders(repository))
    sessions = [folder for folder in folders if not folder.plans]
    if _matching([folder for folder in folders if folder.plans], name) or not _matching(sessions, name):
        return None
    folder = _named(sessions, name)
    with ViewReader(folder.journal) as reader:
        row = reader.session()
    begun = row["leader"] or row["stopped_because"] or row["phase"] in FINAL_PHASES
    return None if begun or leader_of(folder) is not None else folder


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

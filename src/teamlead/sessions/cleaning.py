"""What can go to free space, and letting it go.

Nothing goes of a session that somebody leads, that is not over, or whose journal cannot be read, unless the
user named it; never a kept ref, never a branch that holds what no other one does.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Literal, NamedTuple

from teamlead.core.facts import CopyReleased
from teamlead.core.transitions import FINAL_PHASES
from teamlead.core.work.acceptance import listed
from teamlead.errors import Refused, TeamleadError
from teamlead.ports.leadership import Epoch, Leadership, LedJournal, Term
from teamlead.sessions import session_files
from teamlead.sessions.desk import Desk
from teamlead.sessions.finding import latest_first
from teamlead.sessions.leader import leader_of
from teamlead.sessions.made_plans import children, status_of
from teamlead.sessions.replay import read_state
from teamlead.sessions.view_reader import ViewReader
from teamlead.settings.consent import keep_ignored
from teamlead.system.git import read_settings
from teamlead.system.repository import PROJECTIONS, Repository
from teamlead.system.sessions import SessionFolder, sessions_folder
from teamlead.system.untrusted_folder import refuse_links
from teamlead.views.moments import from_iso
from teamlead.workspaces import copy_pool, releasing
from teamlead.workspaces.copy_folder import CopyFolder
from teamlead.workspaces.fence import Fence
from teamlead.workspaces.session_refs import Session

COMMAND = "teamlead clean"
BEYOND = 10**17
"""An epoch that no journal comes to."""
ABANDONED = 3600.0
"""Seconds after which a start without a journal is not one that is just being made."""


class Wishes(NamedTuple):
    """Which of the sessions that are over shall go; all conditions given must hold."""

    named: frozenset[str] = frozenset()
    older_than: float | None = None
    """Seconds since its last event."""
    larger_than: int | None = None
    """Bytes."""
    keep: int | None = None
    """The latest so many stay."""
    transcripts_only: bool = False
    drop: frozenset[str] = frozenset()
    """Paths of copies that go although their work cannot be kept."""

    @property
    def sessions(self) -> bool:
        return any(wish is not None for wish in (self.older_than, self.larger_than, self.keep))


class Item(NamedTuple):
    kind: Literal["copy", "transcripts", "session", "pool"]
    session: str
    path: Path
    size: int
    stays: str = ""
    """Why; empty for what goes."""


class Known(NamedTuple):
    """A session as far as it can be told without disturbing it."""

    folder: SessionFolder
    led: str
    """By whom; empty if by nobody."""
    open: str
    """Why it may be needed yet; empty if it is over."""
    updated: float

    @property
    def stays(self) -> str:
        return self.led or self.open


def survey(repository: Repository, wishes: Wishes) -> list[Item]:
    """Everything that takes space: what goes, and what stays and why. Changes nothing."""
    items = []
    for position, name in enumerate(_names(repository)):
        if wishes.named and name not in wishes.named:
            continue
        known = _know(repository, _folder(repository, name))
        copies = releasing.copies_of(_session(repository, name, Epoch()))
        stays = known.led if wishes.named else known.stays
        items += [Item("copy", name, copy.path, session_files.size(copy.path), stays) for copy in copies]
        if wishes.sessions and known.folder.path.is_dir():
            items.append(_session_item(known, position, wishes))
    waiting = copy_pool.folder(repository)
    if waiting.is_dir() and not wishes.named:
        items.append(Item("pool", "", waiting, session_files.size(waiting)))
    return items


def clear(
    repository: Repository, item: Item, wishes: Wishes, leadership_of: Callable[[Desk], Leadership]
) -> str:
    """Lets the item go. Returns the ref or the branches that keep its work, or ""; raises if it stays.

    Nothing goes of a session that somebody leads.
    """
    if item.kind == "pool":
        copy_pool.empty(repository)
        return ""
    folder = _folder(repository, item.session)
    leadership = leadership_of(Desk(repository, folder, None))
    # Nobody can come to lead what has no folder.
    with leadership.lead(COMMAND) if folder.path.is_dir() else nullcontext() as term:
        if item.kind == "transcripts":
            session_files.remove(folder.path, session_files.TRANSCRIPTS)
            return ""
        refuse_links(repository.main_root, PROJECTIONS)
        with _fenced(repository, folder, term) as (session, journal):
            if item.kind == "copy":
                return _clear_copy(session, journal, item, wishes)
            if releasing.copies_of(session):
                raise Refused(f"working copies of session {item.session} are still there")
            held = releasing.remove_empty_branches(session)
        session_files.remove(session_files.projections(repository, item.session), session_files.FOR_READING)
        left = session_files.remove(folder.path, session_files.SESSION)
    if left:
        raise Refused(f"{str(folder.path)!r} holds files that are not teamlead's: {listed(left)}")
    return listed(held)


def _names(repository: Repository) -> list[str]:
    """Of all sessions that have left anything, the latest first."""
    folder = sessions_folder(repository)
    found = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    names = found | {*releasing.sessions_with_copies(repository)}
    return [folder.id for folder in latest_first(_folder(repository, name) for name in names)]


def _folder(repository: Repository, name: str) -> SessionFolder:
    return SessionFolder(sessions_folder(repository) / name)


def _know(repository: Repository, folder: SessionFolder) -> Known:
    leads = leader_of(folder)
    led = f"it is led by {leads}" if leads else ""
    if not folder.journal.exists():
        made = folder.path.stat().st_mtime if folder.path.is_dir() else 0.0
        return Known(folder, led, "" if time.time() - made > ABANDONED else "it has only just started", made)
    try:
        with ViewReader(folder.journal) as reader:
            view = reader.session()
    except TeamleadError as error:
        return Known(folder, led, f"its journal cannot be read: {error}", time.time())
    needed = ""
    if view["phase"] not in FINAL_PHASES:
        needed = f"it is not over (teamlead resume {folder.id}, or teamlead cancel {folder.id})"
    elif view["trespasses"]:
        needed = f"your repository was changed while its agents worked (teamlead mend {folder.id})"
    elif folder.plans:
        needed = _awaited(repository, folder)
    return Known(folder, led, needed, from_iso(view["updated_at"]))


def _awaited(repository: Repository, folder: SessionFolder) -> str:
    """Why the plan of a planning that is over may be needed yet."""
    if status_of(read_state(folder)) != "ready" or children(repository, folder.id):
        return ""
    return f"its plan was not started yet (teamlead start --session {folder.id})"


def _session_item(known: Known, position: int, wishes: Wishes) -> Item:
    size = session_files.size(known.folder.path)
    stays = known.stays
    if not stays and wishes.keep is not None and position < wishes.keep:
        stays = f"it is one of the latest {wishes.keep}"
    if not stays and wishes.older_than is not None and time.time() - known.updated < wishes.older_than:
        stays = "it is not old enough"
    if not stays and wishes.larger_than is not None and size <= wishes.larger_than:
        stays = "it is not large enough"
    kind: Literal["transcripts", "session"] = "transcripts" if wishes.transcripts_only else "session"
    return Item(kind, known.folder.id, known.folder.path, size, stays)


def _clear_copy(session: Session, journal: LedJournal | None, item: Item, wishes: Wishes) -> str:
    if journal is None:
        return _let_go(session, item, wishes)
    # Before anything goes: a journal that cannot be replayed could not be told.
    journal.replay()
    kept = _let_go(session, item, wishes)
    journal.record(CopyReleased(item.path.name, kept, str(item.path)))
    return kept


def _let_go(session: Session, item: Item, wishes: Wishes) -> str:
    copy = CopyFolder(session, item.path.name)
    if str(item.path) in wishes.drop:
        releasing.drop(copy)
        return ""
    return releasing.clear_away(copy)


def _session(repository: Repository, name: str, epoch: Epoch) -> Session:
    settings = read_settings(repository.root)
    copies = (repository.state_dir / "copies" / name).resolve()
    folder = _folder(repository, name).path
    # Without a folder nobody can come, and none is made.
    lock = (folder / "copies" if folder.is_dir() else repository.state_dir) / "acting.lock"
    fence = Fence(repository.git(settings), name, epoch, lock)
    most = keep_ignored(repository)
    return Session(
        repository=repository,
        settings=settings,
        id=name,
        base_commit="",
        copies=copies,
        logs=copies,
        fence=fence,
        keep_ignored=most,
        pooled=0,
    )


@contextmanager
def _fenced(
    repository: Repository, folder: SessionFolder, term: Term | None
) -> Iterator[tuple[Session, LedJournal | None]]:
    """With the journal's next epoch: whoever led before changes nothing any more."""
    with ExitStack() as stack:
        journal = stack.enter_context(term.journal()) if term and folder.journal.exists() else None
        session = _session(repository, folder.id, journal.epoch if journal else Epoch(BEYOND))
        session.fence.put_up()
        stack.callback(session.fence.take_down)
        with session.fence.acting():
            yield session, journal

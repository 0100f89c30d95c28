"""Copies found on disk and in git's registrations, also those that no journal knows any more."""

from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from teamlead.errors import Refused, StorageFailed
from teamlead.system.repository import Repository
from teamlead.workspaces import pool
from teamlead.workspaces.beside import standing_on
from teamlead.workspaces.copies import CopyFolder, Record, registered
from teamlead.workspaces.releasing import let_go, part_with
from teamlead.workspaces.session import NAME, Session
from teamlead.workspaces.whole import outer


def sessions_with_copies(repository: Repository) -> list[str]:
    """By name. What lies there under another kind of name is not a session's."""
    folders = repository.state_dir / "copies"
    found = {path.name for path in folders.iterdir()} if folders.is_dir() else set()
    found |= {path.parent.name for path in _registered(repository)}
    return sorted(name for name in found if NAME.fullmatch(name) and "-" in name)


def copies_of(session: Session) -> list[CopyFolder]:
    names = (
        {path.name.removeprefix(".") for path in session.copies.iterdir()}
        if session.copies.is_dir()
        else set()
    )
    names |= {path.name for path in _registered(session.repository) if path.parent == session.copies}
    return [CopyFolder(session, name) for name in sorted(names) if NAME.fullmatch(name)]


def clear_away(copy: CopyFolder) -> str:
    """As `part_with`, also where our notes about the copy are gone."""
    if copy.load() is None and (registration := copy.find_registration()):
        git_dir = copy.registrations() / registration
        base = standing_on(copy, git_dir)
        if not base:
            raise Refused(f"{str(copy.path)!r} stands on no commit", remedy="look into it yourself")
        copy.save(Record(0, base, ready=True, registration=registration))
    return part_with(copy)


def drop(copy: CopyFolder) -> None:
    """Without keeping anything: the user said so. Also where our notes or git's are broken or gone."""
    if registration := copy.find_registration():
        with suppress(StorageFailed):
            if (record := copy.load()) and copy.path.is_dir():
                # One that was cut short when it was made has not noted what git calls it.
                copy.restore_link(replace(record, registration=registration))
        let_go(copy, None)
    elif copy.path.is_dir():
        (copy.path / ".git").unlink(missing_ok=True)
        pool.clean(outer(copy), copy.private / "no-index")
        copy.path.rmdir()
    copy.forget()


def _registered(repository: Repository) -> list[Path]:
    """Places of copies below our own folder that git has on record."""
    ours = (repository.state_dir / "copies").resolve()
    places = (place for _, place in registered(repository.common_dir))
    return [place for place in places if place.parent.parent == ours]

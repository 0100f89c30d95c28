"""Mending puts back what was changed in the user's repository, or takes it for the user's from now on.

Each step looks at what there is before it acts, and may be cut short at any moment: whatever still differs
from the reference is still open then.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import Failed, NotFound, Refused
from teamlead.system.repository import Repository
from teamlead.system.sessions import SessionFolder, session_folders
from teamlead.workspaces import checkout_files
from teamlead.workspaces.belongings import (
    CONFIGURATIONS,
    OWN,
    POINTER,
    is_hooks,
    is_pointer,
    is_setting,
    path_of,
    read,
    settings_in,
)
from teamlead.workspaces.checkout_files import is_file
from teamlead.workspaces.mending_work import Mending
from teamlead.workspaces.noted_changes import LOST, Change, ChangeBook
from teamlead.workspaces.odd_names import name_as_text, name_from_text
from teamlead.workspaces.putting_back import put_back
from teamlead.workspaces.reference_state import Content, content_of, is_log
from teamlead.workspaces.refs import STASH, log_tail
from teamlead.workspaces.repository_watch import Watch

REFS = 2
"""Their place in the order. What steers git comes before them, and files of checkouts after."""


class Sides(NamedTuple):
    """What a person is shown of a change, line by line; nothing for what is not there."""

    before: list[str]
    after: list[str]


def mender_for(repository: Repository, folder: SessionFolder) -> "Mender":
    """With the watch of a session, and those of the other sessions beside it."""
    others = (other for other in session_folders(repository) if other != folder)
    return Mender(_watch(repository, folder), folder.id, (_watch(repository, other) for other in others))


def _watch(repository: Repository, folder: SessionFolder) -> Watch:
    return Watch(repository, folder.copies, (folder.copies / checkout_files.FILE).exists())


class Mender:
    def __init__(self, watch: Watch, session: str, others: Iterable[Watch]) -> None:
        """`others`: of the sessions in the same repository. What is decided here is decided for them, too."""
        self._watch = watch
        self._session = session
        self._others = tuple(others)

    def changes(self) -> list[Change]:
        """Lists what is open first, and of that what others depend on: git has to be usable."""
        found = self._watch.look(files=True)
        return sorted(found, key=lambda change: (change.level != "open", _order(change.name)))

    def sides(self, change: Change) -> Sides:
        with self._watch.book() as book:
            return Sides(_before(book, change), _after(book, change))

    def put_back(self, change: Change) -> str:
        """Returns where the changed side is kept; "" where there was nothing."""
        with self._watch.book() as book:
            try:
                self._require_unchanged(book, change)
            except NotFound:
                # It came back with something else.
                return ""
            if is_file(change.name):
                self._require_unsteered(book)
            kept = put_back(self._work(book), change)
            now = book.compare(files=is_file(change.name))
            if change.name in book.notes.changes:
                raise Failed(f"{change.name!r} was put back, and still is not as it was")
        self._settle(change.name, now)
        return kept

    def _work(self, book: ChangeBook) -> Mending:
        place = self._watch.folder / "mended"
        return Mending(self._watch.repository, book.reference, place, self._session, book.files or {})

    def accept(self, change: Change) -> None:
        """Takes it for the user's: later changes are compared with it."""
        with self._watch.book() as book:
            now = self._require_unchanged(book, change)
            book.take(now, now if change.name == LOST else [change.name])
            book.notes.changes.pop(change.name)
        self._settle(change.name, now)

    def _require_unchanged(self, book: ChangeBook, change: Change) -> dict[str, str]:
        now = book.compare(files=is_file(change.name))
        found = book.notes.changes.get(change.name)
        if found is None:
            raise NotFound(f"{change.name!r} is back as it was", remedy=f"teamlead mend {self._session}")
        if found.after != change.after:
            raise Refused(
                f"{change.name!r} was changed again meanwhile",
                remedy=f"look again: teamlead mend {self._session}",
            )
        return now

    def _require_unsteered(self, book: ChangeBook) -> None:
        """Refuses to write files by git while an agent may have said which programs git starts for it."""
        for change in book.notes.changes.values():
            if change.level == "open" and _order(change.name) < REFS:
                raise Refused(
                    f"git would write files by what is still open: {change.told}",
                    remedy=f"decide on that first: teamlead mend {self._session}",
                )

    def _settle(self, name: str, now: dict[str, str]) -> None:
        for other in self._others:
            with other.book() as book:
                known = book.files if is_file(name) else book.reference.belongings
                if known and name != LOST:
                    book.notes.changes.pop(name, None)
                    book.take(now, [name])


def _order(name: str) -> int:
    if name in CONFIGURATIONS or is_setting(name) or name == "commondir":
        return 0
    if is_file(name):
        return REFS + 1
    return REFS if name.startswith("refs/") or name.endswith("HEAD") else 1


def _before(book: ChangeBook, change: Change) -> list[str]:
    if is_file(change.name):
        return checkout_files.told(_file_of(book, change), (book.files or {}).get(change.name), change.before)
    if is_setting(change.name):
        return [name_as_text(os.fsdecode(value)) for value in book.reference.values.get(change.name, ())]
    if _is_text(change.name):
        return _of_objects(book.repository, change.name, change.before)
    return _of_content(book.reference.contents.get(change.name), log=is_log(change.name))


def _after(book: ChangeBook, change: Change) -> list[str]:
    repository = book.repository
    if is_file(change.name):
        return checkout_files.told(_file_of(book, change), None, change.after)
    file, _, key = change.name.partition(":")
    path = path_of(repository.common_dir, change.name)
    if is_setting(change.name):
        return list(
            map(name_as_text, settings_in(read(repository.common_dir / file)).get(name_from_text(key), ()))
        )
    if _is_text(change.name):
        return _of_objects(repository, change.name, change.after)
    if is_log(change.name):
        return _of_content(
            Content(0, log_tail(repository.common_dir / name_from_text(change.name))), log=True
        )
    try:
        return _of_content(content_of(path) if path else None, log=False)
    except PermissionError:
        return ["(cannot be read)"]


def _file_of(book: ChangeBook, change: Change) -> Path:
    return checkout_files.place_of(book.repository, change.name, book.reference.belongings).file


def _is_text(name: str) -> bool:
    """Whether the text that is compared is the state itself."""
    if is_log(name) or name.endswith("/config.worktree"):
        return False
    told = name in {"HEAD", LOST, POINTER} or is_pointer(name) or is_hooks(name)
    return told or name.startswith(("refs/", "worktrees/"))


def _of_objects(repository: Repository, name: str, text: str) -> list[str]:
    if not name.startswith("refs/"):
        text = text or (OWN if name == POINTER else "")
        return [text] if text else []
    names = text.split() if name == STASH else [text] if text else []
    told = (
        repository.git().run("log", "--no-walk=unsorted", "--format=%H %an: %s", *names, "--", ok=(0, 128))
        if names
        else None
    )
    return (told.text.splitlines() if told and told.code == 0 else []) or names


def _of_content(content: Content | None, *, log: bool) -> list[str]:
    if content is None:
        return []
    lines = content.data.decode(errors="backslashreplace").splitlines()
    if log:
        return [f"{len(lines)} entries", *lines[-1:]]
    link = f", a link to {content.link}" if content.link else ""
    return [f"(mode {content.mode:o}{link})", *lines]

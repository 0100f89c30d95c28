"""What was changed in the user's repository and is not put right yet.

A change is told from the user's own work by when it came and by what it is. While nobody but the user is at
work, all that changes is the user's, and becomes a part of the reference. While agents or checks are at work,
what differs from the reference is noted, until it does not differ any more or the user takes it for their
own. See `attribution` for which of it has to be decided on.

    reference.bin   the belongings as they were, with content
    checkouts.bin   the same of files in checkouts, where programs can get at them (see `checkout_files`)
    watch.json      who is at work, and what differs

Several processes use them: leaders, and `teamlead mend`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from teamlead.errors import Refused
from teamlead.system.repository import Repository, keep_identity, locked
from teamlead.system.sessions import session_folders
from teamlead.workspaces import checkout_files
from teamlead.workspaces.belongings import survey
from teamlead.workspaces.noted_changes import LOST, NOTES, Change, ChangeBook, Notes, RefMove
from teamlead.workspaces.odd_names import name_from_text
from teamlead.workspaces.reference_state import is_log
from teamlead.workspaces.refs import read_ref
from teamlead.workspaces.session_refs import Session

SHOWN = 3


class Watch(NamedTuple):
    repository: Repository
    folder: Path
    files: bool = False
    """Whether files in the user's checkouts are compared, too."""

    @classmethod
    def of(cls, session: Session) -> Self:
        return cls(session.repository, session.logs, session.house is None)

    def begin(self, who: str, attempt: int, found: dict[str, str] | None = None) -> None:
        with self.book() as book:
            book.compare(found, files=not book.notes.at_work)
            book.notes.at_work[who] = attempt

    def end(self, who: str) -> None:
        """Notes that nothing of it runs any more."""
        with self.book() as book:
            if who in book.notes.at_work:
                book.compare(files=len(book.notes.at_work) == 1)
                del book.notes.at_work[who]

    def end_all(self) -> None:
        """Notes that nobody is at work. Called at a session's start, too: from then on files are compared."""
        with self.book() as book:
            book.compare(files=True)
            book.notes.at_work.clear()

    def look(self, found: dict[str, str] | None = None, *, files: bool = False) -> list[Change]:
        with self.book() as book:
            book.compare(found, files=files)
            return list(book.notes.changes.values())

    def noted_files(self) -> tuple[str, ...]:
        """Lists files in checkouts that, at the last look, had changed while somebody else was at work."""
        with self.book() as book:
            return tuple(
                change.shortly for name, change in book.notes.changes.items() if checkout_files.is_file(name)
            )

    def note_moves(self, moves: Sequence[RefMove], who: str) -> None:
        """Notes moves of refs that a fetch brings, or no survey looks at: only git's log tells who it was."""
        if moves:
            with self.book() as book:
                for ref, old, new in moves:
                    book.notes.changes[ref] = Change(ref, "open", old, new, (who,))

    def own(self, name: str) -> None:
        """Takes it for the user's, as it is now: a lead has changed it on the user's behalf."""
        with self.book() as book:
            now = book.compare()
            if LOST not in book.notes.changes:
                book.notes.changes.pop(name, None)
                book.take(now, [name])

    def still_open(self) -> list[Change]:
        """Lists what was noted as open and still is. This look takes nothing for the user's."""
        try:
            noted = msgspec.json.decode((self.folder / NOTES).read_bytes(), type=Notes).changes
        except (OSError, msgspec.DecodeError):
            return []
        left = [change for change in noted.values() if change.level == "open"]
        now = survey(self.repository) if left else {}
        return [
            change
            for change in left
            if change.name == LOST
            or is_log(change.name)
            or (now.get(change.name) or self._ref(change.name)) != change.before
        ]

    def _ref(self, name: str) -> str:
        """Returns where a ref is, also one that no survey looks at."""
        return read_ref(self.repository.common_dir, name_from_text(name)) if name.startswith("refs/") else ""

    @contextmanager
    def book(self) -> Iterator[ChangeBook]:
        """For one at a time. What was changed in it is on disk afterwards."""
        with locked(self.repository, "belongings"):
            keep_identity(self.repository)
            book = ChangeBook(self.repository, self.folder, files=self.files)
            yield book
            book.close()


def refuse_changed(repository: Repository, *, but: str = "") -> None:
    """Raises Refused while something is open that was changed beside a session, `but` this one.

    Git would be used with what an agent may have put there.
    """
    for folder in session_folders(repository):
        if folder.id != but and (changes := Watch(repository, folder.copies).still_open()):
            told = "; ".join(change.told for change in changes[:SHOWN])
            more = f" and {len(changes) - SHOWN} more" if len(changes) > SHOWN else ""
            raise Refused(
                f"your repository was changed while agents of session {folder.id} worked: {told}{more}",
                remedy=f"look and decide: teamlead mend {folder.id}",
            )

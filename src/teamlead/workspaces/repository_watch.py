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

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from teamlead.errors import Refused
from teamlead.system.disk import storing
from teamlead.system.faults import reach
from teamlead.system.repository import Repository, keep_identity, locked
from teamlead.system.sessions import all_sessions
from teamlead.workspaces import checkout_files, reference_state
from teamlead.workspaces.attribution import Case
from teamlead.workspaces.belongings import (
    is_hooks,
    survey,
    unreadable,
)
from teamlead.workspaces.names_as_text import real
from teamlead.workspaces.noted_changes import LOST, Change, Move, Notes
from teamlead.workspaces.reference_state import Reference, is_log
from teamlead.workspaces.reflogs import STASH
from teamlead.workspaces.refs import USERS, read_ref
from teamlead.workspaces.session import Session

UNKNOWN = "somebody"
NOTES = "watch.json"
SHOWN = 3

_begun: set[Path] = set()
"""Where this process has seen a reference: if none is there later, somebody took it away."""


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
        """Nothing of it runs any more."""
        with self.book() as book:
            if who in book.notes.at_work:
                book.compare(files=len(book.notes.at_work) == 1)
                del book.notes.at_work[who]

    def end_all(self) -> None:
        """Also at a session's start, where nobody was at work before: from then on it is compared."""
        with self.book() as book:
            book.compare(files=True)
            book.notes.at_work.clear()

    def look(self, found: dict[str, str] | None = None, *, files: bool = False) -> list[Change]:
        with self.book() as book:
            book.compare(found, files=files)
            return list(book.notes.changes.values())

    def noted_files(self) -> tuple[str, ...]:
        """Those in checkouts that were changed while somebody else was at work, when last compared."""
        with self.book() as book:
            return tuple(
                change.shortly for name, change in book.notes.changes.items() if checkout_files.is_file(name)
            )

    def note_moves(self, moves: Sequence[Move], who: str) -> None:
        """Of refs that a fetch brings, or that nobody surveys: only git's log tells whose doing it was."""
        if moves:
            with self.book() as book:
                for ref, old, new in moves:
                    book.notes.changes[ref] = Change(ref, "open", old, new, (who,))

    def own(self, name: str) -> None:
        """A lead has changed it on the user's behalf: it is theirs as it is now."""
        with self.book() as book:
            now = book.compare()
            if LOST not in book.notes.changes:
                book.notes.changes.pop(name, None)
                book.take(now, [name])

    def still_open(self) -> list[Change]:
        """Of what was noted, what is open and still so. Nothing is taken for the user's by this look."""
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
        """Also of those that are not surveyed."""
        return read_ref(self.repository.common_dir, real(name)) if name.startswith("refs/") else ""

    @contextmanager
    def book(self) -> Iterator["Book"]:
        """For one at a time. What was changed in it is on disk afterwards."""
        with locked(self.repository, "belongings"):
            keep_identity(self.repository)
            book = Book(self.repository, self.folder, files=self.files)
            yield book
            book.close()


class Book:
    def __init__(self, repository: Repository, folder: Path, *, files: bool = False) -> None:
        self.repository = repository
        self._folder = folder
        self._compares_files = files
        self.files = checkout_files.load(folder) if files else None
        self._reference = folder / "reference.bin"
        self._notes = folder / NOTES
        found = reference_state.load(self._reference)
        self.notes = self._load_notes(known=found is not None)
        self.reference = found or Reference()
        self._known = found is not None
        self._taken = False
        if not self._known and not self._read and folder not in _begun:
            # Nobody has looked before: the session starts.
            now = survey(repository)
            self.take(now, now)
        _begun.add(folder)

    def _load_notes(self, *, known: bool) -> Notes:
        try:
            self._read = self._notes.read_bytes()
            return msgspec.json.decode(self._read, type=Notes)
        except FileNotFoundError:
            self._read = b""
            return Notes({UNKNOWN: 0}) if known else Notes()
        except msgspec.DecodeError:
            return Notes({UNKNOWN: 0})

    def compare(self, found: dict[str, str] | None = None, *, files: bool = False) -> dict[str, str]:
        """Returns the belongings as they are now. `files`: those in checkouts, too, if they are watched."""
        if files and self._compares_files:
            self._compare_files()
        found = survey(self.repository) if found is None else found
        of_files = {name: each for name, each in self.notes.changes.items() if checkout_files.is_file(name)}
        if not self._known:
            self.notes.changes = {LOST: Change(LOST, "open", "", "", self.notes.suspects), **of_files}
            return found
        now = self.reference.now(self.repository.common_dir, found)
        known = self.reference.belongings
        differing = [name for name in sorted(known.keys() | now.keys()) if known.get(name) != now.get(name)]
        broken = unreadable(now)
        changes: dict[str, Change] = {}
        absorbed = []
        for name in differing:
            earlier = self.notes.changes.get(name)
            if name.startswith((*broken, *(f"{hooks}/" for hooks in changes if is_hooks(hooks)))):
                # It comes back with what it lies in. If the user takes that, it is asked about then.
                continue
            if earlier is None and not self.notes.at_work:
                absorbed.append(name)
            elif change := self._judge(name, now, earlier):
                changes[name] = change
        self.notes.changes = {**changes, **self._moved_elsewhere(), **of_files}
        if absorbed:
            self.take(now, absorbed)
        return now

    def _moved_elsewhere(self) -> dict[str, Change]:
        """Refs that are surveyed nowhere, and were noted: as they are now."""
        found = {}
        for name, change in self.notes.changes.items():
            if name.startswith("refs/") and not name.startswith((*USERS, STASH)):
                now = read_ref(self.repository.common_dir, real(name))
                if now != change.before:
                    found[name] = msgspec.structs.replace(change, after=now)
        return found

    def _compare_files(self) -> None:
        """Without content where it is compared only: what is kept is the user's."""
        mine = not self.notes.at_work
        now = checkout_files.survey(self.repository, keep=mine)
        if self.files is None:
            self.files = now
            checkout_files.save(self._folder, now)
            return
        known = self.reference.belongings
        differing = checkout_files.differences(self.repository, self.files, now, known)
        changes, absorbed = {}, []
        for name, (before, after) in differing.items():
            earlier = self.notes.changes.get(name)
            if earlier is None and mine:
                absorbed.append(name)
            else:
                suspects = earlier.suspects if earlier else self.notes.suspects
                changes[name] = Change(name, "noticed", before, after, suspects)
        others = {name: each for name, each in self.notes.changes.items() if not checkout_files.is_file(name)}
        self.notes.changes = {**others, **changes}
        self._take_files(now, absorbed)

    def _take_files(self, now: checkout_files.Files, names: list[str]) -> None:
        if names:
            files = {name: each for name, each in (self.files or {}).items() if name not in names}
            self.files = files | {name: now[name] for name in names if name in now}
            checkout_files.save(self._folder, self.files)

    def _judge(self, name: str, now: dict[str, str], earlier: Change | None) -> Change | None:
        case = Case(self.repository, self.reference, name, now)
        # Of what moves, the log may come a moment later than the move. Anything else need not be asked again.
        same = earlier and (earlier.before, earlier.after) == (case.before, case.after)
        if earlier and same and not case.moves:
            return earlier
        verdict = case.judge()
        if verdict is None:
            return None
        suspects = verdict.agents or (earlier.suspects if earlier else self.notes.suspects)
        return Change(name, verdict.level, case.before, case.after, suspects)

    def take(self, now: dict[str, str], names: "list[str] | dict[str, str]") -> None:
        """These are the user's as they are now."""
        if files := [name for name in names if checkout_files.is_file(name)]:
            self._take_files(checkout_files.survey(self.repository, keep=True), files)
        else:
            self.reference.take(self.repository.common_dir, now, names)
            self._known = self._taken = True

    def close(self) -> None:
        if self._taken:
            reference_state.save(self._reference, self.reference)
        content = msgspec.json.encode(self.notes)
        # Notes without a reference mean that it is lost.
        if content != self._read and (self._known or self._read or self.notes.changes):
            with storing(self._notes):
                # A power cut may take it: without it, everybody counts as at work.
                temporary = self._notes.with_name(f".watch.{os.urandom(6).hex()}.tmp")
                # A command of the user's, under their umask, writes it as well.
                temporary.touch(mode=0o600)
                temporary.write_bytes(content)
                temporary.replace(self._notes)
            reach("watch: noted")


def refuse_changed(repository: Repository, *, but: str = "") -> None:
    """Raises Refused while something is open that was changed beside a session, `but` this one.

    Git would be used with what an agent may have put there.
    """
    for folder in all_sessions(repository):
        if folder.id != but and (changes := Watch(repository, folder.copies).still_open()):
            told = "; ".join(change.told for change in changes[:SHOWN])
            more = f" and {len(changes) - SHOWN} more" if len(changes) > SHOWN else ""
            raise Refused(
                f"your repository was changed while agents of session {folder.id} worked: {told}{more}",
                remedy=f"look and decide: teamlead mend {folder.id}",
            )

"""The belongings compared with the reference, and the notes of what differs.

Several processes use these files, one at a time: see `repository_watch`.
"""

import os
from pathlib import Path

import msgspec

from teamlead.system.disk import storing
from teamlead.system.faults import reach
from teamlead.system.repository import Repository
from teamlead.workspaces import checkout_files, reference_state
from teamlead.workspaces.attribution import Case
from teamlead.workspaces.belongings import is_hooks, survey, unreadable
from teamlead.workspaces.names_as_text import real
from teamlead.workspaces.noted_changes import LOST, Change, Notes
from teamlead.workspaces.reference_state import Reference
from teamlead.workspaces.reflogs import STASH
from teamlead.workspaces.refs import USERS, read_ref

UNKNOWN = "somebody"
NOTES = "watch.json"

_begun: set[Path] = set()
"""Where this process has seen a reference: if none is there later, somebody took it away."""


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
        """Returns the noted changes of refs that no survey looks at, as these refs are now."""
        found = {}
        for name, change in self.notes.changes.items():
            if name.startswith("refs/") and not name.startswith((*USERS, STASH)):
                now = read_ref(self.repository.common_dir, real(name))
                if now != change.before:
                    found[name] = msgspec.structs.replace(change, after=now)
        return found

    def _compare_files(self) -> None:
        """Compares files. Keeps content only while nobody but the user is at work: it is the user's."""
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
        """Takes these for the user's, as they are now."""
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

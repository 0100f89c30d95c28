"""Changes of the user's belongings: found by comparing with the reference, noted until they are put right.

Several processes use these files, one at a time: see `repository_watch`.
"""

import os
from pathlib import Path
from typing import NamedTuple

import msgspec

from teamlead.core.model import Trespass
from teamlead.system.disk import storing
from teamlead.system.faults import reach
from teamlead.system.repository import Repository
from teamlead.workspaces import checkout_files, reference_state
from teamlead.workspaces.attribution import ChangedBelonging, Level
from teamlead.workspaces.belongings import (
    CONFIGURATIONS,
    OWN,
    POINTER,
    UNREADABLE,
    is_hooks,
    survey,
    unreadable,
)
from teamlead.workspaces.odd_names import name_from_text
from teamlead.workspaces.reference_state import Reference, is_log
from teamlead.workspaces.refs import STASH, USERS, read_ref

LOST = "reference"
"""The name of a change that stands for all that cannot be compared any more."""
UNKNOWN = "somebody"
NOTES = "watch.json"

_begun: set[Path] = set()
"""Where this process has seen a reference: if none is there later, somebody took it away."""


class Change(msgspec.Struct, frozen=True):
    name: str
    level: Level
    before: str
    after: str
    suspects: tuple[str, ...] = ()
    """Who has done it, or was at work meanwhile."""

    @property
    def told(self) -> str:
        """Says the change without the values of settings: they may be secrets."""
        key = self.name.partition(":")[2]
        if self.name == LOST:
            return "the record of how the repository was at the session's start is gone"
        if is_log(self.name):
            return f"git's log {self.name} lost what it held"
        if self.name.startswith("worktrees/") and self.name.endswith("/gitdir"):
            return f"git no longer knows the working tree {str(Path(self.before).parent)!r}"
        if is_hooks(self.name):
            return f"{self.name} {f'leads to {self.after!r} now' if self.after else 'is no link any more'}"
        if self.name == POINTER:
            return f".git of your checkout is {self.after or OWN!r} now"
        if self.name in CONFIGURATIONS:
            form = "unreadable to git" if self.after.startswith(UNREADABLE) else self.after
            return f"{self.name} is {form or 'a plain file'} now"
        if self.name == STASH:
            return "the stash was changed"
        if checkout_files.is_file(self.name):
            path, tree = checkout_files.path_and_tree(self.name)
            where = f"working tree {tree!r}" if tree else "checkout"
            return f"the file {path!r} of your {where} {'is gone with it' if self.gone else 'was changed'}"
        if self.name.startswith("refs/") or self.name.endswith("HEAD"):
            return f"{self.name} was moved from {self.before or 'nothing'} to {self.after or 'nothing'}"
        what = f"the setting {key}" if key else self.name
        done = "changed" if self.before and self.after else "added" if self.after else "taken away"
        return f"{what} was {done}"

    @property
    def gone(self) -> bool:
        """Whether it is a file that is gone with all of its working tree."""
        return self.after == checkout_files.GONE

    @property
    def shortly(self) -> str:
        """Says of a file where it is, and what became of it."""
        path, tree = checkout_files.path_and_tree(self.name)
        return f"{path} ({'gone with the' if self.gone else 'in the'} working tree {tree})" if tree else path

    @property
    def trespass(self) -> Trespass:
        return Trespass(self.name, self.told, self.suspects)


class Notes(msgspec.Struct):
    """Who is at work, and which changes are not put right."""

    at_work: dict[str, int] = {}
    """The attempt of each task that has a working copy; 0 for what is no task."""
    changes: dict[str, Change] = {}

    @property
    def suspects(self) -> tuple[str, ...]:
        return tuple(
            f"{who} (attempt {attempt})" if attempt else who for who, attempt in self.at_work.items()
        )


class RefMove(NamedTuple):
    ref: str
    old: str
    new: str


class ChangeBook:
    """The belongings compared with the reference, and the notes of what differs."""

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
                now = read_ref(self.repository.common_dir, name_from_text(name))
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
        case = ChangedBelonging(self.repository, self.reference, name, now)
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

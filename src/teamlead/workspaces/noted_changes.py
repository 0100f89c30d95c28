"""A change of the user's belongings that is not put right, and the notes of who was at work meanwhile."""

from pathlib import Path
from typing import NamedTuple

import msgspec

from teamlead.core.model import Trespass
from teamlead.workspaces import checkout_files
from teamlead.workspaces.attribution import Level
from teamlead.workspaces.belongings import CONFIGURATIONS, OWN, POINTER, UNREADABLE, is_hooks
from teamlead.workspaces.reference_state import is_log
from teamlead.workspaces.reflogs import STASH

LOST = "reference"
"""The name of a change that stands for all that cannot be compared any more."""


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
    at_work: dict[str, int] = {}
    """The attempt of each task that has a working copy; 0 for what is no task."""
    changes: dict[str, Change] = {}

    @property
    def suspects(self) -> tuple[str, ...]:
        return tuple(
            f"{who} (attempt {attempt})" if attempt else who for who, attempt in self.at_work.items()
        )


class Move(NamedTuple):
    ref: str
    old: str
    new: str

"""What copies hold while agents are at work in them, and whether that would merge.

It is tried in a folder of its own beside the repository: objects, and an index for each task. So neither
the repository nor a copy changes, and what became of a look that was cut short does not matter to anybody.
"""

import shutil
from pathlib import Path
from typing import NamedTuple

from teamlead.system.git import Git
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.merging import merge_trees
from teamlead.workspaces.session_refs import Session
from teamlead.workspaces.snapshots import add, drop_provided, gitlinks

LONGEST = 20.0
"""Seconds for one question to git. What takes longer is given up: the merge itself will tell."""


class LastLook(NamedTuple):
    """What was found in a copy the last time, by the look of our index."""

    base: str
    looks: tuple[int, int, int]
    commit: str


class TrialMerge:
    """For one caller at a time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._place = session.logs / "trial_merge"
        self._objects = self._place / "objects"
        self._seen: dict[str, LastLook] = {}
        self._commits: dict[tuple[str, str], str] = {}
        """By base and tree. A commit knows its time: made again, the same content would have another name."""

        self._bases: set[str] = set()

    def snapshot(self, copy: CopyFolder) -> str:
        record = copy.load()
        if record is None or not record.ready or record.releasing or not copy.there():
            return ""
        index = self._index(copy, record)
        git = self._git(copy.git(record))
        # What cannot be read just now, or ever, is left as it was: an agent writes meanwhile.
        add(git, index, gitlinks(git, index), within=LONGEST)
        seen = self._seen.get(copy.task)
        if seen is None or seen.looks != _look(index):
            if record.provided:
                drop_provided(git, record, index)
            tree = git.text("write-tree", index=index)
            seen = LastLook(record.base, _look(index), self._commit(git, record.base, tree))
            self._seen[copy.task] = seen
        return seen.commit

    def try_merge(self, one: str, other: str) -> tuple[str, ...]:
        self._furnish()
        merge = merge_trees(self._git(self._session.git), one, other)
        return tuple(path.decode(errors="backslashreplace") for path in merge.conflicts)

    def clear(self) -> None:
        """Also what an earlier leader left. Copies are not among it."""
        shutil.rmtree(self._place, ignore_errors=True)

    def _git(self, git: Git) -> Git:
        return git._replace(objects=self._objects)

    def _index(self, copy: CopyFolder, record: CopyRecord) -> Path:
        """One that knows what it has read before, so that only files which changed since are read."""
        self._furnish()
        index = self._place / f"{copy.task}.index"
        Path(f"{index}.lock").unlink(missing_ok=True)
        seen = self._seen.get(copy.task)
        if seen is None or seen.base != record.base or not index.exists():
            self._seen.pop(copy.task, None)
            # With its times: a newer index would trust files that changed in the same tick.
            shutil.copy2(copy.index if copy.index.exists() else copy.checkout, index)
        return index

    def _furnish(self) -> None:
        alternates = self._objects / "info/alternates"
        if not alternates.exists():
            alternates.parent.mkdir(parents=True, exist_ok=True)
            alternates.write_text(
                f"{self._session.repository.common_dir / 'objects'}\n", errors="surrogateescape"
            )

    def _commit(self, git: Git, base: str, tree: str) -> str:
        self._know(git, base)
        if (base, tree) not in self._commits:
            self._commits[base, tree] = git.text("commit-tree", tree, "-p", base, "-m", "as it is")
        return self._commits[base, tree]

    def _know(self, git: Git, base: str) -> None:
        """A copy without changes has the name of its base."""
        if base not in self._bases:
            self._bases.add(base)
            self._commits[base, git.text("rev-parse", "--verify", f"{base}^{{tree}}")] = base


def _look(index: Path) -> tuple[int, int, int]:
    found = index.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns

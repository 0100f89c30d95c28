"""Commits, kept in memory: snapshots of files that know their parents, and merging them."""

import hashlib
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from teamlead.core.model import Change
from teamlead.errors import MergeConflict

Files = Mapping[str, bytes]

MODE, LINK, ABSENT = "100644", "120000", "000000"
LINKED = b"\0link to "
"""A symbolic link is stored as this and its target."""


class Snapshot(NamedTuple):
    """A commit: never changed once it is made."""

    files: Files
    parents: tuple[str, ...]
    message: str
    task: str = ""
    attempt: int = 0


class History:
    """Names of commits say what they hold: the same commit made twice is one.

    Two changes conflict if they change the same file differently; lines are not looked at.
    """

    def __init__(self) -> None:
        self.commits: dict[str, Snapshot] = {}
        self._known: dict[str, frozenset[str]] = {}
        """The ancestors of a commit, which never change."""

    def add(self, snapshot: Snapshot) -> str:
        told = repr((sorted(snapshot.files.items()), snapshot[1:]))
        name = hashlib.sha1(told.encode(), usedforsecurity=False).hexdigest()
        self.commits.setdefault(name, snapshot)
        return name

    def contains(self, tip: str, commit: str) -> bool:
        return commit in self._ancestors(tip)

    def merge(self, ours: str, theirs: str, message: str, names: tuple[str, str]) -> str:
        """Returns a commit of both, or raises a MergeConflict that calls the two sides by `names`."""
        mine, other = self.commits[ours].files, self.commits[theirs].files
        merged, conflicts = _three_way(self._common(ours, theirs), mine, other)
        if conflicts:
            shown = [_both_sides(path, mine.get(path), other.get(path), names) for path in conflicts]
            where = ", ".join(conflicts)
            raise MergeConflict(
                f"{names[1]} conflicts with {names[0]} in {where}", conflicts, "\n".join(shown)
            )
        return self.add(Snapshot(merged, (ours, theirs), message))

    def conflicts(self, ours: str, theirs: str) -> list[str]:
        """Lists the paths in which they cannot be merged."""
        common = self._common(ours, theirs)
        return _three_way(common, self.commits[ours].files, self.commits[theirs].files)[1]

    def reachable(self, tips: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(self._ancestors(tip) for tip in tips))

    def _ancestors(self, commit: str) -> frozenset[str]:
        """Lists all ancestors of a commit, and itself."""
        known = self._known.get(commit)
        if known is None:
            known = self._known[commit] = self.reachable(self.commits[commit].parents) | {commit}
        return known

    def _common(self, ours: str, theirs: str) -> Files:
        """Returns what both sides started from. Where that is several commits, it is their merge."""
        shared = self._ancestors(ours) & self._ancestors(theirs)
        best: list[str] = []
        covered: frozenset[str] = frozenset()
        # Parents are there before their children, so from the back the nearest come first.
        for name in reversed(self.commits):
            if name in shared and name not in covered:
                best.append(name)
                covered |= self._ancestors(name)
        files = self.commits[best[0]].files if best else {}
        for other in best[1:]:
            files, _ = _three_way(self._common(best[0], other), files, self.commits[other].files)
        return files


def changes(before: Files, after: Files) -> Iterable[Change]:
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old != new:
            added, deleted = _counted((old or b"").splitlines(), (new or b"").splitlines())
            yield Change(path, _mode(old), _mode(new), added, deleted)


def _three_way(base: Files, ours: Files, theirs: Files) -> tuple[dict[str, bytes], list[str]]:
    merged = {}
    conflicts = []
    for path in sorted({*base, *ours, *theirs}):
        before, mine, other = base.get(path), ours.get(path), theirs.get(path)
        if mine != other and before not in (mine, other):
            conflicts.append(path)
        content = other if mine == before else mine
        if content is not None:
            merged[path] = content
    return merged, conflicts


def _both_sides(path: str, ours: bytes | None, theirs: bytes | None, names: tuple[str, str]) -> str:
    mine, other = ("(deleted)" if side is None else side.decode(errors="replace") for side in (ours, theirs))
    return f"--- {path}\n<<<<<<< {names[0]}\n{mine}\n=======\n{other}\n>>>>>>> {names[1]}"


def _mode(content: bytes | None) -> str:
    return ABSENT if content is None else LINK if content.startswith(LINKED) else MODE


def _counted(old: list[bytes], new: list[bytes]) -> tuple[int, int]:
    if not old or not new:
        return len(new), len(old)
    same = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    return len(new) - same, len(old) - same

"""Kept work: found by the user's words, looked at, written back to disk, and dropped."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import NotFound, Refused, UsageError
from teamlead.system.git import Git
from teamlead.workspaces import git_objects
from teamlead.workspaces.folder_contents import LINK, PROGRAM
from teamlead.workspaces.git_objects import TreeEntry
from teamlead.workspaces.kept_work import EMPTY_FOLDERS, PLACE, Kept, kept_refs
from teamlead.workspaces.odd_names import unescape
from teamlead.workspaces.snapshots import GITLINK

AT_ONCE = 32_000_000
"""Bytes held in memory, unless one file has more."""


class Restored(NamedTuple):
    files: int
    folder: Path
    beside: Path | None
    """Where the rest is, if there was any: staged content, conflicts, other repositories."""


class ChangedFile(NamedTuple):
    letter: str
    """As git has it: A added, M changed, D deleted, T another kind of file."""
    path: str


def find(git: Git, name: str) -> Kept:
    """By ref, by `<task>/<n>`, or by a part of a ref that only one has."""
    refs = kept_refs(git)
    wanted = name.removeprefix(f"{PLACE}/")
    exact = [kept for kept in refs if wanted in {kept.short, f"{kept.task}/{kept.name}"}]
    matching = exact or [kept for kept in refs if wanted and wanted in kept.short]
    if not matching:
        raise NotFound(
            f"there is no kept work {name!r} in this repository", remedy="see `teamlead salvage list`"
        )
    if len(matching) > 1:
        names = ", ".join(kept.short for kept in matching[:5])
        raise UsageError(f"{name!r} could be any of {len(matching)}: {names}", remedy="use more of the name")
    return matching[0]


def changes(git: Git, kept: Kept) -> list[ChangedFile]:
    """Against what the copy stood on."""
    question = ("diff-tree", "-r", "-z", "--root", "--no-renames", "--no-commit-id", "--name-status")
    fields = git.run(*question, *_two(kept)).fields
    return [
        ChangedFile(letter.decode(), _shown(kept, path))
        for letter, path in zip(fields[::2], fields[1::2], strict=True)
    ]


def beside(git: Git, kept: Kept) -> list[str]:
    """What git held beside the files, by name."""
    paths = git_objects.read_tree(git, kept.beside) if kept.beside else {}
    return [_shown(kept, path) for path in paths if path != EMPTY_FOLDERS]


def patch(git: Git, kept: Kept) -> bytes:
    return git.run("diff-tree", "-p", "--root", "--no-ext-diff", "--no-textconv", *_two(kept)).output


def make_branch(git: Git, kept: Kept, name: str) -> str:
    ref = f"refs/heads/{name}"
    if name.startswith("-") or not git.holds("check-ref-format", ref):
        raise UsageError(f"{name!r} cannot be the name of a branch", remedy="choose another name")
    if git.commit(ref):
        raise Refused(f"there is a branch {name!r} already", remedy="choose another name")
    git.run("update-ref", "-m", f"teamlead: from {kept.short}", ref, kept.commit, "")
    return ref


def restore(git: Git, kept: Kept, folder: Path) -> Restored:
    """Writes every byte into `folder`, which must be new. What git held beside the files goes next to it."""
    entries = git_objects.read_tree(git, kept.commit)
    aside = git_objects.read_tree(git, kept.beside) if kept.beside else {}
    empty = aside.pop(EMPTY_FOLDERS, None)
    places = [folder, *([folder.with_name(f"{folder.name}.beside")] if aside else ())]
    for place in places:
        _require_new(place)
    for place, part in zip(places, (entries, aside), strict=False):
        place.mkdir(parents=True, exist_ok=True)
        _write(git, place, part, escaped=bool(kept.content))
    if empty:
        for path in git.contents([empty.blob])[0].split(b"\0"):
            (folder / os.fsdecode(path)).mkdir(parents=True, exist_ok=True)
    return Restored(len(entries), folder, places[1] if aside else None)


def drop(git: Git, kept: Kept) -> None:
    git.run("update-ref", "-d", kept.ref, kept.commit)


def _two(kept: Kept) -> tuple[str, str]:
    return f"{kept.commit}^1", kept.commit


def _shown(kept: Kept, path: bytes) -> str:
    return (unescape(path) if kept.content else path).decode(errors="backslashreplace")


def _require_new(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))):
        raise Refused(f"{str(folder)!r} is there already", remedy="name another folder with --to")


def _write(git: Git, folder: Path, entries: git_objects.Entries, *, escaped: bool) -> None:
    # Links last: no file may be written through one.
    ordered = sorted(entries.items(), key=lambda item: item[1].mode == LINK)
    for batch in _batches(git, ordered):
        contents = git.contents([entry.blob for _, entry in batch])
        for (path, entry), content in zip(batch, contents, strict=True):
            place = folder / os.fsdecode(unescape(path) if escaped else path)
            place.parent.mkdir(parents=True, exist_ok=True)
            _write_one(place, entry, content)
    for path, entry in ordered:
        if entry.mode == GITLINK:
            (folder / os.fsdecode(path)).mkdir(parents=True, exist_ok=True)


def _write_one(place: Path, entry: TreeEntry, content: bytes) -> None:
    if entry.mode == LINK:
        place.symlink_to(os.fsdecode(content))
        return
    mode = 0o777 if entry.mode == PROGRAM else 0o666
    with os.fdopen(
        os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb"
    ) as stream:
        stream.write(content)


def _batches(git: Git, entries: Iterable[tuple[bytes, TreeEntry]]) -> Iterator[list[tuple[bytes, TreeEntry]]]:
    files = [(path, entry) for path, entry in entries if entry.mode != GITLINK]
    sizes = git_objects.existing(git, {entry.blob for _, entry in files})
    batch: list[tuple[bytes, TreeEntry]] = []
    held = 0
    for path, entry in files:
        if batch and held + sizes[entry.blob] > AT_ONCE:
            yield batch
            batch, held = [], 0
        batch.append((path, entry))
        held += sizes[entry.blob]
    if batch:
        yield batch

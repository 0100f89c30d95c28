"""Writing kept work back to disk, every byte of it."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import Refused
from teamlead.system.git import Git
from teamlead.workspaces import git_objects
from teamlead.workspaces.escaped_names import unescape
from teamlead.workspaces.folder_contents import LINK, PROGRAM
from teamlead.workspaces.git_objects import Entry
from teamlead.workspaces.kept_work import EMPTY_FOLDERS, Kept
from teamlead.workspaces.snapshots import GITLINK

AT_ONCE = 32_000_000
"""Bytes held in memory, unless one file has more."""


class Restored(NamedTuple):
    files: int
    folder: Path
    beside: Path | None
    """Where the rest is, if there was any: staged content, conflicts, other repositories."""


def restore(git: Git, kept: Kept, folder: Path) -> Restored:
    """Into `folder`, which must be new. What git held beside the files goes to another folder next to it."""
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


def _write_one(place: Path, entry: Entry, content: bytes) -> None:
    if entry.mode == LINK:
        place.symlink_to(os.fsdecode(content))
        return
    mode = 0o777 if entry.mode == PROGRAM else 0o666
    with os.fdopen(
        os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb"
    ) as stream:
        stream.write(content)


def _batches(git: Git, entries: Iterable[tuple[bytes, Entry]]) -> Iterator[list[tuple[bytes, Entry]]]:
    files = [(path, entry) for path, entry in entries if entry.mode != GITLINK]
    sizes = git_objects.existing(git, {entry.blob for _, entry in files})
    batch: list[tuple[bytes, Entry]] = []
    held = 0
    for path, entry in files:
        if batch and held + sizes[entry.blob] > AT_ONCE:
            yield batch
            batch, held = [], 0
        batch.append((path, entry))
        held += sizes[entry.blob]
    if batch:
        yield batch

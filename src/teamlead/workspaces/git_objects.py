"""Files are stored in git byte for byte, made into trees, and read back.

`git add` would rewrite line ends, run filters and pass over much of what an agent leaves.
"""

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import GitFailed
from teamlead.system.git import Git
from teamlead.workspaces.folder_contents import FILE, LINK, Found
from teamlead.workspaces.snapshots import ABSENT

ON_DISK = ("-c", "core.fsync=objects,reference", "-c", "core.fsyncMethod=fsync")
"""What is stored is about to be deleted elsewhere: a power cut must not take it."""


class TreeEntry(NamedTuple):
    mode: str
    blob: str


Entries = Mapping[bytes, TreeEntry]


def store(git: Git, root: Path, files: Mapping[bytes, Found], scratch: Path) -> dict[bytes, TreeEntry]:
    """Stores the content of `files`, which are below `root`. A link's content is where it leads."""
    if not files:
        return {}
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        sources = []
        for number, (path, found) in enumerate(files.items()):
            source = root / os.fsdecode(path)
            if found.mode == LINK:
                target = source.readlink()
                source = Path(folder, str(number))
                source.write_bytes(os.fsencode(target))
            sources.append(_quoted(os.fsencode(source)))
        done = git.run(
            *ON_DISK, "hash-object", "-w", "--no-filters", "--stdin-paths", stdin=b"\n".join(sources) + b"\n"
        )
    blobs = done.text.splitlines()
    return {p: TreeEntry(f.mode, blob) for (p, f), blob in zip(files.items(), blobs, strict=True)}


def store_text(git: Git, content: bytes) -> TreeEntry:
    return TreeEntry(FILE, git.run(*ON_DISK, "hash-object", "-w", "--stdin", stdin=content).text)


def write_tree(git: Git, entries: Entries, index: Path) -> str:
    """Writes the tree of `index` with `entries` in it; the mode ABSENT takes a path away."""
    # What goes away comes first: a file may have become a folder.
    ordered = sorted(entries.items(), key=lambda item: item[1].mode != ABSENT)
    lines = [f"{entry.mode} {entry.blob}\t".encode() + path for path, entry in ordered]
    if lines:
        git.run("update-index", "-z", "--index-info", index=index, stdin=b"\0".join(lines) + b"\0")
    return git.run(*ON_DISK, "write-tree", index=index).text


def commit(git: Git, tree: str, parents: Iterable[str], message: str) -> str:
    arguments = [part for parent in dict.fromkeys(parents) for part in ("-p", parent)]
    return git.run(*ON_DISK, "commit-tree", tree, *arguments, "-F", "-", stdin=message.encode()).text


def read_tree(git: Git, tree: str) -> dict[bytes, TreeEntry]:
    listed = (field.split(b"\t", 1) for field in git.run("ls-tree", "-r", "-z", "--full-tree", tree).fields)
    return {path: TreeEntry(*_mode_and_id(head)) for head, path in listed}


def require_stored(git: Git, tree: str, expected: Entries, sizes: Mapping[str, int]) -> None:
    """Reads back whether the tree holds exactly `expected`, and whether blobs have their sizes."""
    if read_tree(git, tree) != expected:
        raise GitFailed(f"the tree {tree} does not hold what was put into it")
    for blob, size in existing(git, sizes).items():
        if size != sizes[blob]:
            raise GitFailed(f"the object {blob} has {size} bytes instead of {sizes[blob]}")


def existing(git: Git, names: Iterable[str]) -> dict[str, int]:
    """Returns the size of each object, and -1 for one that is not there."""
    names = list(names)
    asked = "".join(f"{name}\n" for name in names).encode()
    told = git.text("cat-file", "--batch-check=%(objectsize)", stdin=asked).splitlines() if names else []
    return {name: int(line) if line.isdecimal() else -1 for name, line in zip(names, told, strict=True)}


def _mode_and_id(head: bytes) -> tuple[str, str]:
    mode, _, blob = head.decode().split(" ")
    return mode, blob


def _quoted(path: bytes) -> bytes:
    """Quotes a name as git reads it line by line: what could end a line is an octal number."""
    return (
        b'"' + b"".join(b"\\%03o" % c if c < 32 or c > 126 or c in b'"\\' else b"%c" % c for c in path) + b'"'
    )

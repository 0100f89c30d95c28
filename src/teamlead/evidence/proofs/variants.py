"""Commits that nobody made: the files of one, with some as they are in another, or as a proof wants them."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.system.git import Git, UserSettings

ABSENT = "0" * 40
PLAIN = "100644"
EXECUTABLE = "100755"
MAKER = UserSettings("teamlead", "teamlead@localhost")
"""They are on no branch, and git wants an author."""


class Entry(NamedTuple):
    """One file in a commit."""

    mode: str
    blob: str


Files = Mapping[str, Entry | None]
"""By their paths; None: there is none."""


def entries(git: Git, commit: str, paths: list[str]) -> dict[str, Entry | None]:
    """How these files are there."""
    asked = [f":(literal,top){path}" for path in paths]
    listed = git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *asked).fields if asked else []
    found: dict[str, Entry | None] = dict.fromkeys(paths)
    for field in listed:
        head, _, path = field.partition(b"\t")
        mode, _, blob = head.decode().split(" ")
        found[path.decode(errors="surrogateescape")] = Entry(mode, blob)
    return found


def stored(git: Git, content: bytes, mode: str = PLAIN) -> Entry:
    return Entry(mode, git.text("hash-object", "-w", "--stdin", stdin=content))


def variant(git: Git, commit: str, files: Files) -> str:
    """Returns a commit with the files of `commit`, but for these."""
    lines = [
        f"{entry.mode} {entry.blob}\t{path}" if entry else f"0 {ABSENT}\t{path}"
        for path, entry in files.items()
    ]
    told = "".join(f"{line}\0" for line in lines).encode(errors="surrogateescape")
    with tempfile.TemporaryDirectory(prefix="teamlead-") as folder:
        index = Path(folder) / "index"
        git.run("read-tree", commit, index=index)
        git.run("update-index", "-z", "--index-info", index=index, stdin=told)
        tree = git.text("write-tree", index=index)
    return git._replace(settings=MAKER).text("commit-tree", tree, "-p", commit, "-m", "a variant")

"""Refs and git's log of each are read from their files: many are read often, and a process costs more.

Every agent commits under an address of its attempt, by which a move that it made is known from the log.
"""

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from teamlead.system.environment import AGENTS
from teamlead.workspaces.fence import REASON

OURS = ("refs/heads/teamlead/", "refs/teamlead/")
"""Refs that leads move all the time."""
SHARED = ("refs/heads/", "refs/tags/")
USERS = (*SHARED, "refs/notes/", "refs/replace/")
"""Where the refs are that only the user has a say in. What is in `refs/remotes/` a fetch brings."""
STASH = "refs/stash"
TAIL = 1 << 18
"""Bytes at the end of a log that are looked at: over a thousand moves."""


class Look(NamedTuple):
    """What tells that a file has been touched: nobody can set all of it."""

    mode: int
    changed: int
    modified: int
    inode: int
    size: int


def read_ref(common_dir: Path, name: str) -> str:
    try:
        return (common_dir / name).read_text(errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return _packed(common_dir).get(name, "")


def user_refs(common_dir: Path) -> dict[str, str]:
    return _refs(common_dir, USERS)


def shown_refs(common_dir: Path) -> dict[str, str]:
    """Returns what a copy shows: branches and tags, of remotes too."""
    return _refs(common_dir, (*SHARED, "refs/remotes/"))


def _refs(common_dir: Path, wanted: tuple[str, ...]) -> dict[str, str]:
    loose = {
        name: _loose(f"{common_dir}/{name}", *found)
        for place in wanted
        for name, found in touched_since(0, common_dir, place, passing_over=OURS[0])
        if not name.endswith(".lock")
    }
    # In this order: a ref that is being packed is there before it is no longer here.
    packed = {
        name: value
        for name, value in _packed(common_dir).items()
        if name.startswith(wanted) and not name.startswith(OURS)
    }
    return packed | {name: value for name, value in loose.items() if value}


def _packed(common_dir: Path) -> dict[str, str]:
    path = f"{common_dir}/packed-refs"
    found = look(path)
    return _packed_in(path, *found) if found else {}


@lru_cache(maxsize=4)
def _packed_in(path: str, *_: int) -> dict[str, str]:
    lines = Path(path).read_text(errors="surrogateescape").splitlines()
    pairs = (line.split(" ", 1) for line in lines if line[:1] not in {"#", "^"} and " " in line)
    return {name: value for value, name in pairs}


@lru_cache(maxsize=1 << 16)
def _loose(path: str, *_: int) -> str:
    try:
        return Path(path).read_text(errors="replace").strip()
    except FileNotFoundError:
        return ""


def touched_since(moment: int, root: Path, below: str, passing_over: str = "") -> Iterator[tuple[str, Look]]:
    """Yields every file below `root`/`below` that was touched since, by its path from the root."""
    start, spared = f"{root}/", f"{root}/{passing_over}".rstrip("/")
    for folder, folders, names in os.walk(f"{start}{below}".rstrip("/")):
        folders[:] = [name for name in folders if f"{folder}/{name}" != spared] if passing_over else folders
        for name in names:
            found = look(f"{folder}/{name}")
            if found and found.changed >= moment:
                yield f"{folder}/{name}".removeprefix(start), found


def look(path: str) -> Look | None:
    """Returns None for what is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - called for every ref: a Path costs as much again
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Look(found.st_mode, found.st_ctime_ns, found.st_mtime_ns, found.st_ino, found.st_size)


class ReflogEntry(NamedTuple):
    old: str
    new: str
    email: str
    message: str
    at: int = 0
    """In seconds."""

    @property
    def by_an_agent(self) -> bool:
        return self.email.endswith(AGENTS)

    @property
    def by_a_lead(self) -> bool:
        return self.message.startswith(REASON) and not self.by_an_agent


def log_of(common_dir: Path, ref: str) -> Path:
    return common_dir / "logs" / ref


def log_entries(log: Path, since: int = 0) -> Iterator[ReflogEntry]:
    """Yields entries beyond the first `since` bytes, or all if the log has been cut meanwhile."""
    yield from map(log_entry, log_tail(log, since).splitlines())


def log_entries_after(log: Path, line: bytes) -> list[ReflogEntry]:
    """Returns entries beyond this line, or all where it is not there."""
    lines = log_tail(log).splitlines()
    while line in lines:
        del lines[: lines.index(line) + 1]
    return [log_entry(each) for each in lines]


def log_entry(line: bytes) -> ReflogEntry:
    head, _, message = line.decode(errors="replace").partition("\t")
    commits, _, person = head.partition(" <") if " <" in head else (head, "", "")
    old, _, rest = commits.partition(" ")
    new, _, _ = rest.partition(" ")
    email, _, moment = person.partition("> ")
    seconds = moment.partition(" ")[0]
    return ReflogEntry(
        old.strip("0") and old,
        new.strip("0") and new,
        email.partition(">")[0],
        message,
        int(seconds) if seconds.isdecimal() else 0,
    )


def moves_by(log: Path, email: str) -> list[ReflogEntry]:
    """Returns the moves that were made under this address."""
    if email.encode() not in log_tail(log):
        return []
    return [entry for entry in log_entries(log) if entry.email == email]


def stashed(common_dir: Path) -> list[str]:
    """Returns the commits in the stash, whose list is a log."""
    return [entry.new for entry in log_entries(log_of(common_dir, STASH))]


def log_tail(log: Path, since: int = 0) -> bytes:
    try:
        with log.open("rb") as stream:
            size = stream.seek(0, 2)
            start = max(since if since <= size else 0, size - TAIL)
            stream.seek(start)
            found = stream.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return b""
    # The first line of what was cut out is no line.
    return found if start in {0, since} else found.partition(b"\n")[2]

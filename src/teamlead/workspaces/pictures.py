"""What of the user's repository an agent shares and must leave alone, as it is at one moment.

It is taken before each attempt and when its work is collected, so it must cost little: files are read, and
git is asked only about a configuration that has changed. Settings are kept as digests: they may be secrets.
"""

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from teamlead.system.git import Git
from teamlead.workspaces.copies import CopyFolder
from teamlead.workspaces.reflogs import log_of, stashed
from teamlead.workspaces.session import Session

OURS = ("refs/heads/teamlead/", "refs/teamlead/")
"""Refs that leads move all the time."""
SHARED = ("refs/heads/", "refs/tags/")
GUARDED = (
    "info/exclude",
    "info/attributes",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
)


class Look(NamedTuple):
    """What tells that a file has been touched: nobody can set all of it."""

    mode: int
    changed: int
    modified: int
    inode: int
    size: int


class Picture(msgspec.Struct, frozen=True):
    refs: dict[str, str]
    """The user's branches and tags."""
    stash: tuple[str, ...]
    files: dict[str, str]
    """Digests of hooks and of what steers git, by path in the git directory."""
    settings: dict[str, str]
    """Digests of the values in the repository's configuration, by key."""
    integration: str
    logged: int
    """How far git's log of the integration branch went."""


def take(session: Session) -> Picture:
    common_dir = session.repository.common_dir
    log = log_of(common_dir, session.integration)
    return Picture(
        _refs(common_dir),
        tuple(stashed(common_dir)),
        dict(_files(common_dir)),
        _settings(session),
        read_ref(common_dir, session.integration),
        log.stat().st_size if log.exists() else 0,
    )


def save(copy: CopyFolder, picture: Picture) -> None:
    # Not worth waiting for the disk: one that is torn counts as none, and none as unknown.
    _place(copy).write_bytes(msgspec.json.encode(picture))


def load(copy: CopyFolder) -> tuple[Picture, int] | None:
    """With the time it was taken, by the file system's clock. None where there is none that can be read."""
    try:
        picture = msgspec.json.decode(_place(copy).read_bytes(), type=Picture)
        return picture, _place(copy).stat().st_mtime_ns
    except (OSError, msgspec.DecodeError):
        return None


def _place(copy: CopyFolder) -> Path:
    return copy.private / "picture.json"


def read_ref(common_dir: Path, name: str) -> str:
    try:
        return (common_dir / name).read_text(errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return _packed(common_dir).get(name, "")


def _refs(common_dir: Path) -> dict[str, str]:
    loose = {
        name: _loose(f"{common_dir}/{name}", *found)
        for shared in SHARED
        for name, found in touched_since(0, common_dir, shared, passing_over=OURS[0])
        if not name.endswith(".lock")
    }
    # In this order: a ref that is being packed is there before it is no longer here.
    packed = {
        name: value
        for name, value in _packed(common_dir).items()
        if name.startswith(SHARED) and not name.startswith(OURS)
    }
    return packed | {name: value for name, value in loose.items() if value}


def _packed(common_dir: Path) -> dict[str, str]:
    path = f"{common_dir}/packed-refs"
    found = _look(path)
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


def _files(common_dir: Path) -> Iterator[tuple[str, str]]:
    guarded = ((name, _look(f"{common_dir}/{name}")) for name in GUARDED)
    for name, found in (*guarded, *touched_since(0, common_dir, "hooks")):
        if found and not name.endswith(".sample"):
            yield name, _file_digest(f"{common_dir}/{name}", *found)


@lru_cache(maxsize=1024)
def _file_digest(path: str, mode: int, *_: int) -> str:
    return _digest(b"%o " % mode + Path(path).read_bytes())


def _settings(session: Session) -> dict[str, str]:
    contents = []
    for name in ("config", "config.worktree"):
        try:
            contents.append((session.repository.common_dir / name).read_bytes())
        except FileNotFoundError:
            contents.append(b"")
    return _parsed(session.git, b"\n".join(contents))


@lru_cache(maxsize=64)
def _parsed(git: Git, content: bytes) -> dict[str, str]:
    found: dict[str, bytes] = {}
    for field in git.run("config", "--file", "-", "--list", "-z", stdin=content).fields:
        key, _, value = field.partition(b"\n")
        name = key.decode(errors="replace")
        found[name] = found.get(name, b"") + value + b"\0"
    return {name: _digest(value) for name, value in found.items()}


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


def touched_since(moment: int, root: Path, below: str, passing_over: str = "") -> Iterator[tuple[str, Look]]:
    """Every file below `root`/`below` that was touched since, by its path from the root."""
    start, spared = f"{root}/", f"{root}/{passing_over}".rstrip("/")
    for folder, folders, names in os.walk(f"{start}{below}".rstrip("/")):
        folders[:] = [name for name in folders if f"{folder}/{name}" != spared] if passing_over else folders
        for name in names:
            found = _look(f"{folder}/{name}")
            if found and found.changed >= moment:
                yield f"{folder}/{name}".removeprefix(start), found


def _look(path: str) -> Look | None:
    """None for what is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - called for every ref: a Path costs as much again
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Look(found.st_mode, found.st_ctime_ns, found.st_mtime_ns, found.st_ino, found.st_size)

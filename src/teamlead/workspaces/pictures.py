"""What of the user's repository an agent shares and must leave alone, as it is at one moment.

It is taken before each attempt and when its work is collected, so it must cost little: files are read, and
git is asked only about a configuration that has changed. Settings are kept as digests: they may be secrets.
"""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import msgspec

from teamlead.system.git import Git
from teamlead.workspaces.copies import CopyFolder
from teamlead.workspaces.reflogs import log_of, stashed
from teamlead.workspaces.refs import look, read_ref, touched_since, user_refs
from teamlead.workspaces.session import Session

GUARDED = (
    "info/exclude",
    "info/attributes",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
)


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
        user_refs(common_dir),
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


def _files(common_dir: Path) -> Iterator[tuple[str, str]]:
    guarded = ((name, look(f"{common_dir}/{name}")) for name in GUARDED)
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

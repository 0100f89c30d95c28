"""What was put into a copy for its agent: as long as it has not been touched, it is nobody's work."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

import msgspec

from teamlead.errors import StorageFailed
from teamlead.system.atomic_files import write_atomically
from teamlead.system.exhaustion import unless_exhausted
from teamlead.workspaces.copy_folder import CopyFolder
from teamlead.workspaces.folder_contents import Found, Stat, stat_of

Stats = Mapping[bytes, Stat]


class Provided(NamedTuple):
    files: Stats
    own: Stats
    """Below the copy's git directory: submodules have their own repositories there."""


def note(copy: CopyFolder, *parts: Mapping[bytes, Found]) -> None:
    _write(copy, *({path: found.stat for path, found in part.items()} for part in parts))


def add(copy: CopyFolder, path: str) -> None:
    """A file that was put there after an agent had been in the copy."""
    known = recall(copy)
    there = stat_of((copy.path / path).stat(follow_symlinks=False))
    files = {**known.files, path.encode(): there}
    _write(copy, files, known.own)


def forget(copy: CopyFolder) -> None:
    _place(copy).unlink(missing_ok=True)


def recall(copy: CopyFolder) -> Provided:
    path = _place(copy)
    try:
        noted = msgspec.json.decode(path.read_bytes(), type=tuple[dict[str, Stat], dict[str, Stat]])
    except FileNotFoundError:
        return Provided({}, {})
    except (OSError, msgspec.DecodeError) as error:
        unless_exhausted(error)
        raise StorageFailed(f"{str(path)!r} is unreadable: {error}") from error
    return Provided(*({unquote_to_bytes(p): stat for p, stat in part.items()} for part in noted))


def _write(copy: CopyFolder, *parts: Stats) -> None:
    noted = [{quote_from_bytes(path): stat for path, stat in part.items()} for part in parts]
    write_atomically(_place(copy), msgspec.json.encode(noted))


def _place(copy: CopyFolder) -> Path:
    return copy.private / "provided.json"

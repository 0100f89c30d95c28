"""A file is written so that a crash leaves either its old content or the new."""

import os
from pathlib import Path

from teamlead.system.disk import storing
from teamlead.system.faults import reach
from teamlead.system.file_modes import usual


def write_atomically(path: Path, content: bytes, *, mode: int = 0o644, users: bool = False) -> None:
    """Replaces `path` in one step; on return the new content and its name are on disk. Raises StorageFailed.

    `users`: the file is not ours but the user's.
    """
    temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}.tmp")
    with storing(path):
        reach(f"file {path.name}: before")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            if users:
                usual(temporary)
            reach(f"file {path.name}: written")
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
        reach(f"file {path.name}: after")


def sync_folder(folder: Path) -> None:
    """Writes a folder to disk: only then is a rename in it on disk, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

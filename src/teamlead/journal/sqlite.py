"""A session's files are created and opened here.

A file that cannot be used is refused by name. It is never re-created and never overwritten: what is in it may
be all that is left of somebody's work.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from teamlead.errors import StorageFailed
from teamlead.journal.schema import Schema
from teamlead.system.atomic_files import sync_folder
from teamlead.system.disk import UNUSABLE, disk_space, unusable
from teamlead.system.faults import reach

OLDEST_LIBRARY = (3, 51, 3)
"""Before it, two connections that write or checkpoint at one time can corrupt a WAL database."""

BUSY_MS = 10_000

_REASONS: tuple[tuple[type[Exception], str, str], ...] = (
    (UnicodeDecodeError, "is damaged", "restore it from a backup; nothing was changed"),
    (apsw.NotADBError, "is damaged or not a teamlead file", "restore it from a backup; nothing was changed"),
    (apsw.CorruptError, "is damaged", "restore it from a backup; nothing was changed"),
    (apsw.ReadOnlyError, "cannot be written", "check its permissions and those of its folder"),
    (apsw.CantOpenError, "cannot be opened", "check its permissions and those of its folder"),
)


def failure(path: Path, error: BaseException) -> StorageFailed:
    """Makes the error that the user reads where SQLite or the machine said no."""
    if _is_the_disk(path, error):
        return unusable(f"cannot write {str(path)!r}: {error}", path)
    if isinstance(error, apsw.BusyError):
        return StorageFailed(
            f"{str(path)!r} is locked by {_holder(path)}",
            remedy="it may be stopped: let it go on (`fg`), or end it",
        )
    for kind, what, remedy in _REASONS:
        if isinstance(error, kind):
            return StorageFailed(f"{str(path)!r} {what}: {error}", remedy=remedy)
    return StorageFailed(f"{str(path)!r} cannot be read or written: {error}", remedy="check the disk")


def _is_the_disk(path: Path, error: BaseException) -> bool:
    match error:
        case apsw.FullError() | apsw.IOError():
            return True
        case apsw.ReadOnlyError() | apsw.CantOpenError():
            return disk_space(path).exhausted
        case OSError():
            return error.errno in UNUSABLE
        case _:
            return False


def _holder(path: Path) -> str:
    """Tells who is writing, by the system's own list: opening the file anew would end our locks on it."""
    try:
        inode = path.with_name(f"{path.name}-shm").stat().st_ino
        held = [line.split() for line in Path("/proc/locks").read_text("utf-8").splitlines()]
    except OSError:
        return "another process"
    pids = [line[4] for line in held if line[3:4] == ["WRITE"] and line[5].endswith(f":{inode}")]
    return f"process {pids[0]}" if pids else "another process"


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    try:
        yield
    except (apsw.Error, OSError, UnicodeDecodeError) as error:
        raise failure(path, error) from error


def check_library(version: str = "") -> None:
    found = version or apsw.sqlite_lib_version()
    if tuple(int(part) for part in found.split(".")[:3]) < OLDEST_LIBRARY:
        wanted = ".".join(str(part) for part in OLDEST_LIBRARY)
        raise StorageFailed(
            f"SQLite {found} can corrupt a journal; {wanted} or newer is needed",
            remedy="pip install --upgrade apsw",
        )


def create(path: Path, schema: Schema, fill: Callable[[apsw.Cursor], None] | None = None) -> None:
    """Makes a new file, with what `fill` adds. It appears whole or not at all, never in place of another."""
    check_library()
    draft = path.with_name(f"{path.name}.new-{os.getpid()}")
    with guarded(path):
        try:
            reach(f"create {path.name}: before")
            _write(draft, schema, fill)
            reach(f"create {path.name}: written")
            path.hardlink_to(draft)
        except FileExistsError:
            raise StorageFailed(f"{str(path)!r} exists already; it was left as it is") from None
        finally:
            draft.unlink(missing_ok=True)
        sync_folder(path.parent)
        reach(f"create {path.name}: after")


def open_for_writing(path: Path, schema: Schema, *, vfs: str = "") -> apsw.Connection:
    return _open(path, schema, str(path), apsw.SQLITE_OPEN_READWRITE, vfs)


def open_for_reading(path: Path, schema: Schema, *, vfs: str = "") -> apsw.Connection:
    """Opens it beside a writer, or alone. Changes nothing but SQLite's own `-shm` and `-wal` files."""
    try:
        return _open(path, schema, str(path), apsw.SQLITE_OPEN_READONLY, vfs)
    except StorageFailed as error:
        blocked = isinstance(error.__cause__, apsw.CantOpenError | apsw.ReadOnlyError)
        if not (blocked and _is_settled(path)):
            raise
    # The folder is read-only, so SQLite cannot make its `-shm` file; and nobody can write who would need it.
    target = f"{path.absolute().as_uri()}?immutable=1"
    return _open(path, schema, target, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, vfs)


def _open(path: Path, schema: Schema, target: str, flags: int, vfs: str) -> apsw.Connection:
    check_library()
    with guarded(path):
        if not path.exists():
            raise StorageFailed(f"there is no {schema.name} at {str(path)!r}", remedy="see `teamlead list`")
        connection = apsw.Connection(target, flags=flags, vfs=vfs or None)
        try:
            connection.set_busy_timeout(BUSY_MS)
            # Closing a file that is refused must not move its log into it.
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            _check(connection, path, schema)
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        except BaseException:
            connection.close()
            raise
    return connection


def _check(connection: apsw.Connection, path: Path, schema: Schema) -> None:
    if connection.pragma("application_id") != schema.application:
        what = f"damaged or not a teamlead {schema.name}" if path.stat().st_size else "empty"
        raise StorageFailed(
            f"{str(path)!r} is {what}", remedy="restore it from a backup; nothing was changed"
        )
    version = connection.pragma("user_version")
    if version != schema.version:
        newer = version > schema.version
        age, remedy = ("a newer", "upgrade teamlead") if newer else ("an older", "use that one for it")
        raise StorageFailed(
            f"{str(path)!r} was written by {age} teamlead (format {version}, known is {schema.version})",
            remedy=f"{remedy}; nothing was changed",
        )


def _write(draft: Path, schema: Schema, fill: Callable[[apsw.Cursor], None] | None) -> None:
    connection = apsw.Connection(str(draft))
    try:
        with connection:
            connection.execute(schema.script)
            connection.pragma("application_id", schema.application)
            connection.pragma("user_version", schema.version)
            if fill:
                fill(connection.cursor())
        connection.pragma("journal_mode", "wal")
    finally:
        connection.close()


def _is_settled(path: Path) -> bool:
    """Whether everything is in the main file, and this process could not add to it."""
    wal = path.with_name(f"{path.name}-wal")
    in_main_file = not wal.exists() or wal.stat().st_size == 0
    return in_main_file and os.access(path, os.R_OK) and not os.access(path.parent, os.W_OK)

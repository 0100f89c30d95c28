"""A lock between processes and threads that ends with its process, and is never waited for in silence."""

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from teamlead.errors import LockHeld
from teamlead.system.disk import storing
from teamlead.system.file_modes import make_usual_folder, usual

PATIENCE = 60.0
POLL = 0.002


@contextmanager
def locked(path: Path, *, shared: bool = False, users: bool = False) -> Iterator[None]:
    """One holder at a time, or several who share it. Raises LockHeld where another process keeps it.

    That is bounded, since the other may have been stopped. What this process has under way itself is waited
    for, however long it takes on a slow disk.

    `users`: it lies among files of the user's, who may share them with others.
    """
    with storing(path):
        made = not path.exists()
        if users:
            make_usual_folder(path.parent)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("a+b", buffering=0)
        if users and made:
            usual(path)
    key, held = _key(stream), 0
    try:
        with stream, _inheritable(stream):
            _wait_for(stream, path, shared=shared)
            held = _count(key, 1)
            yield
    finally:
        # Not before it is let go: who still waits must not take us for another process.
        _count(key, -held)


def _wait_for(stream: FileIO, path: Path, *, shared: bool) -> None:
    key, deadline = _key(stream), time.monotonic() + PATIENCE
    while True:
        ours = _own[key]
        if _taken(stream, shared=shared):
            return
        if ours or _own[key]:
            assert not _held_here(stream), f"{path} is locked by this very thread, which would wait for ever"
            deadline = time.monotonic() + PATIENCE
        elif time.monotonic() > deadline:
            raise LockHeld(
                f"{_holder(stream)} has held {str(path)!r} for more than {PATIENCE:.0f} s",
                remedy="it may be stopped: let it go on (`fg`), or end it",
            )
        time.sleep(POLL)


def _held_here(stream: FileIO) -> bool:
    others = (descriptor for descriptor in inherited() if descriptor != stream.fileno())
    return any(os.path.sameopenfile(descriptor, stream.fileno()) for descriptor in others)


_own: Counter[tuple[int, int, int]] = Counter()
"""What threads of this process hold."""
_counting = threading.Lock()


def _count(key: tuple[int, int, int], more: int) -> int:
    """Returns `more`."""
    with _counting:
        _own[key] += more
        if not _own[key]:
            del _own[key]
    return more


def _key(stream: FileIO) -> tuple[int, int, int]:
    """Of a process: one that is forked holds nothing by itself."""
    found = os.fstat(stream.fileno())
    return os.getpid(), found.st_dev, found.st_ino


def inherited() -> tuple[int, ...]:
    """What this thread has locked, for a program that must not outlive the lock if we are killed."""
    return tuple(getattr(_held, "descriptors", ()))


_held = threading.local()


@contextmanager
def _inheritable(stream: FileIO) -> Iterator[None]:
    before = inherited()
    _held.descriptors = (*before, stream.fileno())
    try:
        yield
    finally:
        _held.descriptors = before


def _taken(stream: FileIO, *, shared: bool) -> bool:
    import fcntl  # noqa: PLC0415 - absent on Windows, where we must still be able to say so

    try:
        fcntl.flock(stream, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    # Only for people to read, and not worth failing for. Of several who share it, the last.
    with suppress(OSError):
        stream.truncate(0)
        stream.write(b"%d\n" % os.getpid())
    return True


def _holder(stream: FileIO) -> str:
    stream.seek(0)
    written = stream.readline(20).decode(errors="replace").strip()
    return f"process {written}" if written.isdecimal() else "another process"

"""One leader a session: whoever holds the lock on `leader.lock`.

The kernel says whether it is held, so a dead leader never blocks and a stopped one is never replaced. What is
written in the file only tells people who it is. Writes of a leader that lost its lease are refused by the
journal's epoch.

Linux can ask for the holder of an open file description's lock without taking it. Elsewhere the question
itself is a short shared lock, so that whoever wants the lock tries for a moment before giving up.
"""

import fcntl
import json
import os
import struct
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from teamlead.errors import LeaseHeld
from teamlead.system.disk import storing
from teamlead.system.faults import reach
from teamlead.system.process_owner import require_person
from teamlead.system.sessions import state_of

NAME = "leader.lock"


class Holder(NamedTuple):
    """Who leads. Fields are empty where the file does not say: its holder has only just come."""

    pid: int = 0
    host: str = ""
    started: int = 0
    """When the process started, in the kernel's ticks since boot: tells it from a later one with its pid."""
    boot_id: str = ""
    since: float = 0.0
    command: str = ""

    def __str__(self) -> str:
        if not self.pid:
            return "another process"
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(self.since))
        return f"process {self.pid} on {self.host} since {since} ({self.command})"


class Lease:
    """Held until `release`, or until the process ends. Programs it starts do not inherit it."""

    def __init__(self, descriptor: int, holder: Holder) -> None:
        self.descriptor = descriptor
        """A child forked without exec must close it: its copy would hold the lease beyond our death."""
        self.holder = holder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        if self.descriptor < 0:
            return
        # A name left in the file misleads nobody: the lock says whether it counts.
        with suppress(OSError):
            reach("lease release: before")
            os.ftruncate(self.descriptor, 0)
        # Closing alone would not do it where a forked child has the descriptor too.
        Lock.release(self.descriptor)
        os.close(self.descriptor)
        self.descriptor = -1
        reach("lease release: after")


def acquire(folder: Path, command: str) -> Lease:
    """Takes the lease of the session in `folder`, or raises LeaseHeld. `command` is what the user called.

    What a team has started leads nothing in its own state directory.
    """
    require_person(state_of(folder))
    with storing(folder / NAME):
        descriptor = _locked(folder)
        try:
            reach("lease: taken")
            holder = Holder(
                pid=os.getpid(),
                host=os.uname().nodename,
                started=_started(),
                boot_id=_boot_id(),
                since=time.time(),
                command=command,
            )
            _write(descriptor, holder)
            reach("lease: signed")
        except BaseException:
            os.close(descriptor)
            raise
    return Lease(descriptor, holder)


def holder(folder: Path) -> Holder | None:
    """Tells who leads the session now, if anybody. It takes no lock, and disturbs nobody who wants one."""
    try:
        descriptor = os.open(folder / NAME, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        return _read(descriptor) if Lock.is_taken(descriptor) else None
    finally:
        os.close(descriptor)


def _locked(folder: Path) -> int:
    path = folder / NAME
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _lock(descriptor, folder.name)
            if _is_at(path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        # Somebody put another file in its place meanwhile, which is the one that others will lock.
        os.close(descriptor)


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _lock(descriptor: int, session: str) -> None:
    if not Lock.take(descriptor):
        raise LeaseHeld(
            f"session {session!r} is led by {_read(descriptor)}",
            remedy=f"follow it with `teamlead watch {session}`, wait for its end,"
            f" or stop it with `teamlead pause --session {session}`",
        )


def _write(descriptor: int, holder: Holder) -> None:
    line = json.dumps(holder._asdict()).encode() + b"\n"
    # In this order a reader finds a whole first line, of this holder or of the one before.
    os.pwrite(descriptor, line, 0)
    os.ftruncate(descriptor, len(line))


def _read(descriptor: int) -> Holder:
    line = os.pread(descriptor, 65536, 0).partition(b"\n")[0]
    try:
        return Holder(**json.loads(line))
    except (ValueError, TypeError):
        return Holder()


def _started() -> int:
    try:
        # The program's name, in parentheses, may hold anything; the fields after it are numbers.
        return int(Path("/proc/self/stat").read_text("utf-8").rpartition(")")[2].split()[19])
    except OSError:
        return 0


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip()
    except OSError:
        return ""


_FIELDS = "hhqqi"
"""Linux's `struct flock`: type, whence, start, length, process."""


class OpenFileLock:
    """Linux's locks on open file descriptions."""

    @staticmethod
    def take(descriptor: int) -> bool:
        try:
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, struct.pack(_FIELDS, fcntl.F_WRLCK, 0, 0, 0, 0))
        except BlockingIOError:
            return False
        return True

    @staticmethod
    def release(descriptor: int) -> None:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, struct.pack(_FIELDS, fcntl.F_UNLCK, 0, 0, 0, 0))

    @staticmethod
    def is_taken(descriptor: int) -> bool:
        question = struct.pack(_FIELDS, fcntl.F_WRLCK, 0, 0, 0, 0)
        answer = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, question)
        return bool(struct.unpack(_FIELDS, answer)[0] != fcntl.F_UNLCK)


class FileLock:
    """`flock`, for other systems."""

    patience = 0.2

    @classmethod
    def take(cls, descriptor: int) -> bool:
        deadline = time.monotonic() + cls.patience
        while not _flock(descriptor, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.002)
        return True

    @staticmethod
    def release(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    @classmethod
    def is_taken(cls, descriptor: int) -> bool:
        if not _flock(descriptor, fcntl.LOCK_SH):
            return True
        cls.release(descriptor)
        return False


def _flock(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


Lock: type[OpenFileLock] | type[FileLock] = OpenFileLock if sys.platform == "linux" else FileLock

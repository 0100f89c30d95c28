"""A lock on an open file that ends with the process, however it ends.

Linux can ask for the holder of an open file description's lock without taking it. Elsewhere the question
itself is a short shared lock, so that whoever wants the lock tries for a moment before giving up.
"""

import fcntl
import struct
import sys
from time import monotonic, sleep

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
        deadline = monotonic() + cls.patience
        while not _flock(descriptor, fcntl.LOCK_EX):
            if monotonic() > deadline:
                return False
            sleep(0.002)
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

"""A file that is locked as long as anything of a run is alive.

The run's warden holds it open, so the kernel lets go of the lock when the warden has ended, whatever ended
the leader. Whoever wants to run something in the same place claims the lock first.
"""

import asyncio
import fcntl
from pathlib import Path
from typing import BinaryIO

PATIENCE = 10.0
"""Seconds that a warden may take: as long as it tries itself before it says that it cannot."""
POLL = 0.002


async def claim(path: Path, patience: float = PATIENCE) -> BinaryIO | None:
    """Locks the file while it is open, here or in a warden. Returns None if what ran before does not end.

    Raises OSError where the file cannot be made.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + patience
    file = path.open("ab")
    try:
        while not _locked(file):
            if loop.time() >= deadline:
                file.close()
                return None
            await asyncio.sleep(POLL)
    except BaseException:
        file.close()
        raise
    return file


def _locked(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

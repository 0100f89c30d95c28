"""Who may read what: our own files are for the user alone, the user's and the agents' are as the user likes.

A leader makes its files under a umask of its own, and so do its wardens. The programs that it starts, git
among them, run under the user's; what it makes itself in a working copy or the user's repository, `usual`
gives the mode that the user's own programs would have given it.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

OTHERS: Final = 0o077
_users = -1


@contextmanager
def private_files() -> Iterator[None]:
    """Lets nobody but its user read what this process makes meanwhile."""
    global _users  # noqa: PLW0603 - a process has one umask
    if _users >= 0:
        yield
        return
    _users = os.umask(OTHERS)
    try:
        yield
    finally:
        os.umask(_users)
        _users = -1


def users_umask() -> int:
    """Returns the umask for programs that we start, as `subprocess` takes it; -1: it is in force."""
    return _users


def usual_mode(mode: int) -> int:
    """Returns the mode that the user's own programs would give it."""
    return mode & ~max(_users, 0)


def usual(path: Path, mode: int = 0o666) -> None:
    """Gives a file that was made just now the mode that the user's programs would give it."""
    if _users >= 0:
        path.chmod(usual_mode(mode))


def as_usual(mode: int) -> int:
    """Returns the mode that a folder of ours would have, had the user made it."""
    return mode if _users < 0 else mode & ~0o777 | 0o777 & ~_users


def make_usual_folder(path: Path) -> None:
    """Makes a folder, and those above it that are missing, as the user's programs would."""
    if not path.is_dir():
        make_usual_folder(path.parent)
        with suppress(FileExistsError):
            path.mkdir()
            usual(path, 0o777)


def tighten(*folders: Path, deep: bool = False) -> None:
    """Takes from others what an earlier version let them read. `deep`: also all that lies below.

    The folder itself goes last: one that is closed was done.
    """
    for folder in folders:
        if not folder.is_dir() or not stat.S_IMODE(folder.stat().st_mode) & OTHERS:
            continue
        for place, names, files in os.walk(folder):
            for name in (*files, *(names if deep else ())):
                _close(Path(place, name))
            if not deep:
                break
        _close(folder)


def _close(path: Path) -> None:
    # What is another user's is theirs to close, and what vanished meanwhile is read by nobody.
    with suppress(FileNotFoundError, PermissionError):
        if not path.is_symlink():
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)

"""What a check on a clean copy depends on besides files and settings, as far as one can tell cheaply.

Sessions hours apart share what a check came to only where all of this is the same.
"""

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from teamlead.system.environment import for_check
from teamlead.workspaces.checkout_copying import named

INSTALLED = ("node_modules", ".venv", "venv")
"""What rooms show of the checkout without being told, as far as it is in its usual place."""


def surroundings(root: Path, provided: Sequence[str], command: str) -> str:
    """`provided`: what every copy is given of the checkout, as settings name it."""
    return repr((sorted(for_check(0).items()), _program(command), list(_given(root, provided))))


def _program(command: str) -> tuple[object, ...]:
    try:
        words = shlex.split(command)
    except ValueError:
        return ()
    found = shutil.which(words[0]) if words else None
    return (found, *_stamp(Path(os.path.realpath(found)))) if found else ()


def _given(root: Path, provided: Sequence[str]) -> Iterator[object]:
    """A folder changes with what is put into it or taken from it; so with those one level below."""
    for pattern in (*provided, *INSTALLED):
        for path in named(root, pattern).paths:
            at = root / path
            inside = sorted(at.iterdir()) if at.is_dir() and not at.is_symlink() else []
            for each in (at, *inside):
                yield (str(each), *_stamp(each))


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        status = path.lstat()
    except OSError:
        return ()
    return (status.st_ino, status.st_size, status.st_mtime_ns)

"""Who started a process: the person, or their team.

Agents, checks and set-up commands are started with the state directory and the repository of their session in
their environment, and so are the wardens above them. Nothing below a warden can change the warden's
environment, or get out from under it, however often it forks. So a process looks at all of its ancestors, and
not only at itself.

The state directory alone would not do: a copy of it is another one, and decides about the same branches.

Where there are no wardens, an agent that empties the environment of what it starts is not recognised.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from teamlead.errors import Refused, TeamleadError
from teamlead.system.environment import BELONGS_TO, BELONGS_TO_REPOSITORY
from teamlead.system.wardens.tree import stat

LOOKS: Final = 100
"""At processes that come and go. Two of these looks agree, or nothing is known."""


def require_person(state: Path) -> None:
    """Call before anything is decided or steered that lies in this state directory. Raises Refused."""
    if any(_same(owner, state) for owner in owners()):
        raise Refused(
            "only a person decides this: the command comes from an agent, a check or a set-up command of a"
            f" session in {str(state)!r}",
            remedy="leave it to the person; tests that call teamlead give it a state directory of their own"
            " with TEAMLEAD_STATE",
        )


def require_person_in(cwd: Path) -> None:
    """Call before anything is decided in the repository around `cwd`. Raises Refused."""
    known = list(_told(BELONGS_TO_REPOSITORY))
    found = _common_dir(cwd) if known else None
    if found and any(_same(each, found) for each in known):
        raise Refused(
            "only a person decides this: the command comes from an agent, a check or a set-up command of a"
            f" session in the repository {str(found)!r}",
            remedy="leave it to the person; tests that call teamlead give it repositories of their own",
        )


def owners() -> Iterator[Path]:
    """Lists the state directories of all sessions, one inside another, that this process was started for."""
    return _told(BELONGS_TO)


def _told(variable: str) -> Iterator[Path]:
    """Yields what this process and all above it have in this variable."""
    if variable in os.environ:
        yield Path(os.environ[variable])
    for pid in _line():
        # What belongs to another user, as what let the person in, has nothing to say of ours.
        with suppress(OSError):
            for word in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                name, _, value = word.partition(b"=")
                if name == variable.encode():
                    yield Path(os.fsdecode(value))


def _common_dir(cwd: Path) -> Path | None:
    """Finds it as the commands do, which may do without git."""
    from teamlead.system.repository import discover, discover_by_hand  # noqa: PLC0415 - a person needs it not

    try:
        return discover(cwd).common_dir
    except TeamleadError:
        found = discover_by_hand(cwd)
        return found.common_dir if found else None


def _line() -> list[int]:
    """Lists all processes from this one up that this user may see. Raises Refused where nobody can tell.

    It looks until two looks agree: a parent that dies leaves its children to another process, and its pid to
    any.
    """
    if sys.platform != "linux":
        return []
    seen = None
    for _ in range(LOOKS):
        again = _look()
        if again and again == seen:
            return again
        seen = again
    raise Refused(
        "only a person decides this, and /proc does not show which processes this command comes from",
        remedy="call it where the system's own /proc is mounted, or mount it: `mount -t proc proc /proc`",
    )


def _look() -> list[int]:
    """Returns nothing if the line has no end: no process without a parent, none outside of this container."""
    found: list[int] = []
    pid = 0
    try:
        # Not getpid: inside a namespace, /proc may be that of the system around it.
        pid = int(os.readlink("/proc/self"))  # noqa: PTH115 - as stat gives it: a number
        while pid:
            parent = int(stat(pid)[1])
            found.append(pid)
            pid = parent
    except (OSError, ValueError, IndexError):
        return found if found and _is_hidden(pid) else []
    return found


def _is_hidden(pid: int) -> bool:
    """Whether it lives, and `/proc` hides it (`hidepid`): it is another user's, or as secretive as sshd."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def _same(one: Path, other: Path) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    with suppress(OSError):
        return one.samefile(other)
    return False

"""Filters of the user's repository, such as one that strips notebooks: programs that git starts in a copy.

What they load from there is an agent's. So they run in the copy's room, as its checks do; but for those of
git LFS, which load nothing from it and store large files where no room can.
"""

import os
import re
import shlex

from teamlead.ports.rooms import Room
from teamlead.system.rooms.availability import means
from teamlead.system.rooms.entering import enter

PROGRAM = re.compile(r"filter\..*\.(clean|smudge|process)", re.DOTALL)
LARGE_FILES = "git-lfs"
FILE = "%f"
"""Git puts the path there, as one word."""
QUOTED = '"$1"'

Options = tuple[tuple[str, str], ...]


def programs(configuration: Options) -> Options:
    """Picks the settings that let git start a program which may be an agent's."""
    return tuple(
        (key, value)
        for key, value in configuration
        if PROGRAM.fullmatch(key) and value.split()[:1] not in ([], [LARGE_FILES])
    )


def in_room(found: Options, room: Room) -> Options:
    return tuple((key, _held(value, room)) for key, value in found)


def _held(command: str, room: Room) -> str:
    """Returns a command that runs the filter by a shell in the room, with the path for an argument."""
    shell = ["/bin/sh", "-c", command.replace(FILE, QUOTED), "filter"]
    entry = enter(shell, room.copy, os.environ, room, means())
    return f"{shlex.join(entry.argv)} {FILE}" if FILE in command else shlex.join(entry.argv)

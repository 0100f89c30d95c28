"""A trial room: the real thing around an empty copy, through which a canary is read."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.ports.rooms import House, Kind, Means, Room
from teamlead.system import wardens
from teamlead.system.environment import allowed
from teamlead.system.rooms.entering import enter
from teamlead.system.wardens.messages import write_order

PATIENCE = 30.0
SING = 'read -r word < "$0" && read -r rest < "$1" && test ! -e "$2" && : > "$3" && echo "$word $rest"'


class Trial(NamedTuple):
    works: bool
    said: str = ""
    """By whoever failed."""

    @property
    def why_not(self) -> str:
        return f"a trial room could not be entered: {self.said or 'it shows what it should hide'}"


def try_out(means: Means) -> Trial:
    """Tries a room, with layers if the machine can have them."""
    with tempfile.TemporaryDirectory(prefix="teamlead-room-", ignore_cleanup_errors=True) as folder:
        return _try_out(means, Path(os.path.realpath(folder)))


def _try_out(means: Means, folder: Path) -> Trial:
    room = empty_room(folder, "bubblewrap")
    root, state = room.house.root, room.house.state
    room = room._replace(layered=((root / "layer", Path("layer")),), scratch=state / "scratch")
    for path in (root / "layer", room.copy / "layer"):
        path.mkdir()
    (root / "canary").write_text("cat\n")
    (room.copy / "canary").write_text("canary\n")
    (root / "layer" / "song").write_text("sings\n")
    (state / "secret").touch()
    words = [str(path) for path in (root / "canary", root / "layer" / "song", state / "secret")]
    written = root / "layer" / "written" if means.overlays else root / "written"
    try:
        done = run(["/bin/sh", "-c", SING, *words, str(written)], room, allowed(), means, PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Trial(works=False, said=str(error))
    private = not (root / "layer" / "written").exists()
    if done.stdout == b"canary sings\n" and private:
        return Trial(works=True)
    errors = done.stderr.decode("utf-8", "replace")
    return Trial(works=False, said=(errors.strip().splitlines() or [""])[-1])


def empty_room(folder: Path, kind: Kind) -> Room:
    """Makes a room, and all that it is made of, below a folder whose path has no link in it."""
    root, state, home = folder / "root", folder / "state", folder / "home"
    house = House(root, root / ".git", state, state / "objects", home=home, kind=kind)
    room = Room(house, copy=state / "copy", git_dir=state / "git")
    for path in (root / ".git" / "objects", room.copy, room.git_dir, home):
        path.mkdir(parents=True)
    return room


def run(
    argv: Sequence[str], room: Room, env: Mapping[str, str], means: Means, patience: float
) -> "subprocess.CompletedProcess[bytes]":
    """Runs a short program in the room's copy, without a leader."""
    entry = enter(argv, room.copy, env, room, means)
    how: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": patience}
    if not entry.steps:
        return subprocess.run(entry.argv, cwd=entry.cwd, env=entry.env, check=False, **how)
    order = write_order(str(entry.cwd), entry.argv, entry.env, entry.steps)
    warden = [sys.executable, "-I", "-S", str(Path(wardens.__file__).parent), "enter", str(order)]
    try:
        return subprocess.run(warden, cwd="/", env=allowed(), pass_fds=[order], check=False, **how)
    finally:
        os.close(order)

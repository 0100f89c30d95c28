"""Whether Codex can hold its commands by the operating system: not every kernel and container lets it.

It holds them by bubblewrap: the system's own, else the one that it brings. A command that does not get to run
there fails without a word in what Codex says. So it is tried, with a command that may write to one folder.

Codex needs a folder for temporary files that it can write to, and a home that is not below it: an older
bubblewrap than 0.9 finds a part of the sandbox only by a link in that home, and Codex makes none there.

Not in every room can it make another one: Landlock and Seatbelt keep it from that, and a system may. So it is
tried in a room, too.
"""

import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from teamlead.ports.rooms import Kind
from teamlead.system.environment import allowed
from teamlead.system.rooms.availability import means
from teamlead.system.rooms.trial_room import empty_room, run
from teamlead.system.text import clip, printable

PATIENCE = 10.0
LONGEST = 300
_SETTINGS = ('sandbox_mode="workspace-write"', "sandbox_workspace_write={exclude_slash_tmp=true}")
_TRIAL = 'touch inside; touch "$0" 2>/dev/null'


@cache
def why_not(program: Path, kind: Kind | None) -> str:
    """Says why it cannot, in a room of this kind or, with None, without one; "" if it can."""
    with tempfile.TemporaryDirectory() as folder:
        return _tried(program, Path(os.path.realpath(folder)), kind)


def _tried(program: Path, folder: Path, kind: Kind | None) -> str:
    room = empty_room(folder / "room", kind) if kind else None
    work = room.copy if room else folder / "work"
    home, temporary, free = (folder / name for name in ("home", "temporary", "free"))
    for each in (home, temporary, free, work):
        each.mkdir(exist_ok=True)
    outside = free / "outside"
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    argv = [str(program), "sandbox", *settings, "--", "sh", "-c", _TRIAL, str(outside)]
    # A home of its own: the user's settings are not what is asked about.
    environment = allowed() | {"CODEX_HOME": str(home), "TMPDIR": str(temporary)}
    try:
        if room:
            room = room._replace(writable=(home, temporary, free))
            done = run(argv, room, environment, means(), PATIENCE)
        else:
            done = subprocess.run(
                argv,
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
    except OSError as error:
        return f"its sandbox cannot be started: {error.strerror}"
    except subprocess.TimeoutExpired:
        return f"its sandbox gave no answer within {PATIENCE:g} s"
    if outside.exists():
        return "its sandbox lets commands write where they must not"
    if (work / "inside").exists():
        return ""
    return _last_words(done.stderr) or "commands do nothing in its sandbox"


def _last_words(errors: bytes) -> str:
    lines = printable(errors.decode("utf-8", "replace")).splitlines()
    # Of a program that breaks down, the last line tells how to look closer.
    told = [line.strip() for line in lines if line.strip() and not line.startswith("note: ")]
    return clip(told[-1], LONGEST) if told else ""

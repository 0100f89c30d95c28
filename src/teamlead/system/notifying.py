"""The user is told something where they are: by commands of theirs, or on their desktop.

The text comes from agents and plans. A command finds it in its environment and on its input, never on its
command line; the desktop gets it as a plain argument.
"""

import asyncio
import html
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from teamlead.core.people.notices import DESKTOP, Notice
from teamlead.errors import TeamleadError
from teamlead.system.processes import ProcessEnd, spawn
from teamlead.system.text import clip, printable

PATIENCE = 30.0
LONGEST = 2000
SAID = 300

_SCRIPT = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)


class CommandNotifier:
    def __init__(self, cwd: Path) -> None:
        self._cwd = cwd

    async def notify(self, way: str, notice: Notice) -> str:
        message = clip(printable(notice.message), LONGEST)
        argv = _desktop(message) if way == DESKTOP else ["/bin/sh", "-c", way]
        if not argv:
            return why_no_desktop()
        said = _Said()
        try:
            process = await spawn(
                argv,
                cwd=self._cwd,
                env=_environment(notice, message),
                stdin=f"{message}\n".encode(),
                stdout=said,
                hard_timeout=PATIENCE,
            )
        except TeamleadError as error:
            return error.message
        try:
            ended = await process.wait()
        except asyncio.CancelledError:
            await process.cancel(0)
            raise
        return _problem(way, ended, said)


def why_no_desktop() -> str:
    """Says why nothing can be shown on a desktop; "" if it can."""
    if not shutil.which(_program()):
        return f"there is no {_program()} to notify the desktop with"
    return ""


def _program() -> str:
    return "osascript" if sys.platform == "darwin" else "notify-send"


def _desktop(message: str) -> Sequence[str]:
    found = shutil.which(_program())
    if not found:
        return ()
    if sys.platform == "darwin":
        lines = [part for line in _SCRIPT for part in ("-e", line)]
        return (found, *lines, "teamlead", message)
    # Its body may hold markup, which a message must not.
    return (found, "--app-name=teamlead", "--", "teamlead", html.escape(message, quote=False))


def _environment(notice: Notice, message: str) -> dict[str, str]:
    """Returns what the user's own program would have in their terminal."""
    return {
        **os.environ,
        "TEAMLEAD_SESSION": notice.session,
        "TEAMLEAD_ABOUT": notice.about,
        "TEAMLEAD_TASK": notice.task,
        "TEAMLEAD_MESSAGE": message,
    }


class _Said:
    """The end of what a program prints: it tells why it failed."""

    def __init__(self) -> None:
        self.end = b""

    def write(self, data: bytes) -> None:
        self.end = (self.end + data)[-4 * SAID :]

    def close(self) -> None:
        pass


def _problem(way: str, ended: ProcessEnd, said: _Said) -> str:
    if ended.exit_code == 0 and not ended.stopped:
        return ""
    how = f"did not end within {PATIENCE:.0f} s" if ended.stopped else f"ended with {ended.exit_code}"
    told = " ".join(printable(said.end.decode(errors="replace")).split())[-SAID:]
    return f"`{clip(way, SAID)}` {how}{f': {told}' if told else ''}"

"""A leader keeps the machine from going to sleep. Where it cannot, work goes on all the same.

A small program of the system's own does it, and ends with this process, however that ends: on Linux it waits
for the end of a pipe that only we hold, on macOS it watches our pid.
"""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import Self

ANSWERING = 5.0


class KeepAwake:
    """Keeps the machine awake while there is a reason. It delays nobody, and fails nobody."""

    def __init__(self, why: str) -> None:
        self._why = why
        self._wanted = False
        self._helper: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.keep(wanted=False)

    def keep(self, *, wanted: bool) -> None:
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if wanted:
            self._helper = _start(_argv(self._why, "cat"))
        elif self._helper is not None:
            _end(self._helper)
            self._helper = None


def why_not() -> str:
    """Says why the machine cannot be kept awake; "" if it can."""
    argv = _argv("teamlead doctor asks", "true")
    if not argv:
        return f"there is no {_helper()}"
    if sys.platform == "darwin":
        return ""
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=ANSWERING
        )
    except (OSError, subprocess.TimeoutExpired):
        return f"{_helper()} does not answer"
    said = done.stderr.decode(errors="replace").strip()
    return f"{_helper()}: {said or done.returncode}" if done.returncode else ""


def _helper() -> str:
    return "caffeinate" if sys.platform == "darwin" else "systemd-inhibit"


def _argv(why: str, command: str) -> list[str]:
    found = shutil.which(_helper())
    if not found:
        return []
    if sys.platform == "darwin":
        return [found, "-i", "-w", str(os.getpid())]
    return [found, "--what=idle:sleep", "--who=teamlead", f"--why={why}", "--mode=block", command]


def _start(argv: list[str]) -> subprocess.Popen[bytes] | None:
    if not argv:
        return None
    with suppress(OSError):
        return subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # There the terminal's Ctrl-C does not reach it, and it cannot ask for a password.
            start_new_session=True,
        )
    return None


def _end(helper: subprocess.Popen[bytes]) -> None:
    assert helper.stdin is not None
    helper.stdin.close()
    helper.kill()
    helper.wait()

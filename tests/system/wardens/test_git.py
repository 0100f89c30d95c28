"""What git is doing when its leader is killed is ended too: the next leader must not meet it."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.system.wardens.support import LEADER, until


def at_work_in(folder: Path) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "cwd").readlink() == folder:
                found.append((process / "comm").read_text().strip())
    return found


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_git_and_its_filters_end_with_the_leader(tmp_path: Path, how: signal.Signals) -> None:
    at_work = tmp_path / "at work"
    os.mkfifo(at_work)
    stubborn = "trap '' TERM; " if how == signal.SIGKILL else ""
    hanging = f"{stubborn}echo > '{at_work}'; sleep 60"
    folder = tmp_path / "repository"
    folder.mkdir()
    for arguments in (["init", "-q"], ["config", "filter.slow.clean", hanging]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    (folder / ".gitattributes").write_text("*.txt filter=slow\n")
    (folder / "file.txt").write_text("text\n")
    with subprocess.Popen([sys.executable, LEADER, "git", folder]) as leader:
        at_work.read_text()
        until(lambda: {"git", "sleep"} <= {*at_work_in(folder)})
        leader.kill()
    until(lambda: not at_work_in(folder))

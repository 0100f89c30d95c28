"""What git is doing when its leader is killed is ended too: the next leader must not meet it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.system.wardens.support import LEADER, Tree, until


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_git_and_its_filters_end_with_the_leader(tree: Tree, tmp_path: Path, how: signal.Signals) -> None:
    at_work = tmp_path / "at work"
    os.mkfifo(at_work)
    stubborn = "trap '' TERM; " if how == signal.SIGKILL else ""
    hanging = f"{stubborn}echo > '{at_work}'; exec sleep 60"
    folder = tmp_path / "repository"
    for arguments in (["init", "-q", folder], ["-C", folder, "config", "filter.slow.clean", hanging]):
        subprocess.run(["git", *arguments], check=True)
    (folder / ".gitattributes").write_text("*.txt filter=slow\n")
    (folder / "file.txt").write_text("text\n")
    with subprocess.Popen([sys.executable, LEADER, "git", folder], env=tree.env) as leader:
        at_work.read_text()
        leader.kill()
    until(lambda: not tree.alive())
    assert not (folder / ".git/index.lock").exists()

"""No process is signalled that is not of the tree."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.system.wardens.support import SIZE, Tree, start_nasty

from teamlead.system.wardens import tree as below

ALONE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"]
SCRIPT = str(Path(__file__).with_name("pid_reuse.py"))


@pytest.fixture
def innocent() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        yield process
        process.kill()


def test_a_process_whose_parent_is_another_is_not_seized(innocent: subprocess.Popen[bytes]) -> None:
    assert below.seize(innocent.pid, os.getppid(), -1) == -1
    assert below.stat(innocent.pid)[0] in {b"R", b"S", b"D"}, "it goes on"


def test_a_child_of_a_pid_that_was_used_again_is_not_seized(innocent: subprocess.Popen[bytes]) -> None:
    with subprocess.Popen(["true"]) as former:
        pin = os.pidfd_open(former.pid)
    try:
        # As if this process had got the pid that was pinned.
        assert below.seize(innocent.pid, os.getpid(), pin) == -1
    finally:
        os.close(pin)
    assert below.stat(innocent.pid)[0] not in {b"T", b"Z"}


def test_bystanders_survive_the_end_of_a_nasty_tree(tree: Tree, innocent: subprocess.Popen[bytes]) -> None:
    async def main() -> tuple[int | None, int | None]:
        process = await start_nasty(tree)
        neighbour = await asyncio.create_subprocess_exec("sleep", "60")
        await process.cancel(0)
        codes = innocent.poll(), neighbour.returncode
        neighbour.kill()
        await neighbour.wait()
        return codes

    assert asyncio.run(main()) == (None, None)


def killed_bystanders(how: str, seconds: int) -> int:
    done = subprocess.run(
        [*ALONE, sys.executable, SCRIPT, how, str(seconds)], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def pids_can_be_chosen() -> bool:
    test = "echo 10 > /proc/sys/kernel/ns_last_pid"
    return subprocess.run([*ALONE, "sh", "-c", test], check=False, capture_output=True).returncode == 0


@pytest.mark.timeout(60 + 60 * SIZE)
def test_who_gets_the_pid_of_one_that_has_just_died_is_not_killed() -> None:
    if not pids_can_be_chosen():
        pytest.skip("this system lets nobody choose pids")
    assert any(killed_bystanders("careless", 2) for _ in range(10))
    assert killed_bystanders("careful", 2 * SIZE) == 0

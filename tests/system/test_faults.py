"""Fault points: silent unless armed, and then exact."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from teamlead.system import faults

REACH_THREE_TIMES = """
from teamlead.system.faults import reach
for _ in range(3):
    print("here", flush=True)
    reach("journal commit: before")
    reach("another")
"""


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    yield
    faults.arm("")


def run(fault: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", REACH_THREE_TIMES],
        env={**os.environ, faults.VARIABLE: fault},
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_happens_at_a_point_while_nothing_is_armed() -> None:
    done = run("")
    assert (done.returncode, done.stdout.count("here")) == (0, 3)


def test_the_environment_arms_a_process_to_kill_itself_at_the_kth_time() -> None:
    done = run("kill journal commit: before#2")
    assert (done.returncode, done.stdout.count("here")) == (-signal.SIGKILL, 2)


def test_a_point_that_is_never_reached_harms_nobody() -> None:
    assert run("kill journal commit: before#4").returncode == 0


def test_recording_lists_every_point_in_order(tmp_path: Path) -> None:
    run(f"record {tmp_path / 'points'}")
    assert (tmp_path / "points").read_text().splitlines() == ["journal commit: before", "another"] * 3


def test_a_failing_disk_is_an_error_of_the_system_at_that_time_only() -> None:
    faults.arm("ENOSPC file id: before#2")
    faults.reach("file id: before")
    with pytest.raises(OSError, match="No space left") as caught:
        faults.reach("file id: before")
    assert caught.value.errno == errno.ENOSPC
    faults.reach("file id: before")


def test_a_disk_that_stays_full_fails_at_every_later_write() -> None:
    faults.arm("ENOSPC file id: before#1+")
    faults.reach("file other: before")
    for name in ("file id: before", "file id: before", "file other: written"):
        with pytest.raises(OSError, match="No space left"):
            faults.reach(name)
    faults.reach("file id: after")
    faults.reach("start sh: before")


def test_a_stopped_process_goes_on_when_it_is_told_to() -> None:
    pid = os.fork()
    if pid == 0:
        faults.arm("stop here#1")
        faults.reach("here")
        os._exit(7)
    assert os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])
    os.kill(pid, signal.SIGCONT)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(AttributeError):
        faults.arm("explode here#1")

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from teamlead.system import awake
from teamlead.system.awake import KeepAwake, why_not

LEADER = """
import sys
from teamlead.system.awake import KeepAwake
with KeepAwake("a test") as vigil:
    vigil.keep(wanted=True)
    print("kept", flush=True)
    sys.stdin.read()
"""


def until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Inhibitor:
    """A program in the place of systemd-inhibit: notes how it is called, and runs the command."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls = folder / "calls"
        self.script(
            f'echo "$@" >> {self.calls}; echo $$ > {folder}/pid; for last; do :; done; $last; rm {folder}/pid'
        )

    def script(self, text: str) -> None:
        program = self.folder / "systemd-inhibit"
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)

    @property
    def pid(self) -> int:
        until(lambda: (self.folder / "pid").exists() and (self.folder / "pid").read_text())
        return int((self.folder / "pid").read_text())


@pytest.fixture
def inhibitor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Inhibitor:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return Inhibitor(tmp_path)


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_the_machine_is_kept_awake_while_it_is_wanted(inhibitor: Inhibitor) -> None:
    with KeepAwake("a team is at work") as vigil:
        vigil.keep(wanted=True)
        first = inhibitor.pid
        vigil.keep(wanted=True)
        assert not gone(first)
        vigil.keep(wanted=False)
        assert gone(first)
    (call,) = inhibitor.calls.read_text().splitlines()
    assert call == "--what=idle:sleep --who=teamlead --why=a team is at work --mode=block cat"


def test_it_ends_with_what_it_was_kept_for(inhibitor: Inhibitor) -> None:
    with KeepAwake("a test") as vigil:
        vigil.keep(wanted=True)
        pid = inhibitor.pid
    assert gone(pid)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_a_leader_that_is_killed(inhibitor: Inhibitor, number: signal.Signals) -> None:
    leader = subprocess.Popen([sys.executable, "-c", LEADER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with leader:
        assert leader.stdout is not None
        assert leader.stdout.readline() == b"kept\n"
        pid = inhibitor.pid
        leader.send_signal(number)
    until(lambda: gone(pid))


def test_without_a_way_to_do_it_nothing_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with KeepAwake("a test") as vigil:
        vigil.keep(wanted=True)
    assert why_not() == f"there is no {awake._helper()}"


def test_a_helper_that_fails_does_no_harm_and_is_shown(inhibitor: Inhibitor) -> None:
    inhibitor.script("echo Failed to connect to bus >&2; exit 1")
    with KeepAwake("a test") as vigil:
        vigil.keep(wanted=True)
        vigil.keep(wanted=False)
        vigil.keep(wanted=True)
    assert why_not() == "systemd-inhibit: Failed to connect to bus"


def test_a_helper_that_works_is_nothing_to_complain_about(inhibitor: Inhibitor) -> None:
    assert why_not() == ""
    assert inhibitor.calls.read_text().endswith("--mode=block true\n")


def test_on_macos_caffeinate_watches_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "caffeinate").write_text("#!/bin/sh\n")
    (tmp_path / "caffeinate").chmod(0o755)
    assert awake._argv("a test", "cat") == [str(tmp_path / "caffeinate"), "-i", "-w", str(os.getpid())]
    assert why_not() == ""

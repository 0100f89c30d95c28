import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

import pytest

from teamlead.errors import LockHeld, MachineUnable, StorageFailed
from teamlead.system import locks
from teamlead.system.locks import locked

HOLDER = """
import sys
from pathlib import Path
from teamlead.system.git import Git
from teamlead.system.locks import locked
folder = Path(sys.argv[1])
with locked(folder / "lock"):
    Git(folder, folder).run("-c", f"alias.stay=!echo > {folder}/begun; read line < {folder}/fifo", "stay")
"""


WAITER = """
import sys
from pathlib import Path
from teamlead.system.locks import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


@contextmanager
def held_by_another(path: Path) -> Iterator[int]:
    """The id of a process that has it locked."""
    other = subprocess.Popen(
        [sys.executable, "-c", WAITER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        yield other.pid
        other.communicate("\n")


def test_a_lock_that_another_process_keeps_is_nobodys_failure_and_names_who_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    path = tmp_path / "some.lock"
    with held_by_another(path) as pid:
        with pytest.raises(LockHeld, match=rf"process {pid} has held .*some\.lock") as caught, locked(path):
            pass
        assert isinstance(caught.value, MachineUnable)
        assert "`fg`" in caught.value.remedy
        with pytest.raises(LockHeld), locked(path, shared=True):
            pass
    with locked(path, shared=True), locked(path, shared=True):
        pass


@pytest.mark.parametrize("shared", [False, True])
def test_what_this_process_holds_itself_is_waited_for_however_long_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    tried, real = threading.Semaphore(0), locks._taken

    def taken(stream: FileIO, *, shared: bool) -> bool:
        found = real(stream, shared=shared)
        tried.release()
        return found

    def wait() -> str:
        with locked(tmp_path / "lock"):
            return "got it"

    with ThreadPoolExecutor(1) as threads:
        with locked(tmp_path / "lock", shared=shared):
            monkeypatch.setattr(locks, "_taken", taken)
            waiting = threads.submit(wait)
            enough = time.monotonic() + 3 * locks.PATIENCE
            while time.monotonic() < enough:
                assert tried.acquire(timeout=30)
            assert not waiting.done()
        assert waiting.result(30) == "got it"
    with held_by_another(tmp_path / "lock"), pytest.raises(LockHeld), locked(tmp_path / "lock"):
        pass


def test_a_thread_that_would_wait_for_itself_is_told(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "lock"),
        pytest.raises(AssertionError, match="very thread"),
        locked(tmp_path / "lock"),
    ):
        pass


def test_a_lock_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageFailed, match="lock"), locked(tmp_path / "file" / "lock"):
        pass


def test_a_lock_is_held_until_git_has_ended_although_its_holder_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path)], check=True)
    fifo, begun = tmp_path / "fifo", tmp_path / "begun"
    os.mkfifo(fifo)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path])
    while not begun.exists():
        assert holder.poll() is None
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    with pytest.raises(LockHeld, match=f"process {holder.pid}"), locked(tmp_path / "lock"):
        pass
    monkeypatch.setattr(locks, "PATIENCE", 60.0)
    fifo.write_text("go\n")
    with locked(tmp_path / "lock"):
        pass

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from teamlead.errors import LeaseHeld, Refused, StorageFailed
from teamlead.journal.lease import FileLock, Holder, Lock, OpenFileLock, acquire, holder
from teamlead.system.environment import BELONGS_TO

LEADER = """
import subprocess, sys
from pathlib import Path
from teamlead.journal.lease import acquire
lease = acquire(Path(sys.argv[1]), "teamlead start plan.md")
agent = subprocess.Popen(["cat"], stdin=sys.stdin, close_fds=False)
print(agent.pid, flush=True)
sys.stdout.close()
agent.wait()
"""


@contextmanager
def another_leader(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process that leads, and the pid of an agent it has started. Both end with the block."""
    command = [sys.executable, "-c", LEADER, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        agent = int(process.stdout.readline())
        yield process, agent
        process.kill()


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").exists()


def test_a_second_leader_is_refused_and_told_who_leads_and_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "20250101-120000"
    folder.mkdir()
    with another_leader(folder) as (process, _), pytest.raises(LeaseHeld) as caught:
        acquire(folder, "teamlead resume")
    message = str(caught.value)
    assert f"process {process.pid} on {os.uname().nodename} since 20" in message
    assert "(teamlead start plan.md)" in message
    assert "`teamlead watch 20250101-120000`" in message
    assert "`teamlead pause --session 20250101-120000`" in message


def test_who_leads_is_known_without_taking_the_lease(tmp_path: Path) -> None:
    assert holder(tmp_path) is None
    with acquire(tmp_path, "teamlead start") as lease:
        found = holder(tmp_path)
        assert found == lease.holder
        assert found is not None
        assert (found.pid, found.command) == (os.getpid(), "teamlead start")
        assert found.started > 0
        assert found.boot_id
    assert holder(tmp_path) is None


def test_a_released_lease_can_be_taken_again(tmp_path: Path) -> None:
    lease = acquire(tmp_path, "a rather long command line of the first leader")
    lease.release()
    lease.release()
    with acquire(tmp_path, "b"):
        found = holder(tmp_path)
        assert found is not None
        assert found.command == "b"
    assert (tmp_path / "leader.lock").read_bytes() == b""


def test_a_released_lease_is_free_although_a_forked_child_has_its_descriptor(tmp_path: Path) -> None:
    lease = acquire(tmp_path, "teamlead start")
    inherited = os.dup(lease.descriptor)
    lease.release()
    assert holder(tmp_path) is None
    os.close(inherited)


def test_a_killed_leader_is_replaced_at_once_although_its_agent_lives(tmp_path: Path) -> None:
    with another_leader(tmp_path) as (process, agent):
        process.kill()
        process.wait()
        assert is_alive(agent)
        assert holder(tmp_path) is None
        with acquire(tmp_path, "teamlead resume") as lease:
            assert holder(tmp_path) == lease.holder


def test_a_leader_that_is_merely_stopped_is_not_replaced(tmp_path: Path) -> None:
    with another_leader(tmp_path) as (process, _):
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        with pytest.raises(LeaseHeld, match=f"process {process.pid}"):
            acquire(tmp_path, "teamlead resume")


def test_asking_who_leads_never_gets_in_the_way_of_a_new_leader(tmp_path: Path) -> None:
    ended = threading.Event()
    asked = threading.Event()

    def ask() -> None:
        while not ended.is_set():
            holder(tmp_path)
            asked.set()

    acquire(tmp_path, "first").release()
    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert asked.wait(60)
    try:
        for _ in range(300):
            acquire(tmp_path, "next").release()
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def test_a_leader_that_has_not_yet_written_who_it_is_counts_as_another_process(tmp_path: Path) -> None:
    with acquire(tmp_path, "teamlead start") as lease:
        os.ftruncate(lease.descriptor, 0)
        assert holder(tmp_path) == Holder()
        with pytest.raises(LeaseHeld, match="is led by another process"):
            acquire(tmp_path, "teamlead resume")


def test_the_rest_of_an_earlier_holders_line_does_not_matter(tmp_path: Path) -> None:
    with acquire(tmp_path, "teamlead start") as lease:
        line = json.dumps(lease.holder._asdict()).encode() + b"\n"
        os.pwrite(lease.descriptor, line + b'ommand": "older"}\n', 0)
        assert holder(tmp_path) == lease.holder


@pytest.mark.parametrize("replaced", [False, True])
def test_a_lock_file_that_vanished_while_it_was_locked_is_not_taken_for_the_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, replaced: bool
) -> None:
    path = tmp_path / "leader.lock"
    take = Lock.take
    taken: list[int] = []

    def take_and_lose(descriptor: int) -> bool:
        if not taken:
            path.unlink()
            if replaced:
                path.touch()
        taken.append(descriptor)
        return take(descriptor)

    monkeypatch.setattr(Lock, "take", staticmethod(take_and_lose))
    with acquire(tmp_path, "teamlead resume") as lease:
        assert holder(tmp_path) == lease.holder
        assert len(taken) == 2
        with pytest.raises(LeaseHeld):
            acquire(tmp_path, "teamlead resume")


def test_a_session_folder_that_is_missing_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match=r"cannot write '.*missing/leader\.lock'"):
        acquire(tmp_path / "missing", "teamlead start")


@pytest.mark.parametrize("lock", [OpenFileLock, FileLock])
def test_both_kinds_of_lock_have_one_holder_until_it_lets_go(
    tmp_path: Path, lock: type[OpenFileLock | FileLock], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FileLock, "patience", 0.0)
    path = tmp_path / "lock"
    first, second = (os.open(path, os.O_RDWR | os.O_CREAT) for _ in range(2))
    reader = os.open(path, os.O_RDONLY)
    try:
        assert not lock.is_taken(reader)
        assert lock.take(first)
        assert lock.is_taken(reader)
        assert not lock.take(second)
        lock.release(first)
        assert not lock.is_taken(reader)
        assert lock.take(second)
        assert not lock.take(first)
    finally:
        for descriptor in (first, second, reader):
            os.close(descriptor)


def test_what_a_team_has_started_leads_no_session_of_its_state_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state" / "repository" / "sessions" / "one"
    folder.mkdir(parents=True)
    monkeypatch.setenv(BELONGS_TO, str(tmp_path / "state"))
    with pytest.raises(Refused, match="only a person decides this"):
        acquire(folder, "teamlead resume")
    assert holder(folder) is None
    # A copy lies in the state directory, too, and what its tests make there is their own.
    monkeypatch.setenv(BELONGS_TO, str(tmp_path))
    acquire(folder, "teamlead resume").release()

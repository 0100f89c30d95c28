import asyncio
import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from teamlead.system import nursery, processes, warden
from teamlead.system.groups import Group
from teamlead.system.output import Lines
from teamlead.system.processes import Process, ProcessEnd, spawn

pytestmark = pytest.mark.skipif(not nursery.supported(), reason="this system has no wardens")

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
HERE = Path(__file__).parent
TREE = str(HERE / "nasty_tree.py")
LEADER = str(HERE / "nasty_leader.py")


class Tree:
    """Processes that carry the same mark in their environment."""

    def __init__(self) -> None:
        self._mark = f"NASTY={uuid.uuid4()}"
        self.env = {"PATH": os.environ["PATH"], "NASTY": self._mark.partition("=")[2]}

    def alive(self) -> list[int]:
        found = []
        for entry in Path("/proc").iterdir():
            # A zombie has no environment, a process that ends meanwhile no entry.
            with contextlib.suppress(OSError):
                if entry.name.isdecimal() and self._mark.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
        return found

    def gone(self) -> bool:
        return not self.alive()


@pytest.fixture
def tree() -> Iterator[Tree]:
    tree = Tree()
    yield tree
    while left := tree.alive():
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline


class Ready:
    """Tells when the program has printed something."""

    def __init__(self) -> None:
        self._said = asyncio.Event()
        self.lines: list[bytes] = []
        self.sink = Lines(self._add)

    def _add(self, line: bytes) -> None:
        self.lines.append(line)
        self._said.set()

    async def wait(self) -> None:
        async with asyncio.timeout(20):
            await self._said.wait()


async def start(tree: Tree, *argv: str, hard_timeout: float = 0.0, kept: int | None = None) -> Process:
    """Returns when it has printed a line."""
    ready = Ready()
    process = await spawn(
        argv, cwd=Path("/"), env=tree.env, stdout=ready.sink, hard_timeout=hard_timeout, kept=kept
    )
    await ready.wait()
    return process


async def start_nasty(tree: Tree, mode: str = "wait", hard_timeout: float = 0.0) -> Process:
    return await start(tree, sys.executable, TREE, mode, hard_timeout=hard_timeout)


async def ended(process: Process) -> ProcessEnd:
    async with asyncio.timeout(20):
        return await process.wait()


def shell(script: str) -> tuple[ProcessEnd, list[bytes]]:
    async def main() -> tuple[ProcessEnd, list[bytes]]:
        output = Ready()
        process = await spawn(["/bin/sh", "-c", script], cwd=Path("/"), env={}, stdout=output.sink)
        return await ended(process), output.lines

    return asyncio.run(main())


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_process_group_lets_a_nasty_tree_get_away(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_wardens", False)

    async def main() -> int:
        process = await start_nasty(tree)
        await process.cancel(0)
        return len(tree.alive())

    assert asyncio.run(main()) >= 5


def test_nothing_is_alive_when_a_cancel_returns(tree: Tree) -> None:
    async def main() -> tuple[int, bool, ProcessEnd]:
        process = await start_nasty(tree)
        before = len(tree.alive())
        await process.cancel(0.2)
        return before, tree.gone(), await ended(process)

    before, gone, end = asyncio.run(main())
    assert before >= 29
    assert gone
    assert end == ProcessEnd(-signal.SIGKILL, "cancelled")


def test_nothing_is_alive_after_a_time_out(tree: Tree) -> None:
    async def main() -> tuple[ProcessEnd, bool]:
        process = await start_nasty(tree, hard_timeout=2.0)
        return await ended(process), tree.gone()

    assert asyncio.run(main()) == (ProcessEnd(-signal.SIGKILL, "hard"), True)


def test_nothing_is_alive_after_a_program_has_ended_by_itself(tree: Tree) -> None:
    async def main() -> tuple[ProcessEnd, bool]:
        process = await start_nasty(tree, "exit")
        return await ended(process), tree.gone()

    assert asyncio.run(main()) == (ProcessEnd(0), True)


def test_a_program_that_kills_its_warden_ends_with_its_whole_tree(tree: Tree) -> None:
    async def main() -> tuple[ProcessEnd, bool]:
        process = await start_nasty(tree, "kill parent")
        return await ended(process), tree.gone()

    assert asyncio.run(main()) == (ProcessEnd(-signal.SIGKILL), True)


def test_nothing_is_alive_after_the_leader_was_killed(tree: Tree) -> None:
    leader = subprocess.Popen([sys.executable, LEADER, "hold", "wait"], stdout=subprocess.PIPE, env=tree.env)
    assert leader.stdout
    with leader.stdout as output:
        said = dict(
            line.split() for line in [output.readline() + b" ", output.readline() + b" "] if b"fork" in line
        )
        fork = int(said[b"fork"])
        leader.kill()
        leader.wait()
        # The fork of the leader is not of its tree, and holds no lifeline.
        until(lambda: tree.alive() == [fork])
        os.kill(fork, signal.SIGKILL)


@pytest.mark.timeout(120 * SIZE)
def test_nothing_is_alive_after_leaders_were_killed_just_after_a_start(tree: Tree) -> None:
    subprocess.run([sys.executable, LEADER, "die", str(20 * SIZE)], env=tree.env, check=True)
    until(tree.gone)


def test_a_warden_that_was_stopped_goes_on(tree: Tree) -> None:
    async def main() -> bool:
        process = await start(tree, "/bin/sh", "-c", "kill -STOP $PPID; echo; exec sleep 60")
        async with asyncio.timeout(20):
            await process.cancel(0)
        return tree.gone()

    assert asyncio.run(main())


def test_a_start_that_is_given_up_leaves_nothing(tree: Tree) -> None:
    async def main() -> None:
        starting = asyncio.create_task(start(tree, "/bin/sh", "-c", "setsid sleep 60 & exec sleep 60"))
        await asyncio.sleep(0)
        starting.cancel()
        await asyncio.wait([starting])
        assert starting.cancelled()
        assert tree.gone()

    asyncio.run(main())


def test_a_start_that_is_given_up_when_the_program_runs_already_ends_it_first(
    tree: Tree, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def main() -> None:
        starting = asyncio.create_task(start(tree, "/bin/sh", "-c", f"echo > {pipe}; exec sleep 60"))
        await asyncio.sleep(0)
        # Blocks the loop, which can then not have heard of the start.
        pipe.read_text()
        starting.cancel()
        await asyncio.wait([starting])
        assert tree.gone()

    asyncio.run(main())


def test_a_killed_spare_warden_is_replaced(tree: Tree) -> None:
    async def main() -> ProcessEnd:
        await ended(await start(tree, "/bin/sh", "-c", "echo"))
        host = nursery._nurseries[-1].pid
        await asyncio.to_thread(until, lambda: len(warden._children(host)) == 1)
        for spare in warden._children(host):
            os.kill(spare, signal.SIGKILL)
        return await ended(await start(tree, "/bin/sh", "-c", "echo; exit 5"))

    assert asyncio.run(main()) == ProcessEnd(5)


def test_one_killed_warden_does_not_disturb_the_others(tree: Tree) -> None:
    other = Tree()

    async def main() -> tuple[bool, bool]:
        calm = await start(other, "/bin/sh", "-c", "echo; exec sleep 60")
        await ended(await start_nasty(tree, "kill parent"))
        undisturbed = other.alive() == [calm.identity.pid]
        await calm.cancel(0)
        return undisturbed, other.gone()

    assert asyncio.run(main()) == (True, True)


def test_wardens_do_their_duty_without_their_nursery_and_a_new_one_is_started(tree: Tree) -> None:
    async def main() -> tuple[bool, ProcessEnd]:
        process = await start_nasty(tree)
        first = nursery._nurseries[-1]
        os.kill(first.pid, signal.SIGKILL)
        second = await start(tree, "/bin/sh", "-c", "echo")
        assert nursery._nurseries[-1] is not first
        await ended(second)
        await process.cancel(0)
        return tree.gone(), await ended(process)

    assert asyncio.run(main()) == (True, ProcessEnd(-signal.SIGKILL, "cancelled"))


def test_without_warden_and_nursery_the_group_is_ended(tree: Tree) -> None:
    async def main() -> tuple[ProcessEnd, bool]:
        process = await start(tree, "/bin/sh", "-c", "trap '' TERM; sleep 60 & echo; wait")
        os.kill(nursery._nurseries[-1].pid, signal.SIGKILL)
        os.kill(parent(process.identity.pid), signal.SIGKILL)
        return await ended(process), tree.gone()

    assert asyncio.run(main()) == (ProcessEnd(-signal.SIGKILL), True)


def test_where_there_are_no_wardens_a_program_runs_in_a_group(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_wardens", True)
    monkeypatch.setattr(nursery, "_nurseries", [])
    refusing = [sys.executable, "-c", f"raise SystemExit({warden.UNSUPPORTED})"]
    monkeypatch.setattr(nursery, "_argv", lambda *_: refusing)

    async def main() -> tuple[ProcessEnd, bool]:
        process = await start(tree, "/bin/sh", "-c", "echo; exit 3")
        return await ended(process), isinstance(process._program, Group)

    assert asyncio.run(main()) == (ProcessEnd(3), True)


def test_a_program_gets_its_three_descriptors_and_no_other() -> None:
    assert shell("ls /proc/$$/fd; :")[1] == [b"0", b"1", b"2"]


def test_a_program_gets_no_signal_ignored_or_blocked() -> None:
    _, lines = shell(
        "while read name value; do case $name in Sig[BI]*) echo $value;; esac; done < /proc/$$/status"
    )
    assert {int(line, 16) for line in lines} == {0}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGSEGV, signal.SIGKILL])
def test_the_signal_that_ended_a_program_is_reported(number: signal.Signals) -> None:
    assert shell(f"kill -{int(number)} $$")[0] == ProcessEnd(-number)


def test_arguments_may_be_longer_than_a_socket_takes() -> None:
    long = "x" * 100_000

    async def main() -> list[bytes]:
        output = Ready()
        argv = ["/bin/sh", "-c", 'echo $# "${#4}"', *[long] * 8]
        await ended(await spawn(argv, cwd=Path("/"), env={"LONG": long}, stdout=output.sink))
        return output.lines

    assert asyncio.run(main()) == [b"7 100000"]


def test_orphans_that_end_while_the_program_runs_are_reaped(tree: Tree) -> None:
    async def main() -> None:
        script = "for i in 1 2 3 4 5; do (setsid true &); done; echo; exec sleep 60"
        process = await start(tree, "/bin/sh", "-c", script)
        own = process.identity.pid
        await asyncio.to_thread(until, lambda: warden._children(parent(own)) == [own])
        await process.cancel(0)

    asyncio.run(main())


def test_what_is_kept_stays_open_until_nothing_is_alive(tree: Tree, tmp_path: Path) -> None:
    lock = tmp_path / "lock"

    def locked() -> bool:
        with lock.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
            return False

    async def main() -> None:
        with lock.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            process = await start(tree, "/bin/sh", "-c", "echo; exec sleep 60", kept=file.fileno())
        assert locked()
        await process.cancel(0)
        await asyncio.to_thread(until, lambda: not locked())

    asyncio.run(main())


@pytest.fixture
def innocent() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        yield process
        process.kill()


def test_a_process_whose_parent_is_another_is_not_killed(innocent: subprocess.Popen[bytes]) -> None:
    warden._kill(innocent.pid, os.getppid(), None, warden.DEEPEST)
    assert innocent.poll() is None


def test_a_child_of_a_pid_that_was_used_again_is_not_killed(innocent: subprocess.Popen[bytes]) -> None:
    with subprocess.Popen(["true"]) as former:
        pin = os.pidfd_open(former.pid)
    try:
        # As if this process had got the pid that was pinned.
        warden._kill(innocent.pid, os.getpid(), pin, warden.DEEPEST)
    finally:
        os.close(pin)
    assert innocent.poll() is None


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

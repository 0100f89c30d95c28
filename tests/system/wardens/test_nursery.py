import asyncio
import fcntl
import os
import signal
import sys
from pathlib import Path

import pytest
from tests.system.wardens.support import Said, Tree, ended, start, start_nasty, until

from teamlead.system import processes, warden_client
from teamlead.system.process_groups import Group
from teamlead.system.processes import ProcessEnd, spawn
from teamlead.system.wardens import messages
from teamlead.system.wardens.tree import children


def shell(script: str) -> tuple[ProcessEnd, list[bytes]]:
    async def main() -> tuple[ProcessEnd, list[bytes]]:
        output = Said()
        process = await spawn(["/bin/sh", "-c", script], cwd=Path("/"), env={}, stdout=output.sink)
        return await ended(process), output.lines

    return asyncio.run(main())


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_start_that_is_given_up_leaves_nothing(tree: Tree) -> None:
    async def main() -> None:
        starting = asyncio.create_task(start(tree, "/bin/sh", "-c", "setsid sleep 60 & exec sleep 60"))
        await asyncio.sleep(0)
        starting.cancel()
        await asyncio.wait([starting])
        assert starting.cancelled()
        assert not tree.alive()

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
        assert not tree.alive()

    asyncio.run(main())


def test_a_killed_spare_warden_is_replaced(tree: Tree) -> None:
    async def main() -> ProcessEnd:
        await ended(await start(tree, "/bin/sh", "-c", "echo"))
        host = warden_client._nurseries[-1].pid
        await asyncio.to_thread(until, lambda: len(children(host)) == 1)
        for spare in children(host):
            os.kill(spare, signal.SIGKILL)
        return await ended(await start(tree, "/bin/sh", "-c", "echo; exit 5"))

    assert asyncio.run(main()) == ProcessEnd(5)


def test_one_killed_warden_does_not_disturb_the_others(tree: Tree) -> None:
    other = Tree()

    async def main() -> tuple[bool, bool]:
        calm = await start(other, "/bin/sh", "-c", "echo; exec sleep 60")
        await ended(await start_nasty(tree, "kill:1"))
        undisturbed = list(other.alive()) == [calm.pid]
        await calm.cancel(0)
        return undisturbed, not other.alive()

    assert asyncio.run(main()) == (True, True)


def test_wardens_do_their_duty_without_their_nursery_and_a_new_one_is_started(tree: Tree) -> None:
    async def main() -> tuple[bool, ProcessEnd]:
        process = await start_nasty(tree)
        first = warden_client._nurseries[-1]
        os.kill(first.pid, signal.SIGKILL)
        second = await start(tree, "/bin/sh", "-c", "echo")
        assert warden_client._nurseries[-1] is not first
        await ended(second)
        await process.cancel(0)
        return not tree.alive(), await ended(process)

    assert asyncio.run(main()) == (True, ProcessEnd(-signal.SIGKILL, "cancelled"))


def test_where_there_are_no_wardens_a_program_runs_in_a_group(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_wardens", True)
    monkeypatch.setattr(warden_client, "_nurseries", [])
    refusing = [sys.executable, "-c", f"raise SystemExit({messages.UNSUPPORTED})"]
    monkeypatch.setattr(warden_client, "_argv", lambda *_: refusing)

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
        output = Said()
        argv = ["/bin/sh", "-c", 'echo $# "${#4}"', *[long] * 8]
        await ended(await spawn(argv, cwd=Path("/"), env={"LONG": long}, stdout=output.sink))
        return output.lines

    assert asyncio.run(main()) == [b"7 100000"]


def test_orphans_that_end_while_the_program_runs_are_reaped(tree: Tree) -> None:
    async def main() -> None:
        script = "for i in 1 2 3 4 5; do (setsid true &); done; echo; exec sleep 60"
        process = await start(tree, "/bin/sh", "-c", script)
        own = process.pid
        await asyncio.to_thread(until, lambda: children(parent(own)) == [own])
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

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teamlead.errors import Failed
from teamlead.system import process_groups, processes
from teamlead.system.process_groups import group_alive
from teamlead.system.processes import Process, ProcessEnd, spawn
from teamlead.system.program_streams import Lines

ENV = {"PATH": os.environ["PATH"]}


class Output:
    """Gathers lines, and tells when one has come."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self._news = asyncio.Event()
        self.sink = Lines(self._add)

    def _add(self, line: bytes) -> None:
        self.lines.append(line)
        self._news.set()

    async def line(self) -> bytes:
        async with asyncio.timeout(20):
            await self._news.wait()
        return self.lines[-1]


async def shell(script: str, output: Output, **options: Any) -> Process:
    return await spawn(["/bin/sh", "-c", script], cwd=Path("/"), env=ENV, stdout=output.sink, **options)


def run_shell(script: str, **options: Any) -> tuple[ProcessEnd, list[bytes]]:
    async def main() -> tuple[ProcessEnd, list[bytes]]:
        output = Output()
        process = await shell(script, output, **options)
        async with asyncio.timeout(30):
            return await process.wait(), output.lines

    return asyncio.run(main())


def entries(folder: str) -> int:
    return len(list(Path("/proc/self", folder).iterdir()))


@pytest.fixture
def without_wardens(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(processes, "_wardens", False)
    # A program in a group inherits what is ignored, as SIGINT is where the suite runs in the background.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(params=["warden", "pidfd", "thread"])
def each_way_to_wait(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "warden":
        request.getfixturevalue("without_wardens")
    if request.param == "thread":
        monkeypatch.delattr(os, "pidfd_open", raising=False)


@pytest.mark.usefixtures("each_way_to_wait")
def test_output_and_exit_code_arrive() -> None:
    end, lines = run_shell("echo out; echo err >&2; exit 7")
    assert end == ProcessEnd(7)
    assert sorted(lines) == [b"err", b"out"]


@pytest.mark.usefixtures("each_way_to_wait")
def test_death_by_a_signal_is_a_negative_exit_code() -> None:
    assert run_shell("kill -9 $$")[0] == ProcessEnd(-signal.SIGKILL)


def test_waiting_for_many_needs_no_thread_each() -> None:
    async def main() -> int:
        outputs = [Output() for _ in range(20)]
        running = [await shell("read line < /dev/null; exec sleep 60", output) for output in outputs]
        tasks = entries("task")
        await asyncio.gather(*(process.cancel(0) for process in running))
        return tasks

    assert asyncio.run(main()) < 5


def test_input_larger_than_a_pipe_is_read_whole() -> None:
    assert run_shell("wc -c", stdin=b"x" * 1_000_000)[1] == [b"1000000"]


def test_a_program_that_never_reads_its_input_ends_well() -> None:
    assert run_shell("exit 0", stdin=b"x" * 1_000_000)[0] == ProcessEnd(0)


def test_errors_go_to_their_own_sink_if_there_is_one() -> None:
    errors: list[bytes] = []
    _, lines = run_shell("echo out; echo err >&2", stderr=Lines(errors.append))
    assert (lines, errors) == ([b"out"], [b"err"])


def test_a_line_of_ten_megabytes_and_broken_text_survive() -> None:
    script = (
        f'{sys.executable} -c \'import sys; sys.stdout.buffer.write(b"x" * 10_000_000 + b"\\xff\\xfe\\n")\''
    )
    assert run_shell(script)[1] == [b"x" * 10_000_000 + b"\xff\xfe"]


def test_the_environment_is_the_one_given() -> None:
    assert run_shell("env")[1].count(b"HOME=" + os.environ.get("HOME", "").encode()) == 0


@pytest.mark.usefixtures("each_way_to_wait")
def test_the_hard_time_out_ends_it_and_says_so() -> None:
    end, _ = run_shell("for i in $(seq 1200); do echo busy; sleep 0.05; done", hard_timeout=0.3)
    assert end.stopped == "hard"


def test_the_idle_time_out_ends_what_says_nothing() -> None:
    end, lines = run_shell("echo first; sleep 60", idle_timeout=0.3)
    assert end.stopped == "idle"
    assert lines == [b"first"]


def test_output_keeps_the_idle_time_out_away() -> None:
    end, lines = run_shell("for i in 1 2 3 4 5 6; do echo $i >&2; sleep 0.2; done", idle_timeout=1.0)
    assert end == ProcessEnd(0)
    assert len(lines) == 6


def test_a_flood_is_taken_in_small_pieces_so_that_others_have_their_turn() -> None:
    sizes: list[int] = []

    class Measuring:
        def write(self, data: bytes) -> None:
            sizes.append(len(data))

        def close(self) -> None:
            pass

    async def main() -> None:
        argv = ["head", "-c", "1000000", "/dev/zero"]
        await (await spawn(argv, cwd=Path("/"), env=ENV, stdout=Measuring())).wait()

    asyncio.run(main())
    assert sum(sizes) == 1_000_000
    assert max(sizes) <= processes.CHUNK


@pytest.mark.usefixtures("each_way_to_wait")
@pytest.mark.parametrize(
    ("traps", "how"),
    [("", signal.SIGINT), ("trap '' INT;", signal.SIGTERM), ("trap '' INT TERM;", signal.SIGKILL)],
)
def test_cancel_asks_ever_less_politely(traps: str, how: signal.Signals) -> None:
    async def main() -> ProcessEnd:
        output = Output()
        process = await shell(f"{traps} echo ready; exec sleep 60", output)
        await output.line()
        await process.cancel(0.4)
        return await process.wait()

    assert asyncio.run(main()) == ProcessEnd(-how, "cancelled")


@pytest.mark.usefixtures("each_way_to_wait")
def test_a_second_cancel_without_grace_ends_at_once() -> None:
    async def main() -> ProcessEnd:
        output = Output()
        process = await shell("trap '' INT TERM; echo ready; sleep 60", output)
        await output.line()
        patient = asyncio.create_task(process.cancel(3600))
        await asyncio.sleep(0)
        async with asyncio.timeout(20):
            await process.cancel(0)
            await patient
        return await process.wait()

    assert asyncio.run(main()) == ProcessEnd(-signal.SIGKILL, "cancelled")


def test_cancel_after_the_end_changes_nothing() -> None:
    async def main() -> ProcessEnd:
        process = await shell("exit 0", Output())
        await process.wait()
        await process.cancel(1)
        return await process.wait()

    assert asyncio.run(main()) == ProcessEnd(0)


@pytest.mark.usefixtures("each_way_to_wait")
def test_a_stubborn_member_of_the_group_is_gone_when_wait_returns() -> None:
    async def main() -> tuple[ProcessEnd, bool]:
        output = Output()
        process = await shell("trap '' INT TERM HUP; sleep 60 & exit 3", output)
        end = await asyncio.wait_for(process.wait(), 20)
        return end, group_alive(process.pid)

    assert asyncio.run(main()) == (ProcessEnd(3), False)


@pytest.mark.usefixtures("without_wardens")
def test_the_end_is_not_reported_before_the_group_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> tuple[bool, ProcessEnd]:
        asked, gone = asyncio.Event(), asyncio.Event()

        async def slow_to_die(_group: int) -> None:
            asked.set()
            await gone.wait()

        monkeypatch.setattr(process_groups, "group_gone", slow_to_die)
        process = await shell("exit 0", Output())
        waiting = asyncio.create_task(process.wait())
        await asyncio.wait_for(asked.wait(), 20)
        early = waiting.done()
        gone.set()
        return early, await asyncio.wait_for(waiting, 20)

    assert asyncio.run(main()) == (False, ProcessEnd(0))


def test_a_zombie_is_not_alive() -> None:
    child = subprocess.Popen(["/bin/sh", "-c", "exit 0"], start_new_session=True)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not group_alive(child.pid)
    child.wait()


@pytest.mark.usefixtures("each_way_to_wait")
def test_what_was_printed_just_before_the_end_is_not_lost() -> None:
    async def main() -> list[bytes]:
        output = Output()
        process = await shell("echo last words", output)
        for stream in process._open:
            asyncio.get_running_loop().remove_reader(stream.fileno())
        await asyncio.wait_for(process.wait(), 20)
        return output.lines

    assert asyncio.run(main()) == [b"last words"]


@pytest.mark.usefixtures("without_wardens")
def test_one_that_left_the_group_and_holds_the_output_does_not_hold_up_the_end(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    script = f"setsid sh -c 'echo $$ > {pid_file}; exec sleep 60' & while [ ! -s {pid_file} ]; do :; done"
    try:
        end, _ = run_shell(script)
        assert end == ProcessEnd(0)
    finally:
        os.kill(int(pid_file.read_text()), signal.SIGKILL)


@pytest.mark.usefixtures("each_way_to_wait")
def test_a_sink_that_cannot_store_ends_the_program_and_raises() -> None:
    def full(_line: bytes) -> None:
        raise OSError(28, "No space left on device")

    async def main() -> bool:
        process = await spawn(
            ["/bin/sh", "-c", "exec timeout 60 yes"], cwd=Path("/"), env=ENV, stdout=Lines(full)
        )
        with pytest.raises(OSError, match="No space left"):
            await asyncio.wait_for(process.wait(), 20)
        return group_alive(process.pid)

    assert asyncio.run(main()) is False


@pytest.mark.usefixtures("each_way_to_wait")
def test_a_program_that_is_not_there_is_named() -> None:
    async def main() -> None:
        await spawn(["/no/such/program"], cwd=Path("/"), env=ENV, stdout=Output().sink)

    with pytest.raises(Failed, match=r"'/no/such/program'.*No such file"):
        asyncio.run(main())


@pytest.mark.usefixtures("each_way_to_wait")
def test_no_descriptor_is_left_open() -> None:
    async def main() -> int:
        await (await shell("exit 0", Output())).wait()
        before = entries("fd")
        for _ in range(5):
            await (await shell("echo x; echo y >&2", Output())).wait()
        return entries("fd") - before

    assert asyncio.run(main()) == 0


@pytest.mark.usefixtures("without_wardens")
def test_nothing_is_signalled_after_the_program_was_reaped(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> list[tuple[int, int]]:
        process = await shell("exit 0", Output())
        await process.wait()
        signals: list[tuple[int, int]] = []
        monkeypatch.setattr(os, "killpg", lambda *args: signals.append(args))
        await process.cancel(0)
        process._program.signal(signal.SIGKILL)
        return signals

    assert asyncio.run(main()) == []


class Pausable(asyncio.SelectorEventLoop):
    """A loop whose process can be stopped, or frozen with all it has started, while time goes on."""

    def __init__(self) -> None:
        self.paused = 0.0
        super().__init__()

    def time(self) -> float:
        return super().time() + self.paused

    async def pause(self, seconds: float) -> None:
        """Returns when everything that came due has run."""
        self.paused += seconds
        due = self.create_future()
        self.call_later(0.01, due.set_result, None)
        await due


async def paused(fifo: Path, times: int, seconds: float) -> ProcessEnd:
    """A healthy program that says nothing and does nothing while its world is paused, and then ends."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Pausable)
    os.mkfifo(fifo)
    output = Output()
    process = await shell(f"echo ready; read word < {fifo}", output, hard_timeout=60, idle_timeout=30)
    await output.line()
    for _ in range(times):
        await loop.pause(seconds)
    # For reading too, so that it does not wait for a program that was ended.
    with fifo.open("r+b", buffering=0) as pipe:
        pipe.write(b"go\n")
        async with asyncio.timeout(20):
            return await process.wait()


@pytest.mark.parametrize(("times", "seconds"), [(1, 3600.0), (1, 30 * 86400.0), (5, 7200.0)])
def test_a_pause_of_hours_ends_no_healthy_program(tmp_path: Path, times: int, seconds: float) -> None:
    with asyncio.Runner(loop_factory=Pausable) as runner:
        end = runner.run(paused(tmp_path / "fifo", times, seconds))
    assert end == ProcessEnd(0)


@pytest.mark.parametrize(
    ("limits", "stopped"),
    [({"idle_timeout": 30.0}, "idle"), ({"hard_timeout": 30.0}, "hard"), ({"hard_timeout": 90.0}, None)],
)
def test_time_that_passes_without_a_pause_counts(limits: dict[str, float], stopped: str | None) -> None:
    async def main(loop: Pausable) -> ProcessEnd:
        output = Output()
        process = await shell("echo ready; sleep 60", output, **limits)
        await output.line()
        for _ in range(40):
            await loop.pause(processes.PACE)
        if stopped is None:
            await process.cancel(0)
        return await process.wait()

    with asyncio.Runner(loop_factory=Pausable) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, Pausable)
        assert runner.run(main(loop)).stopped == (stopped or "cancelled")

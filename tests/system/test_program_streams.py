import asyncio
import hashlib
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.system.environment import allowed
from teamlead.system.processes import Process, ProcessEnd, spawn
from teamlead.system.program_streams import CappedFile, Input, Lines

T = TypeVar("T")
MEGABYTES = b"x" * 5_000_000


class Words:
    def __init__(self) -> None:
        self.data = b""
        self.heard = asyncio.Event()

    def write(self, data: bytes) -> None:
        self.data += data
        self.heard.set()

    def close(self) -> None:
        pass


async def program(code: str, stdout: Words) -> Process:
    return await spawn([sys.executable, "-c", code], cwd=Path("/"), env=allowed(), stdout=stdout, stdin=None)


def run(main: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(main, 60))


def test_what_is_written_arrives_whole_and_in_order_before_the_end() -> None:
    async def main() -> tuple[ProcessEnd, bytes]:
        said = Words()
        code = "import sys, hashlib; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())"
        process = await program(code, said)
        for number in range(5):
            assert process.write(b"%d" % number + MEGABYTES)
        process.close_input()
        assert not process.write(b"after the end")
        return await process.wait(), said.data

    ended, said = run(main())
    sent = b"".join(b"%d" % number + MEGABYTES for number in range(5))
    assert ended.exit_code == 0
    assert said.decode().strip() == hashlib.sha256(sent).hexdigest()


def test_a_program_that_never_reads_blocks_nobody() -> None:
    async def main() -> ProcessEnd:
        process = await program("import time; time.sleep(600)", Words())
        for _ in range(10):
            assert process.write(MEGABYTES)
        process.close_input()
        await process.cancel(0)
        return await process.wait()

    assert run(main()).stopped == "cancelled"


def test_a_program_that_has_closed_its_input_is_no_error() -> None:
    code = "import os; os.close(0); print('closed', flush=True); import time; time.sleep(600)"

    async def writing() -> bool:
        said = Words()
        process = await program(code, said)
        await said.heard.wait()
        taken = process.write(MEGABYTES)
        await process.cancel(0)
        return taken

    assert run(writing()) is False


def test_a_program_that_has_ended_takes_nothing_more() -> None:
    async def main() -> bool:
        process = await program("pass", Words())
        process.write(MEGABYTES)
        await process.wait()
        return process.write(b"x")

    assert run(main()) is False


@pytest.fixture
def pipe() -> tuple[int, int]:
    return os.pipe()


def test_the_end_comes_after_what_still_waits(pipe: tuple[int, int]) -> None:
    async def main() -> int:
        read, write = pipe
        talk = Input(write)
        talk.write(MEGABYTES)
        talk.finish()
        talk.finish()
        with open(read, "rb") as reader:  # noqa: ASYNC230, PTH123 - in a thread
            return len(await asyncio.to_thread(reader.read))

    assert run(main()) == len(MEGABYTES)


def test_closed_at_once_nothing_more_is_written(pipe: tuple[int, int]) -> None:
    async def main() -> int:
        read, write = pipe
        talk = Input(write)
        talk.write(MEGABYTES)
        talk.close()
        talk.close()
        with open(read, "rb") as reader:  # noqa: ASYNC230, PTH123 - in a thread
            return len(await asyncio.to_thread(reader.read))

    assert 0 < run(main()) < len(MEGABYTES)


def test_lines_come_whole_however_they_are_cut() -> None:
    got: list[bytes] = []
    lines = Lines(got.append)
    for piece in (b"on", b"e\ntwo\n\nthr", b"ee"):
        lines.write(piece)
    assert got == [b"one", b"two", b""]
    lines.close()
    assert got == [b"one", b"two", b"", b"three"]


def test_of_an_endless_line_the_beginning_is_kept_and_the_next_line_is_whole() -> None:
    got: list[bytes] = []
    lines = Lines(got.append, longest=4)
    for piece in (b"abc", b"def", b"ghi\nnext\n"):
        lines.write(piece)
    assert got == [b"abcd", b"next"]


def test_a_capped_file_stops_growing_says_so_once_and_remembers_the_end(tmp_path: Path) -> None:
    file = CappedFile(tmp_path / "log", cap=10)
    for piece in (b"12345\n", b"too long for it\n", b"6\n", b"the end\n"):
        file.write(piece)
    file.close()
    assert (tmp_path / "log").read_bytes() == b"12345\n\n[output cut: it is longer than 10 bytes]\n"
    assert file.recent.endswith(b"6\nthe end\n")


def test_what_is_written_can_be_read_at_once(tmp_path: Path) -> None:
    file = CappedFile(tmp_path / "log", cap=10)
    file.write(b"now")
    assert (tmp_path / "log").read_bytes() == b"now"
    file.close()

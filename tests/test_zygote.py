"""Calls of one zygote know nothing of each other."""

import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from tests.zygote import Call, zygote

from teamlead import __version__


def call(out: IO[bytes]) -> Call:
    return zygote().call(["--version"], cwd=Path.cwd(), environment=os.environ, out=out, err=out)


def test_a_call_says_nothing_of_another_that_is_under_way(tmp_path: Path) -> None:
    read, write = os.pipe()
    with os.fdopen(read, "rb") as end, os.fdopen(write, "wb") as full, (tmp_path / "out").open("wb") as out:
        os.set_blocking(write, False)
        with suppress(BlockingIOError):
            while True:
                os.write(write, b"x")
        os.set_blocking(write, True)
        waiting = call(full)
        assert call(out).wait(60) == 0
        assert waiting.poll() is None
        full.close()
        said = end.read().lstrip(b"x").decode()
        assert waiting.wait(60) == 0
    assert said == (tmp_path / "out").read_text() == f"teamlead {__version__}\n"

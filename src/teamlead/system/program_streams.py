"""What is written to a program, and where its output goes."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Input:
    """A program's input that stays open: what is written waits in memory for a program that does not read.

    Belongs to the loop it is made on. A program that no longer reads is no error of the writer's.
    """

    def __init__(self, descriptor: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._descriptor = descriptor
        self._waiting = bytearray()
        self._finishing = False
        self._open = True
        os.set_blocking(descriptor, False)

    def write(self, data: bytes) -> bool:
        """Writes, and returns whether it can still arrive."""
        if not self._open or self._finishing:
            return False
        flushing = bool(self._waiting)
        self._waiting += data
        if not flushing:
            self._flush()
            if self._waiting:
                self._loop.add_writer(self._descriptor, self._flush)
        return self._open

    def finish(self) -> None:
        """Ends the input after what was written."""
        self._finishing = True
        if not self._waiting:
            self.close()

    def close(self) -> None:
        if self._open:
            self._open = False
            self._waiting.clear()
            self._loop.remove_writer(self._descriptor)
            os.close(self._descriptor)

    def _flush(self) -> None:
        try:
            while self._waiting:
                written = os.write(self._descriptor, self._waiting)
                del self._waiting[:written]
        except BlockingIOError:
            return
        except OSError:
            self.close()
            return
        self._loop.remove_writer(self._descriptor)
        if self._finishing:
            self.close()


LONGEST_LINE = 16 * 1024 * 1024
RECENT = 8192


class Sink(Protocol):
    """Gets a program's output in pieces, as it comes, and is closed once."""

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class Lines:
    """Hands over whole lines, without their ends. Of a line beyond `longest` the beginning is handed over."""

    def __init__(self, deliver: Callable[[bytes], None], longest: int = LONGEST_LINE) -> None:
        self._deliver = deliver
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> None:
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._add(end)
            self._flush()
        self._add(rest)

    def close(self) -> None:
        if self._parts:
            self._flush()

    def _add(self, part: bytes) -> None:
        part = part[: self._longest - self._size]
        if part:
            self._parts.append(part)
            self._size += len(part)

    def _flush(self) -> None:
        line = b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        self._deliver(line)


class CappedFile:
    """A file that stops growing: `marker` replaces the first piece that does not fit, and later ones vanish.

    `recent` keeps the newest bytes in memory all the same, because the end of an output tells why it ended.
    """

    def __init__(self, path: Path, cap: int, marker: bytes = b"") -> None:
        self._file = path.open("wb")
        self._left = cap
        self._marker = marker or f"\n[output cut: it is longer than {cap} bytes]\n".encode()
        self._cut = False
        self.recent = b""

    def write(self, data: bytes) -> None:
        self.add(data)
        self.flush()

    def add(self, data: bytes) -> None:
        """Others see it with the next flush."""
        self.recent = (self.recent + data[-RECENT:])[-RECENT:]
        if self._cut:
            return
        self._cut = len(data) > self._left
        self._left -= len(data)
        self._file.write(self._marker if self._cut else data)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()

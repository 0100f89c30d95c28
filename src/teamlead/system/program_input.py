"""A program's input that stays open: what is written waits in memory for a program that does not read."""

import asyncio
import os


class Input:
    """Belongs to the loop it is made on. A program that no longer reads is no error of the writer's."""

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

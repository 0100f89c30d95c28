"""Programs in process groups: how they are held where there are no wardens.

Nothing is signalled but what we started: the program is reaped last, so that its pid, which names the group,
cannot be used again while signals are sent. A process that left the group with setsid is not reached, and the
group lives on if the leader is killed.
"""

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from teamlead.system.identity import group_gone, identify
from teamlead.system.nursery import Stdio


class Group:
    def __init__(self, argv: Sequence[str], cwd: Path, env: Mapping[str, str], stdio: Stdio) -> None:
        """Raises OSError."""
        self._popen = subprocess.Popen(
            argv,
            cwd=cwd,
            env=env,
            stdin=stdio.stdin,
            stdout=stdio.stdout,
            stderr=stdio.stderr,
            start_new_session=True,
        )
        self._reaped = False
        self.identity = identify(self._popen.pid)

    def when_ended(self, callback: Callable[[], None]) -> None:
        """Once the program has ended, and the rest of its group was killed."""

        def ended() -> None:
            self.signal(signal.SIGKILL)
            callback()

        _on_exit(asyncio.get_running_loop(), self._popen.pid, ended)

    def signal(self, number: signal.Signals) -> None:
        if not self._reaped:
            # macOS forbids signalling a group of which only the zombie is left.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, number)

    async def settle(self) -> int:
        """The exit code, once none of the group is alive."""
        self._reaped = True
        code = self._popen.wait()
        await group_gone(self._popen.pid)
        return code


def _on_exit(loop: asyncio.AbstractEventLoop, pid: int, callback: Callable[[], None]) -> None:
    """Calls back once the child has ended, and leaves it unreaped."""
    try:
        watch = os.pidfd_open(pid)
    except (AttributeError, OSError):
        threading.Thread(target=_wait_in_thread, args=(loop, pid, callback), daemon=True).start()
        return

    def ended() -> None:
        loop.remove_reader(watch)
        os.close(watch)
        callback()

    loop.add_reader(watch, ended)


def _wait_in_thread(loop: asyncio.AbstractEventLoop, pid: int, callback: Callable[[], None]) -> None:
    if sys.platform == "darwin":
        queue = select.kqueue()
        exits = select.kevent(pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
        with contextlib.suppress(ProcessLookupError):
            queue.control([exits], 1)
        queue.close()
    else:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    # The loop may have closed meanwhile: then nobody waits.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback)

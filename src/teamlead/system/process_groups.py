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

from teamlead.system.file_modes import users_umask
from teamlead.system.process_limits import limit_of_before
from teamlead.system.warden_client import Stdio


class Group:
    def __init__(self, argv: Sequence[str], cwd: Path, env: Mapping[str, str], stdio: Stdio) -> None:
        """Raises OSError."""
        with limit_of_before():
            self._popen = subprocess.Popen(
                argv,
                cwd=cwd,
                env=env,
                stdin=stdio.stdin,
                stdout=stdio.stdout,
                stderr=stdio.stderr,
                start_new_session=True,
                umask=users_umask(),
            )
        self._reaped = False
        self.entered = True
        self.pid = self._popen.pid

    def when_ended(self, callback: Callable[[], None]) -> None:
        """Calls back once the program has ended, and the rest of its group was killed."""

        def ended() -> None:
            self.signal(signal.SIGKILL)
            callback()

        _on_exit(asyncio.get_running_loop(), self.pid, ended)

    def signal(self, number: signal.Signals) -> None:
        if not self._reaped:
            # macOS forbids signalling a group of which only the zombie is left.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    async def settle(self) -> int:
        """Returns the exit code, once none of the group is alive."""
        self._reaped = True
        code = self._popen.wait()
        await group_gone(self.pid)
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


def group_alive(group: int) -> bool:
    """Whether a process group has a member that is not a zombie (nobody may be there to reap one)."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    if sys.platform != "linux":
        return True
    return any(_member(entry, group) for entry in Path("/proc").iterdir() if entry.name.isdecimal())


def _member(process: Path, group: int) -> bool:
    try:
        state, _, found, *_ = (process / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return False
    return int(found) == group and state not in {b"Z", b"X"}


async def group_gone(group: int, bound: float = 10.0) -> None:
    """Waits for the death of a group that was sent SIGKILL.

    Bounded: a member stuck in the kernel runs no code of its own any more, and may be stuck for ever.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + bound
    while group_alive(group) and loop.time() < end:  # noqa: ASYNC110 - only our own children send an event
        await asyncio.sleep(0.005)

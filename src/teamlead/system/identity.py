"""Which process a pid names. Pids are used again: a process is known by pid, start time and boot together."""

import asyncio
import functools
import os
import signal
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Identity(NamedTuple):
    """Empty strings where the system does not tell: such a process is never taken for another one."""

    pid: int
    start_time: str
    boot_id: str


class _Stat(NamedTuple):
    state: str
    group: int
    start_time: str


def identify(pid: int) -> Identity:
    stat = _stat(pid)
    return Identity(pid, stat.start_time if stat else "", boot_id())


@functools.cache
def boot_id() -> str:
    try:
        return (PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def group_alive(group: int) -> bool:
    """Whether a process group has a member that is not a zombie (nobody may be there to reap one)."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    if not boot_id():
        return True
    pids = (int(entry.name) for entry in PROC.iterdir() if entry.name.isdecimal())
    stats = (_stat(pid) for pid in pids)
    return any(stat and stat.group == group and stat.state not in "ZX" for stat in stats)


async def group_gone(group: int, bound: float = 10.0) -> None:
    """Waits for the death of a group that was sent SIGKILL.

    Bounded: a member stuck in the kernel runs no code of its own any more, and may be stuck for ever.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + bound
    while group_alive(group) and loop.time() < end:  # noqa: ASYNC110 - only our own children send an event
        await asyncio.sleep(0.005)


async def end_leftover(leftover: Identity) -> bool:
    """Kills the group that this process leads, if it is still the same process; returns whether it was."""
    if not leftover.start_time or not hasattr(os, "pidfd_open"):
        return False
    try:
        pin = os.pidfd_open(leftover.pid)
    except OSError:
        return False
    try:
        if identify(leftover.pid) != leftover:
            return False
        # Stopped, it cannot end by itself and free the group's id before the group is signalled.
        signal.pidfd_send_signal(pin, signal.SIGSTOP)
        os.killpg(leftover.pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    finally:
        os.close(pin)
    await group_gone(leftover.pid)
    return True


def _stat(pid: int) -> _Stat | None:
    try:
        text = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return _Stat(fields[0], int(fields[2]), fields[19])

"""The process at the other end of a connection on this machine, for scripts in which it crashes."""

import os
import re
import signal
import socket
from contextlib import suppress
from pathlib import Path


def kill(connection: socket.socket) -> None:
    """Never this very process. Where connections cannot be traced, nobody is killed."""
    inode = _inode(connection.getpeername()[1], connection.getsockname()[1])
    for pid in _owners(inode) if inode else ():
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _inode(its_port: int, our_port: int) -> str:
    try:
        rows = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
    except OSError:
        return ""
    ends = re.compile(rf"\s*\d+: \w+:{its_port:04X} \w+:{our_port:04X} ")
    return next((row.split()[9] for row in rows if ends.match(row)), "")


def _owners(inode: str) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        # Processes of others, or gone meanwhile.
        with suppress(OSError):
            links = {str(file.readlink()) for file in (process / "fd").iterdir()}
            if f"socket:[{inode}]" in links and int(process.name) != os.getpid():
                found.append(int(process.name))
    return found

"""Commands without network: in a network namespace of their own, which has nothing but a loopback.

This file is also the program that enters the namespace and becomes the command; run so, it imports nothing of
ours. Linux only. A command that runs as root could go back; against one of an ordinary user the kernel holds.
"""

import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

NEW_USER = 0x10000000
NEW_NETWORK = 0x40000000
GET_FLAGS = 0x8913
SET_FLAGS = 0x8914
UP = 0x1
REQUEST = struct.Struct("16sh14x")
PATIENCE = 30.0


def offline(argv: Sequence[str]) -> list[str]:
    """Returns the command line that runs `argv` without network."""
    # Neither the user's site packages nor the current folder have a say in what runs here.
    return [sys.executable, "-I", "-S", str(Path(__file__).absolute()), *argv]


def why_not() -> str:
    """Says why commands cannot run without network here; "" if they can. It asks the system itself."""
    if sys.platform != "linux":
        return "only Linux has network namespaces"
    try:
        tried = subprocess.run(
            offline(["/bin/sh", "-c", ":"]), check=False, capture_output=True, text=True, timeout=PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if tried.returncode == 0 else tried.stderr.strip() or f"exit code {tried.returncode}"


def _enter() -> None:
    user, group = os.getuid(), os.getgid()
    # Whoever may have a network namespace without a user namespace keeps the rights to all files.
    if user == 0 and _unshare(NEW_NETWORK) == 0:
        return
    error = _unshare(NEW_USER | NEW_NETWORK)
    if error:
        raise OSError(error, f"this system allows no namespaces: {os.strerror(error)}")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _unshare(kinds: int) -> int:
    """Python 3.11 has no call of its own for it."""
    libc = ctypes.CDLL(None, use_errno=True)
    return 0 if libc.unshare(kinds) == 0 else ctypes.get_errno()


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = REQUEST.pack(b"lo", 0)
        _, flags = REQUEST.unpack(fcntl.ioctl(control, GET_FLAGS, asked))
        fcntl.ioctl(control, SET_FLAGS, REQUEST.pack(b"lo", flags | UP))


def main(argv: Sequence[str]) -> None:
    try:
        _enter()
        _raise_loopback()
        os.execvp(argv[0], list(argv))  # noqa: S606 - a program is what it becomes
    except OSError as error:
        sys.exit(f"cannot run {argv[0]!r} without network: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""A secret in the kernel's keyring of this session, which whatever is started from here inherits."""

import ctypes
import platform

SESSION = -3
NUMBERS = {"x86_64": (248, 250), "aarch64": (217, 219)}
"""Of the calls add_key and keyctl."""
SEARCH = 10

FIND = f"""
import ctypes, os, platform, sys
number = {NUMBERS!r}[platform.machine()][1]
sys.exit(ctypes.CDLL(None).syscall(number, {SEARCH}, {SESSION}, b"user", os.environ["MARK"].encode(), 0) < 0)
"""
"""Ends with 0 if the key that is named by MARK is there."""


def put(name: str, secret: str) -> None:
    number = NUMBERS[platform.machine()][0]
    content = secret.encode()
    added: int = ctypes.CDLL(None).syscall(number, b"user", name.encode(), content, len(content), SESSION)
    assert added >= 0

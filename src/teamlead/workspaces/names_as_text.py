"""Names of files and refs as text. A name may be bytes that are no text, and our files hold only text."""

import os
import re

WRITTEN = re.compile(rb"\\x([0-9a-f]{2})")
LOOKS_WRITTEN = re.compile(r"\\(?=x[0-9a-f]{2})")


def writable(name: str) -> str:
    r"""Writes `\xff` for a byte that is no text. Names of different things stay different."""
    if name.isascii() and "\\x" not in name:
        return name
    return os.fsencode(LOOKS_WRITTEN.sub(r"\\x5c", name)).decode(errors="backslashreplace")


def real(written: str) -> str:
    """Returns the name itself, as the system and git take it."""
    if "\\x" not in written:
        return written
    return os.fsdecode(WRITTEN.sub(lambda found: bytes.fromhex(found[1].decode()), written.encode()))

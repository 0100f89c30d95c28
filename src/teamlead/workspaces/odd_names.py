"""Names that cannot be written as they are: bytes that are no text, and what git refuses in a tree."""

import os
import re

WRITTEN = re.compile(rb"\\x([0-9a-f]{2})")
LOOKS_WRITTEN = re.compile(r"\\(?=x[0-9a-f]{2})")


PREFIX = b"dot"
OWN = rb"\.git|git~\d+"
MODULES = rb"\.gitmodules|gitmod~\d|gi7eba~\d"
ESCAPED = re.compile(rb"(?:dot)+(?:%b|%b)" % (OWN, MODULES))
REFUSED = re.compile(rb"%b|(?:dot)+(?:%b|%b)" % (OWN, OWN, MODULES))
NOT_AS_A_LINK = re.compile(MODULES)
"""git reads this file before it trusts the tree, so as a symbolic link it is refused."""
SEPARATOR = re.compile(rb"([/\\])")
"""A backslash separates folders on some systems, and git reads it so on all."""


def name_as_text(name: str) -> str:
    r"""Writes `\xff` for a byte that is no text. Names of different things stay different."""
    if name.isascii() and "\\x" not in name:
        return name
    return os.fsencode(LOOKS_WRITTEN.sub(r"\\x5c", name)).decode(errors="backslashreplace")


def name_from_text(written: str) -> str:
    """Returns the name itself, as the system and git take it."""
    if "\\x" not in written:
        return written
    return os.fsdecode(WRITTEN.sub(lambda found: bytes.fromhex(found[1].decode()), written.encode()))


def escape(path: bytes, *, link: bool = False) -> bytes:
    """Writes names that git refuses in a tree so that they can be stored and given back.

    A nested repository's `.git` becomes `dot.git`; a name that looks like an escaped one, `dot.git`, becomes
    `dotdot.git`. All other names stay as they are. What counts is any name that git on some file system would
    take for its own, since it refuses those too.
    """
    if _is_ordinary(path):
        return path
    parts = SEPARATOR.split(path)
    last = PREFIX if link and _is(NOT_AS_A_LINK, parts[-1]) else b""
    return b"".join(PREFIX + part if _is(REFUSED, part) else part for part in parts[:-1]) + (
        PREFIX + parts[-1] if _is(REFUSED, parts[-1]) else last + parts[-1]
    )


def unescape(path: bytes) -> bytes:
    return b"".join(
        part.removeprefix(PREFIX) if _is(ESCAPED, part) else part for part in SEPARATOR.split(path)
    )


def _is_ordinary(name: bytes) -> bool:
    """Whether it holds nothing that any of the patterns needs, as nearly all names do."""
    return name.isascii() and b"git" not in name.lower() and b"~" not in name


def _is(pattern: re.Pattern[bytes], name: bytes) -> bool:
    """Compares as file systems do: without case, invisible letters, dots and blanks at its end, streams."""
    if _is_ordinary(name):
        return False
    plain = bytes(byte for byte in name.lower() if byte < 0x80)
    return pattern.fullmatch(plain.partition(b":")[0].rstrip(b" .")) is not None

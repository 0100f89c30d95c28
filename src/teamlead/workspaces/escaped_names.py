"""Names that git refuses in a tree, written so that they can be stored and given back.

A nested repository's `.git` becomes `dot.git`; a name that looks like an escaped one, `dot.git`, becomes
`dotdot.git`. All other names stay as they are. What counts is any name that git on some file system would
take for its own, since it refuses those too.
"""

import re

PREFIX = b"dot"
OWN = rb"\.git|git~\d+"
MODULES = rb"\.gitmodules|gitmod~\d|gi7eba~\d"
ESCAPED = re.compile(rb"(?:dot)+(?:%b|%b)" % (OWN, MODULES))
REFUSED = re.compile(rb"%b|(?:dot)+(?:%b|%b)" % (OWN, OWN, MODULES))
NOT_AS_A_LINK = re.compile(MODULES)
"""git reads this file before it trusts the tree, so as a symbolic link it is refused."""


SEPARATOR = re.compile(rb"([/\\])")
"""A backslash separates folders on some systems, and git reads it so on all."""


def escape(path: bytes, *, link: bool = False) -> bytes:
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

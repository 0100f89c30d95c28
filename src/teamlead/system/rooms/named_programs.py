"""Which programs a command for a shell names by their paths."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress

from teamlead.system.rooms.real_paths import real

SHELL = ("/bin/sh", "-c")
PROGRAMS = ("bin", "sbin", ".bin")
"""What folders of programs are called. Their libraries lie beside them."""
BETWEEN = re.compile(r"[\s\"'`()<>|&;]+")
WITHIN = re.compile(r"[=:]")


def folders_of_programs(argv: Sequence[str], places: Sequence[str]) -> list[str]:
    """Lists folders that the command names below these places, and where they lead if they are links."""
    starts = tuple(f"{place}/" for place in places)
    # Most commands name none, and reading them takes a while.
    if tuple(argv[:2]) != SHELL or len(argv) == len(SHELL) or not any(start in argv[2] for start in starts):
        return []
    named = {part for word in _words(argv[2]) for part in WITHIN.split(word) if part.startswith(starts)}
    paths = [os.path.normpath(path) for path in sorted(named)]
    return list(dict.fromkeys(folder for path in paths for folder in _folders(path)))


def _folders(path: str) -> Iterator[str]:
    for name in (path, real(path)):
        for folder in (name, os.path.dirname(name)):  # noqa: PTH120 - strings, as everywhere at a start
            if os.path.basename(folder) in PROGRAMS:  # noqa: PTH119
                yield folder


def _words(command: str) -> Iterator[str]:
    """Yields words as a shell reads them, and as they are written: some are quoted for another shell."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    with suppress(ValueError):
        yield from lexer
    yield from BETWEEN.split(command)

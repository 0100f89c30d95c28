"""Paths as rooms meet them: where each leads, and which programs a command names by theirs."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

PLACE = getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC
SHELL = ("/bin/sh", "-c")
PROGRAMS = ("bin", "sbin", ".bin")
"""What folders of programs are called. Their libraries lie beside them."""
BETWEEN = re.compile(r"[\s\"'`()<>|&;]+")
WITHIN = re.compile(r"[=:]")


def real(path: str | Path) -> str:
    """Asks the kernel, which takes a quarter of the time of a look at each part of the path.

    Rooms ask for many paths at every start of a program.
    """
    place = -1
    try:
        place = os.open(path, PLACE)
        return os.readlink(f"/proc/self/fd/{place}")  # noqa: PTH115 - this runs at every start of a program
    except OSError:
        # What is not there has a place, too; and not every system tells of descriptors.
        return os.path.realpath(path)
    finally:
        if place >= 0:
            os.close(place)


def below(path: str, other: str) -> bool:
    """Whether a path lies below the other, or is the same."""
    return path == other or path.startswith(other.rstrip("/") + "/")


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

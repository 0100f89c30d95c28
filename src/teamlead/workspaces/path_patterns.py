"""Finds what a path pattern of the settings names in the user's checkout. It follows no link."""

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from teamlead.errors import ConfigError

WILD = frozenset("*?[")


class Named(NamedTuple):
    paths: tuple[PurePosixPath, ...]
    """In order, relative to the root. What lies in one of them is not named again."""
    links: tuple[PurePosixPath, ...]
    """Behind these the pattern goes on, and nobody looked there."""


def named(root: Path, pattern: str) -> Named:
    """Finds nothing for what this user does not have: the configuration may be shared."""
    parts = PurePosixPath(pattern).parts
    if not parts or pattern.startswith("/") or ".." in parts or parts[0] == ".git":
        raise ConfigError(
            f"{pattern!r} is no path inside the repository", remedy="give it relative to the root"
        )
    paths: set[PurePosixPath] = set()
    links: set[PurePosixPath] = set()
    # All that a folder holds is as good as all that is anywhere in it.
    for path, is_whole in _walk(root, PurePosixPath(), (*parts[:-1], parts[-1].replace("**", "*"))):
        (paths if is_whole else links).add(path)
    outermost = [path for path in sorted(paths) if paths.isdisjoint(path.parents)]
    return Named(tuple(outermost), tuple(sorted(links)))


def _walk(root: Path, at: PurePosixPath, parts: tuple[str, ...]) -> Iterator[tuple[PurePosixPath, bool]]:
    """Yields each path, and whether it fits the whole pattern: a link does not, where more follows."""
    first, *rest = parts
    if first == "**":
        yield from _walk(root, at, tuple(rest))
    for name in _names(root / at, first):
        path = at / name
        if not rest:
            yield path, True
        elif (root / path).is_symlink():
            # As everywhere, `**` does not go through links; only what is named is missed.
            if first != "**" and (root / path).is_dir():
                yield path, False
        elif (root / path).is_dir():
            yield from _walk(root, path, parts if first == "**" else tuple(rest))


def _names(folder: Path, part: str) -> list[str]:
    """Lists the fitting names in the folder; git's own folder is never among them."""
    if WILD.isdisjoint(part):
        return [part] if part != ".git" and os.path.lexists(folder / part) else []
    try:
        return [
            path.name for path in folder.iterdir() if path.name != ".git" and fnmatchcase(path.name, part)
        ]
    except (FileNotFoundError, PermissionError):
        return []

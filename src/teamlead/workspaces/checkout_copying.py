"""What `copy` and `link` name in the user's checkout is found, and copied into a working copy.

Both may hold symbolic links that a stranger committed. Every folder is opened below the one before it, and
never through a link: what is read lies in the checkout, what is written in the copy. A file is written beside
its place and renamed to it. Nothing is ever deleted: a copy that was not finished goes as a whole.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from teamlead.errors import ConfigError, Failed
from teamlead.system.file_modes import users_umask, usual_mode

WILD = frozenset("*?[")
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
SOURCE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""A pipe that has come in the place of a file is not waited for."""
TARGET = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


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


def copy_into(source: Path, target: Path, path: PurePosixPath) -> None:
    """A file, a link as a link, or a folder with all in it. Raises Failed where something is in the way."""
    with folder_in(source, path.parent) as original, folder_in(target, path.parent, make=True) as copy:
        _copy(original, copy, path.name, target / path)


@contextmanager
def folder_in(root: Path, path: PurePosixPath, *, make: bool = False) -> Iterator[int]:
    """A descriptor of the folder at `path` below `root`."""
    with ExitStack() as stack:
        folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        stack.callback(os.close, folder)
        for part in path.parts:
            root /= part
            folder = stack.enter_context(_folder(folder, part, root, make=make))
        yield folder


@contextmanager
def _folder(parent: int, name: str, shown: Path, *, make: bool = False) -> Iterator[int]:
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=parent)
            if users_umask() >= 0:
                os.chmod(name, usual_mode(0o777), dir_fd=parent)
    try:
        folder = os.open(name, FOLDER, dir_fd=parent)
    except OSError as error:
        if stat.S_ISLNK(_look(parent, name).st_mode):
            raise _in_the_way(shown, "a symbolic link") from error
        if isinstance(error, NotADirectoryError):
            raise _in_the_way(shown, "no folder") from error
        raise
    try:
        yield folder
    finally:
        os.close(folder)


def _copy(original: int, copy: int, name: str, shown: Path) -> None:
    """What is neither file, link nor folder has no content, and is left out."""
    found = _look(original, name)
    if stat.S_ISLNK(found.st_mode):
        beside = _beside()
        os.symlink(os.readlink(name, dir_fd=original), beside, dir_fd=copy)
        _put(copy, beside, name, shown)
    elif stat.S_ISDIR(found.st_mode):
        _copy_folder(original, copy, name, shown)
    elif stat.S_ISREG(found.st_mode):
        _copy_file(original, copy, name, shown)


def _copy_folder(original: int, copy: int, name: str, shown: Path) -> None:
    with _folder(original, name, shown) as source, _folder(copy, name, shown, make=True) as target:
        for entry in sorted(os.listdir(source)):  # noqa: PTH208 - of a descriptor
            _copy(source, target, entry, shown / entry)
        _copy_times_and_mode(source, target)


def _copy_file(original: int, copy: int, name: str, shown: Path) -> None:
    beside = _beside()
    with (
        os.fdopen(os.open(name, SOURCE, dir_fd=original), "rb") as source,
        os.fdopen(os.open(beside, TARGET, 0o600, dir_fd=copy), "wb") as target,
    ):
        shutil.copyfileobj(source, target)
        target.flush()
        _copy_times_and_mode(source.fileno(), target.fileno())
    _put(copy, beside, name, shown)


def _copy_times_and_mode(source: int, target: int) -> None:
    found = os.fstat(source)
    os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))
    # What runs as its owner, whoever starts it, is a privilege; nobody gets one by a copy.
    os.fchmod(target, stat.S_IMODE(found.st_mode) & ~(stat.S_ISUID | stat.S_ISGID))


def _put(folder: int, beside: str, name: str, shown: Path) -> None:
    """In one step, over the file or link that is there."""
    try:
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except IsADirectoryError as error:
        raise _in_the_way(shown, "a folder") from error


def _beside() -> str:
    # With the other's name in it, it could be too long.
    return f".teamlead-{os.urandom(8).hex()}"


def _look(folder: int, name: str) -> os.stat_result:
    return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _in_the_way(shown: Path, what: str) -> Failed:
    return Failed(
        f"{str(shown)!r} is {what}, so what `copy` or `link` wants there is not put there",
        remedy="name something else in `copy` or `link`, or make the commit and your checkout agree there",
    )

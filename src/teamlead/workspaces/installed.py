"""What was installed for a project in the user's checkout: virtual environments, `node_modules`, programs."""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Self

from teamlead.system.git import Git, UserSettings
from teamlead.system.repository import Repository

MARKS = ("pyvenv.cfg", "conda-meta")
DEPTH = 2
"""`.tox/py311`, `.pixi/envs/default`."""
MOST, MOST_FOLDERS = 2000, 100
"""Entries of one folder that are looked at, and folders among them that are looked into."""
ACTIVATED = ("VIRTUAL_ENV", "CONDA_PREFIX")


class Installed(NamedTuple):
    """Folders that git does not track, by their paths below the checkout. None of them lies in another."""

    environments: tuple[PurePosixPath, ...] = ()
    programs: tuple[PurePosixPath, ...] = ()
    """What else the user has activated, or on the PATH."""

    def beside(self, others: Iterable[PurePosixPath]) -> Self:
        """Returns those that lie in none of the others."""
        around = frozenset(others)
        kept = (tuple(p for p in paths if around.isdisjoint((p, *p.parents))) for paths in self)
        return type(self)(*kept)

    @property
    def all(self) -> tuple[PurePosixPath, ...]:
        return (*self.environments, *self.programs)


@lru_cache(maxsize=8)
def installed(repository: Repository, settings: UserSettings) -> Installed:
    """Looks once: what is installed later is there for the next leader."""
    root = repository.root
    git = Git(repository.git_dir, root, settings)
    # A folder without any tracked file stands for all that is in it.
    listed = git.run("ls-files", "--others", "--directory", "-z").fields
    untracked = [PurePosixPath(os.fsdecode(field)) for field in listed]
    folders = (path for path, field in zip(untracked, listed, strict=True) if _is_folder(root, path, field))
    found = [path for folder in folders for path in _environments(root, folder, DEPTH)]
    return Installed(tuple(sorted(found)), tuple(_programs(root, frozenset(untracked), frozenset(found))))


def _is_folder(root: Path, path: PurePosixPath, field: bytes) -> bool:
    """Whether it is a folder, or a link that may lead to one."""
    return field.endswith(b"/") or (root / path).is_symlink()


def _environments(root: Path, path: PurePosixPath, depth: int) -> Iterator[PurePosixPath]:
    folder = root / path
    if _is_environment(folder):
        yield path
    elif depth and not folder.is_symlink():
        names = _folders_in(folder)
        # What is installed in another repository is for that one.
        for name in names if ".git" not in names else ():
            yield from _environments(root, path / name, depth - 1)


def _is_environment(folder: Path) -> bool:
    return any((folder / name).exists() for name in MARKS) or (
        folder.name == "node_modules" and folder.is_dir()
    )


def _folders_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            found = (entry for entry in islice(entries, MOST) if entry.name == ".git" or entry.is_dir())
            return [entry.name for entry in islice(found, MOST_FOLDERS)]
    except OSError:
        return []


def _programs(
    root: Path, untracked: frozenset[PurePosixPath], environments: frozenset[PurePosixPath]
) -> Iterator[PurePosixPath]:
    found = set(environments)
    for path in _activated(root):
        # Libraries lie beside programs. What a link leads to may be a whole home.
        beside = path.name == "bin" and not (root / path.parent).is_symlink()
        for folder in (path.parent, path) if beside else (path,):
            lies_in = {folder, *folder.parents}
            around = (other for other in found if folder in other.parents)
            if lies_in & found:
                break
            if lies_in & untracked and not any(around) and (root / folder).is_dir():
                found.add(folder)
                yield folder
                break


def _activated(root: Path) -> Iterator[PurePosixPath]:
    named = (*(os.environ.get(name, "") for name in ACTIVATED), *os.environ.get("PATH", "").split(":"))
    for place in filter(None, named):
        for path in (Path(os.path.normpath(place)), Path(os.path.realpath(place))):
            if path.is_relative_to(root) and path != root:
                yield PurePosixPath(path.relative_to(root))
                break

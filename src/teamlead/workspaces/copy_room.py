"""The room around a copy: what of the user's checkout is seen in it besides the files of the commit.

What `link` names, and what was installed for the project, is mounted: a symbolic link would lead to itself
where the copy lies in the place of the checkout. Without a room what `link` names is a symbolic link.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from teamlead.errors import Failed
from teamlead.ports.rooms import House, Room
from teamlead.system.repository import Repository
from teamlead.workspaces import private_git
from teamlead.workspaces.checkout_copying import folder_in, named
from teamlead.workspaces.copy_folder import CopyFolder
from teamlead.workspaces.installed import installed
from teamlead.workspaces.provisions import Provisions

PLACE = 0o400
"""The mode of an empty file that something is mounted on. Git writes no file that nobody may write to."""


def furnish(copy: CopyFolder, house: House | None, provisions: Provisions) -> Room | None:
    """Furnishes the copy's room. The copy may have been furnished before, with a room or without one."""
    root = copy.session.repository.root
    links = [path for pattern in provisions.link for path in named(root, pattern).paths]
    if house is None or house.kind != "bubblewrap":
        for path in links:
            _put_link(root, copy.path, path)
        return None if house is None else _room(copy, house, (), ())
    mounted = [path for path in links if _put_place(root, copy.path, path)]
    found = installed(copy.session.repository, copy.session.settings).beside(links)
    layered = [path for path in found.environments if _may_put_place(root, copy.path, path)]
    programs = [path for path in found.programs if _may_put_place(root, copy.path, path)]
    # What the work itself has there counts.
    mounted += [path for path in programs if not any((copy.path / path).iterdir())]
    private_git.exclude(copy, [*mounted, *layered])
    return _room(copy, house, mounted, layered)


def _room(
    copy: CopyFolder, house: House, mounted: Iterable[PurePosixPath], layered: Iterable[PurePosixPath]
) -> Room:
    session = copy.session
    return Room(
        house._replace(borrowed=session.borrowed, lent=tuple(_lent(session.repository))),
        copy.path,
        copy.own_dir,
        mounted=tuple((house.root / path, Path(path)) for path in mounted),
        layered=tuple((house.root / path, Path(path)) for path in layered),
        scratch=copy.scratch,
    )


def _put_link(root: Path, copy: Path, path: PurePosixPath) -> None:
    with folder_in(copy, path.parent, make=True) as folder:
        # The place for a mount, which an earlier leader made.
        with suppress(OSError):
            if stat.S_IMODE(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode) == PLACE:
                os.unlink(path.name, dir_fd=folder)
        with suppress(OSError):
            os.rmdir(path.name, dir_fd=folder)
        with suppress(FileExistsError):
            os.symlink(root / path, path.name, dir_fd=folder)


def _may_put_place(root: Path, copy: Path, path: PurePosixPath) -> bool:
    """Puts a place that nobody asked for: where the work has something else there, it is left out."""
    try:
        return _put_place(root, copy, path)
    except Failed:
        return False


def _put_place(root: Path, copy: Path, path: PurePosixPath) -> bool:
    """Puts a place of the same kind, and returns whether it is there. What the commit has there stays."""
    wanted = stat.S_IFMT((root / path).stat().st_mode)
    with folder_in(copy, path.parent, make=True) as folder:
        with suppress(OSError):
            if os.readlink(path.name, dir_fd=folder) == str(root / path):
                os.unlink(path.name, dir_fd=folder)
        with suppress(FileExistsError):
            if wanted == stat.S_IFDIR:
                os.mkdir(path.name, dir_fd=folder)
            else:
                os.close(os.open(path.name, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, PLACE, dir_fd=folder))
        return stat.S_IFMT(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode) == wanted


def _lent(repository: Repository) -> Iterator[tuple[Path, Path]]:
    """Lists what a copy's git directory names besides the repository's objects."""
    if (repository.common_dir / "lfs").is_dir():
        yield repository.large_files, repository.common_dir / "lfs"
    modules = repository.common_dir / "modules"
    waiting = [modules]
    while waiting:
        for folder in waiting.pop().glob("*"):
            if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
                yield repository.modules / folder.relative_to(modules) / "objects", folder / "objects"
                waiting.append(folder / "modules")
            elif folder.is_dir():
                waiting.append(folder)

"""A linked working tree that is gone, or that git no longer knows, is there again."""

import os
from pathlib import Path

from teamlead.errors import GitFailed, Refused
from teamlead.system.disk import storing
from teamlead.system.file_modes import make_usual_folder
from teamlead.system.git import Git, as_user
from teamlead.system.repository import Repository
from teamlead.workspaces import checkout_files
from teamlead.workspaces.belongings import POINTER, tree_of
from teamlead.workspaces.names_as_text import real
from teamlead.workspaces.reference_state import REGISTRATION, Reference, put_content


def raise_again(
    repository: Repository, reference: Reference, folder: str, unfinished: checkout_files.Files
) -> None:
    """With all `unfinished` work in it that was kept; or known to git again, if it is there.

    `folder`: of its git directory, as `worktrees/NAME`.
    """
    git_dir = repository.common_dir / real(folder)
    known = reference.belongings.get(f"{folder}/gitdir")
    if not known:
        raise Refused(f"nobody knows where the working tree of {folder!r} was")
    place = tree_of(git_dir, real(known))
    there = (place / POINTER).exists()
    if not there and place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise Refused(
            f"something else lies where the working tree {str(place)!r} was",
            remedy="move it away, then try again",
        )
    _register(git_dir, reference, folder)
    try:
        if not (git_dir / "index").exists():
            Git(git_dir, place).run("read-tree", _commit(git_dir, reference, folder))
        if not there:
            _fill(place, git_dir, reference, folder)
    except GitFailed as error:
        raise Refused(f"git does not fill the working tree {str(place)!r} again: {error}") from error
    if not there:
        for name, file in unfinished.items():
            if checkout_files.folder_of(name) == folder and file.kept:
                checkout_files.put_back(checkout_files.place_of(repository, name, reference.belongings), file)


def _register(git_dir: Path, reference: Reference, folder: str) -> None:
    names = [*REGISTRATION, "logs/HEAD"]
    if not (git_dir / "gitdir").exists():
        # They went with it.
        names.append("config.worktree")
    for each in names:
        if (content := reference.contents.get(f"{folder}/{each}")) is not None:
            put_content(git_dir / each, content)


def _commit(git_dir: Path, reference: Reference, folder: str) -> str:
    """What was checked out, also if its branch is gone."""
    head = reference.belongings.get(f"{folder}/HEAD", "")
    branch = head.removeprefix("ref: ")
    return Git(git_dir, git_dir).commit("HEAD") or reference.belongings.get(branch, branch)


def _fill(place: Path, git_dir: Path, reference: Reference, folder: str) -> None:
    """As the index has it."""
    pointer = reference.contents.get(f"{folder}/{POINTER}")
    with storing(place):
        make_usual_folder(place)
        (place / POINTER).write_bytes(pointer.data if pointer else os.fsencode(f"gitdir: {git_dir}\n"))
    as_user(place, "checkout-index", "--quiet", "--all")

"""What all ways of putting back use: the changed side is kept first; a working tree can be made again."""

import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import GitFailed, Refused
from teamlead.system.atomic_files import write_atomically
from teamlead.system.disk import storing
from teamlead.system.file_modes import make_usual_folder
from teamlead.system.git import Git, as_user
from teamlead.system.repository import Repository
from teamlead.workspaces import checkout_files
from teamlead.workspaces.belongings import POINTER, tree_of
from teamlead.workspaces.fence import REASON
from teamlead.workspaces.kept_work import MENDED, PLACE
from teamlead.workspaces.odd_names import name_as_text, name_from_text
from teamlead.workspaces.reference_state import REGISTRATION, Reference, content_of, put_content

BY_MEND = f"{REASON}put back"
OBJECT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Mending(NamedTuple):
    repository: Repository
    reference: Reference
    kept: Path
    """A folder for the changed sides of files."""
    session: str
    files: checkout_files.Files
    """In checkouts, that differed from their commits."""

    @property
    def git(self) -> Git:
        return self.repository.git()

    @property
    def common_dir(self) -> Path:
        return self.repository.common_dir

    def keep_file(self, path: Path) -> str:
        """Copies it under the next free number; "" for what is not there."""
        try:
            found = content_of(path)
        except PermissionError:
            # What it is like otherwise comes with what it was.
            with storing(path):
                path.chmod(0o600)
                found = content_of(path)
        if found is None:
            return ""
        place = self._next_place(path)
        write_atomically(place, found.data, mode=0o600)
        return str(place)

    def move_away(self, path: Path) -> str:
        """Moves to a kept place what may be a file, a folder or a link, and returns that place."""
        if path.is_dir() and not path.is_symlink():
            place = self._next_place(path)
            with storing(place):
                shutil.move(path, place)
            return str(place)
        kept = self.keep_file(path)
        with storing(path):
            path.unlink(missing_ok=True)
        return kept

    def make_way(self, path: Path) -> None:
        """Moves away what lies there or on the way to it and is no file, or no folder."""
        below = path.relative_to(self.common_dir).parents
        for folder in (self.common_dir / each for each in reversed(below)):
            if os.path.lexists(folder) and not folder.is_dir():
                self.move_away(folder)
        if path.is_dir() and not path.is_symlink():
            self.move_away(path)

    def _next_place(self, path: Path) -> Path:
        with storing(self.kept):
            number = 1
            while (self.kept / str(number)).exists():
                number += 1
            folder = self.kept / str(number)
            for each in (self.kept, folder):
                each.mkdir(mode=0o700, exist_ok=True)
        return folder / name_as_text(path.name)

    def keep_object(self, name: str) -> str:
        """Keeps the object under a ref, once, and returns the ref; "" for what git does not have."""
        git, prefix = self.git, f"{PLACE}/{self.session}/{MENDED}"
        if not OBJECT.fullmatch(name) or not git.resolve(name)[0]:
            return ""
        lines = git.text("for-each-ref", "--format=%(objectname) %(refname)", f"{prefix}/").splitlines()
        found = dict(line.split(" ", 1) for line in lines)
        if name not in found:
            found[name] = f"{prefix}/{len(found) + 1}"
            git.run("update-ref", "-m", BY_MEND, found[name], name, "")
        return found[name]

    def restore_tree(self, folder: str) -> None:
        """Makes a linked working tree again that is gone, with all unfinished work in it that was kept.

        Git knows one again that is there. `folder`: that of its git directory, as `worktrees/NAME`.
        """
        git_dir = self.common_dir / name_from_text(folder)
        known = self.reference.belongings.get(f"{folder}/gitdir")
        if not known:
            raise Refused(f"nobody knows where the working tree of {folder!r} was")
        place = tree_of(git_dir, name_from_text(known))
        there = (place / POINTER).exists()
        if not there and place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise Refused(
                f"something else lies where the working tree {str(place)!r} was",
                remedy="move it away, then try again",
            )
        self._register(git_dir, folder)
        try:
            if not (git_dir / "index").exists():
                Git(git_dir, place).run("read-tree", self._commit(git_dir, folder))
            if not there:
                self._fill(place, git_dir, folder)
        except GitFailed as error:
            raise Refused(f"git does not fill the working tree {str(place)!r} again: {error}") from error
        if not there:
            self._put_unfinished_back(folder)

    def _register(self, git_dir: Path, folder: str) -> None:
        names = [*REGISTRATION, "logs/HEAD"]
        if not (git_dir / "gitdir").exists():
            # They went with it.
            names.append("config.worktree")
        for each in names:
            if (content := self.reference.contents.get(f"{folder}/{each}")) is not None:
                put_content(git_dir / each, content)

    def _commit(self, git_dir: Path, folder: str) -> str:
        """Returns the commit that was checked out, also if its branch is gone."""
        head = self.reference.belongings.get(f"{folder}/HEAD", "")
        branch = head.removeprefix("ref: ")
        return Git(git_dir, git_dir).commit("HEAD") or self.reference.belongings.get(branch, branch)

    def _fill(self, place: Path, git_dir: Path, folder: str) -> None:
        """Fills the working tree as the index has it."""
        pointer = self.reference.contents.get(f"{folder}/{POINTER}")
        with storing(place):
            make_usual_folder(place)
            (place / POINTER).write_bytes(pointer.data if pointer else os.fsencode(f"gitdir: {git_dir}\n"))
        as_user(place, "checkout-index", "--quiet", "--all")

    def _put_unfinished_back(self, folder: str) -> None:
        for name, file in self.files.items():
            if checkout_files.folder_of(name) == folder and file.kept:
                place = checkout_files.place_of(self.repository, name, self.reference.belongings)
                checkout_files.put_back(place, file)

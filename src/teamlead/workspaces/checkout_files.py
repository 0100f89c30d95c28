"""The files in the user's checkouts, which agents' programs can reach in sessions without rooms.

    checkouts.bin   the files that differed from their commit when nobody but the user was at work

A name is `checkout:PATH`, or `checkout@NAME:PATH` for a linked working tree. What the user edits meanwhile
looks the same as what an agent does, so nothing of it blocks an approval; it is listed, and can be put back.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from teamlead.errors import GitFailed
from teamlead.system.atomic_files import write_atomically
from teamlead.system.disk import storing
from teamlead.system.git import Git, as_user
from teamlead.system.repository import Repository
from teamlead.workspaces.belongings import POINTER, places, read, settings_in, tree_of
from teamlead.workspaces.odd_names import name_as_text, name_from_text
from teamlead.workspaces.reference_state import Content, content_of
from teamlead.workspaces.refs import read_ref

FILE = "checkouts.bin"
MARK = "checkout"
CLEAN = "as committed"
GONE = "gone, with its working tree"
ABSENT = "-"
MOST_FILES = 2_000
"""In a checkout with more that differ from their commit, nothing is compared."""
LARGEST = 1 << 20
ALTOGETHER = 32 << 20
"""Bytes that are kept of one file, and of all. Of what is larger only a change is told."""
PLAIN = re.compile(
    r"(core\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol)|extensions\.objectformat)=\w+"
)
"""Settings that decide whether a file differs, and start nothing."""


class Differing(msgspec.Struct, frozen=True):
    """A file that is not as its commit has it."""

    state: str
    """Of the content, and of what is staged: another one once either has changed."""
    staged: str = ""
    """Mode and blob; "" if the index has it not."""
    content: Content | None = None
    """None where there is no file, or one that is too large to be kept."""
    kept: bool = True


Files = dict[str, Differing]
"""By name."""


def is_file(name: str) -> bool:
    return name.partition(":")[0].partition("@")[0] == MARK


class Place(NamedTuple):
    """Where a file is, by its name."""

    tree: Path
    git_dir: Path
    path: str

    @property
    def file(self) -> Path:
        return self.tree / self.path

    @property
    def git(self) -> Git:
        return Git(self.git_dir, self.tree)


def path_and_tree(name: str) -> tuple[str, str]:
    """Returns its path, and git's name for the linked working tree that it lies in; "" for the main one."""
    mark, _, path = name.partition(":")
    return path, mark.partition("@")[2]


def folder_of(name: str) -> str:
    """Returns the folder of its checkout's git directory, below the repository's; "" for the main one."""
    _, tree = path_and_tree(name)
    return f"worktrees/{tree}" if tree else ""


def place_of(repository: Repository, name: str, belongings: Mapping[str, str]) -> Place:
    """`belongings`, as they were, tell where a working tree was that git does not know any more."""
    folder, path = folder_of(name), name_from_text(name).partition(":")[2]
    git_dir = repository.common_dir / name_from_text(folder)
    tree = repository.main_root
    if folder:
        known = dict(places(repository)).get(f"{name_from_text(folder)}/HEAD")
        tree = known or tree_of(git_dir, name_from_text(belongings.get(f"{folder}/gitdir", "")))
    return Place(tree, git_dir, path)


def survey(repository: Repository, *, keep: bool = False) -> Files:
    """Lists all files that differ from their commit in any checkout. `keep`: with their content."""
    found: Files = {}
    left = ALTOGETHER if keep else 0
    for tree in _trees(repository):
        try:
            listed = _status(repository, tree)
        except GitFailed:
            continue
        if len(listed) <= MOST_FILES:
            for path, staged in listed:
                file = _look(tree.path / path, staged, left)
                left -= len(file.content.data) if file.content else 0
                found[name_as_text(f"{tree.mark}:{path}")] = file
    return found


def differences(
    repository: Repository, before: Files, now: Files, belongings: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Returns the states before and after of each file that has changed. `belongings`: as they were."""
    found = {}
    for name in sorted(before.keys() | now.keys()):
        known, there = before.get(name), now.get(name)
        if known is None:
            found[name] = (CLEAN, there.state if there else CLEAN)
        elif there is not None:
            if there.state != known.state:
                found[name] = (known.state, there.state)
        else:
            place = place_of(repository, name, belongings)
            # Not what the user has committed in the meantime.
            if (_digest(place.file) or ABSENT) != known.state.split()[0]:
                found[name] = (known.state, CLEAN if (place.tree / POINTER).exists() else GONE)
    return found


def told(file: Path, known: Differing | None, state: str) -> list[str]:
    """Returns the lines that a person is shown of a file: as it is `known`, or as it is now."""
    if state in {CLEAN, GONE}:
        return [state]
    known = known or _look(file, state.partition(" ")[2], LARGEST)
    staged = [f"staged: {known.staged}"] if known.staged else []
    if not known.kept:
        return ["(too large to be shown, or kept)", *staged]
    if known.content is None:
        return staged
    link = f", a link to {known.content.link}" if known.content.link else ""
    lines = known.content.data.decode(errors="backslashreplace").splitlines()
    return [f"(mode {known.content.mode:o}{link})", *lines, *staged]


def put_back(place: Place, known: Differing | None) -> None:
    """Writes the file as it is known to have differed, or else as it is committed."""
    if known is None:
        _restore(place)
        return
    with storing(place.file):
        _write(place.file, known.content)
    spelling = ("--add", "--cacheinfo", f"{known.staged.replace(' ', ',')},{place.path}")
    arguments = spelling if known.staged else ("--force-remove", "--", place.path)
    place.git.run("update-index", *arguments)


def load(folder: Path) -> Files | None:
    try:
        return msgspec.msgpack.decode((folder / FILE).read_bytes(), type=Files)
    except (OSError, msgspec.DecodeError):
        return None


def save(folder: Path, files: Files) -> None:
    # There may be secrets in it.
    write_atomically(folder / FILE, msgspec.msgpack.encode(files), mode=0o600)


class _Tree(NamedTuple):
    mark: str
    path: Path
    git_dir: Path


def _trees(repository: Repository) -> Iterator[_Tree]:
    for name, path in places(repository):
        if (path / POINTER).exists():
            number = name.removeprefix("worktrees/").removesuffix("HEAD").rstrip("/")
            mark = f"{MARK}@{number}" if number else MARK
            yield _Tree(mark, path, (repository.common_dir / name).parent)


def _status(repository: Repository, tree: _Tree) -> list[tuple[str, str]]:
    """Lists each path that differs, with mode and blob of what is staged."""
    question = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames")
    with TemporaryDirectory(prefix="teamlead-look-") as place:
        git = _unsteered(repository, tree, Path(place))
        listed = git.run(*question, "--ignore-submodules=all", index=tree.git_dir / "index").fields
    return list(_differing(listed))


def _unsteered(repository: Repository, tree: _Tree, place: Path) -> Git:
    """Returns git with a directory of its own that knows no filter: a filter may be an agent's program."""
    common_dir = repository.common_dir
    settings = settings_in(read(common_dir / "config"))
    plain = {key: values[-1] for key, values in settings.items() if PLAIN.fullmatch(f"{key}={values[-1]}")}
    sections = (f"[{key.partition('.')[0]}]\n\t{key.partition('.')[2]} = {plain[key]}\n" for key in plain)
    version = int("extensions.objectformat" in plain)
    head = os.fsdecode(read(tree.git_dir / "HEAD")).strip()
    commit = read_ref(common_dir, head.removeprefix("ref: ")) if head.startswith("ref: ") else head
    for folder in ("refs", "info"):
        (place / folder).mkdir()
    (place / "config").write_text(f"[core]\n\trepositoryformatversion = {version}\n{''.join(sections)}")
    (place / "HEAD").write_text(f"{commit or 'ref: refs/heads/unborn'}\n")
    (place / "info" / "exclude").write_bytes(read(common_dir / "info" / "exclude"))
    return Git(place, tree.path, objects=common_dir / "objects")


def _differing(status: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    for field in status:
        kind, _, rest = os.fsdecode(field).partition(" ")
        if kind == "1":
            *words, path = rest.split(" ", 7)
            yield path, "" if words[3] == "000000" else f"{words[3]} {words[6]}"
        elif kind == "u":
            yield rest.split(" ", 9)[9], ""
        elif kind == "?":
            yield rest, ""


def _look(file: Path, staged: str, left: int) -> Differing:
    digest = _digest(file)
    content = None
    if file.is_symlink():
        content = Content(0o777, b"", name_as_text(str(file.readlink())))
    elif digest and file.lstat().st_size <= min(LARGEST, left):
        content = content_of(file)
    return Differing(f"{digest or ABSENT} {staged}", staged, content, kept=bool(content) or not digest)


def _digest(file: Path) -> str:
    """Returns a digest of mode and content; "" where there is no file."""
    try:
        found = file.lstat()
        if stat.S_ISLNK(found.st_mode):
            return sha256(os.fsencode(file.readlink())).hexdigest()[:16]
        if not stat.S_ISREG(found.st_mode):
            return ""
        if found.st_size > LARGEST:
            return f"{found.st_size}-{found.st_ctime_ns}"
        return sha256(b"%o " % found.st_mode + file.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def _restore(place: Place) -> None:
    """Restores the file as it is committed; removes one that is not."""
    if place.git.holds("rev-parse", "--verify", "--quiet", f"HEAD:{place.path}"):
        where = ("--source=HEAD", "--staged", "--worktree")
        as_user(place.tree, "restore", *where, "--", f":(literal){place.path}")
        return
    place.git.run("update-index", "--force-remove", "--", place.path)
    with storing(place.file):
        place.file.unlink(missing_ok=True)


def _write(path: Path, content: Content | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or content is None:
        path.unlink(missing_ok=True)
    if content is None:
        return
    if content.link:
        path.unlink(missing_ok=True)
        path.symlink_to(name_from_text(content.link))
        return
    write_atomically(path, content.data, mode=content.mode)
    path.chmod(content.mode)

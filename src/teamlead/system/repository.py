"""The user's repository: where it is, which one it is, and whether a session can start in it.

`discover` only reads, and starts one process, so that `status` answers at once. `claim` is for what writes.
"""

import json
import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import MachineUnable, Refused, StorageFailed, UsageError
from teamlead.system import locks
from teamlead.system.atomic_files import write_atomically
from teamlead.system.file_modes import make_usual_folder
from teamlead.system.git import Git, UserSettings, as_user, require_git
from teamlead.system.user_folders import state_home

PROJECTIONS = ".teamlead/sessions/"


NOT_YOURS = "make its files your own with chown, or trust it: git config --global --add safe.directory FOLDER"


class Repository(NamedTuple):
    root: Path
    """The top of the working tree the command was called in."""
    git_dir: Path
    """Of that working tree."""
    common_dir: Path
    """What all its working trees share."""
    id: str

    @property
    def state_dir(self) -> Path:
        """Journals, streams and working copies: outside the repository, away from the user's own tools."""
        return state_home() / self.id

    @property
    def _real_state(self) -> Path:
        """The state directory by a name that holds in rooms, too, where links to it may be hidden."""
        return Path(os.path.realpath(state_home())) / self.id

    @property
    def link(self) -> Path:
        """Leads to the git directory, wherever the repository has been moved."""
        return self._real_state / "repository"

    @property
    def objects(self) -> Path:
        """Leads to git's objects. Copies borrow them by this name."""
        return self._real_state / "objects"

    @property
    def large_files(self) -> Path:
        """Leads to the store of git-lfs, which looks for it beside borrowed objects."""
        return self._real_state / "lfs"

    @property
    def modules(self) -> Path:
        """Leads to the repositories of submodules."""
        return self._real_state / "modules"

    @property
    def links(self) -> tuple[tuple[Path, Path], ...]:
        """The links, each with where it leads."""
        common_dir = self.common_dir
        return (
            (self.link, common_dir),
            (self.objects, common_dir / "objects"),
            (self.large_files, common_dir / "lfs"),
            (self.modules, common_dir / "modules"),
        )

    @property
    def main_root(self) -> Path:
        """The main working tree, wherever a command is called: files about the repository are there only."""
        return self.common_dir.parent if self.common_dir.name == ".git" else self.root

    def git(self, settings: UserSettings = UserSettings()) -> Git:  # noqa: B008 - immutable
        """Returns git for what belongs to no working tree: objects and branches."""
        return Git(self.common_dir, self.root, settings)


class Start(NamedTuple):
    """What a session starts from."""

    branch: str
    commit: str


class Identity(NamedTuple):
    """The content of `<common dir>/teamlead/id`. The path tells a moved repository from a copied one."""

    id: str
    path: str


def discover(cwd: Path) -> Repository:
    """Finds the repository around `cwd`. Changes nothing: an id not on disk is a new one each time."""
    if sys.platform == "win32":
        raise UsageError("teamlead does not run on Windows itself", remedy="use it inside WSL2")
    question = (
        "--is-bare-repository",
        "--path-format=absolute",
        "--git-dir",
        "--git-common-dir",
        "--show-toplevel",
    )
    found = as_user(cwd, "rev-parse", *question, ok=(0, 128))
    lines = found.text.splitlines()
    if lines[:1] == ["true"]:
        raise UsageError(f"{str(cwd)!r} is a bare repository", remedy="run teamlead in a working tree of it")
    if found.code or len(lines) != 4:
        require_git()
        owned = "dubious ownership" not in found.errors
        remedy = "run teamlead inside one, or `git init` a new one" if owned else NOT_YOURS
        raise UsageError(_why_not(cwd, found.errors), remedy=remedy)
    git_dir, common_dir, root = (Path(line) for line in lines[1:])
    if git_dir == root / ".git" and not _same(git_dir, common_dir):
        # Git itself writes it into the git directories of linked working trees only.
        raise UsageError(
            f"{str(git_dir / 'commondir')!r} makes git take branches and settings from {str(common_dir)!r}",
            remedy="if that was not you: teamlead mend",
        )
    known = _read_identity(common_dir)
    mine = known is not None and not _is_twin(common_dir, known)
    return Repository(root, git_dir, common_dir, known.id if known and mine else _new_id())


def discover_by_hand(cwd: Path) -> Repository | None:
    """Finds a repository that git cannot work in, by its place. Returns None unless it is known here."""
    for root in (cwd, *cwd.parents):
        git_dir = root / ".git"
        if git_dir.is_dir():
            known = _read_identity(git_dir)
            return Repository(root, git_dir, git_dir, known.id) if known else None
    return None


def claim(repository: Repository) -> Repository:
    """Makes the id durable. Call it before the first write to the state directory.

    A repository that was moved keeps its id, and its copies are told the new place. A twin gets its own.
    """
    common_dir = repository.common_dir
    with locked(repository, "id"):
        known = _read_identity(common_dir)
        if known is None or _is_twin(common_dir, known):
            _write_identity(common_dir, repository.id)
            return repository
        claimed = repository._replace(id=known.id)
        if not _same(Path(known.path), common_dir):
            link_state(claimed)
            _write_identity(common_dir, known.id)
    return claimed


def keep_identity(repository: Repository) -> None:
    """Writes the id again where somebody took it away, or put another there: sessions are found by it."""
    try:
        known = _read_identity(repository.common_dir)
    except StorageFailed:
        known = None
    if known is None or known.id != repository.id:
        _write_identity(repository.common_dir, repository.id)


def link_state(repository: Repository) -> None:
    """Makes links in the state directory to the repository, so that one that was moved keeps its copies.

    In a room other mounts lie in the place of these links: a copy's git directory names its objects by them.
    """
    for link, target in repository.links:
        if _target(link) != target:
            link.parent.mkdir(parents=True, exist_ok=True)
            fresh = link.with_name(f".{link.name}.{os.urandom(6).hex()}")
            fresh.symlink_to(target)
            fresh.replace(link)


def _target(link: Path) -> Path | None:
    try:
        return link.readlink()
    except OSError:
        return None


def require_startable(repository: Repository) -> Start:
    """Returns the branch and commit to start from. Raises where no session can start, and says what to do."""
    require_git()
    git = Git(repository.git_dir, repository.root)
    commit = git.commit("HEAD")
    if not commit:
        raise UsageError(
            f"the repository {str(repository.root)!r} has no commit yet",
            remedy='git add -A && git commit -m "first commit"',
        )
    branch = git.run("symbolic-ref", "--quiet", "HEAD", ok=(0, 1)).text
    if not branch:
        raise Refused(
            "HEAD is detached, so there is no branch to bring the work to",
            remedy="git switch <branch>, or git switch -c <new branch>",
        )
    if git.holds("show-ref", "--verify", "--quiet", "refs/heads/teamlead"):
        raise Refused(
            "a branch named 'teamlead' stands in the way of the branches teamlead/<session>/<task>",
            remedy="rename it: git branch -m teamlead <another name>",
        )
    return Start(branch.removeprefix("refs/heads/"), commit)


def dirty_paths(repository: Repository, settings: UserSettings) -> list[str]:
    """Lists what differs from HEAD in the user's working tree, untracked files too: no agent sees it."""
    git = Git(repository.git_dir, repository.root, settings)
    fields = git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal").fields
    return [field[3:].decode(errors="backslashreplace") for field in fields]


def exclude_projections(repository: Repository) -> None:
    """Keeps the readable files of sessions out of the user's `git status`."""
    path = repository.common_dir / "info" / "exclude"
    with locked(repository, "exclude"):
        before = path.read_bytes() if path.exists() else b""
        line = f"/{PROJECTIONS}".encode()
        if line in before.splitlines():
            return
        make_usual_folder(path.parent)
        separator = b"" if not before or before.endswith(b"\n") else b"\n"
        write_atomically(path, before + separator + line + b"\n", users=True)


def locked(repository: Repository, name: str) -> AbstractContextManager[None]:
    """Lets one holder in at a time in this repository, across processes and threads."""
    if not repository.common_dir.is_dir():
        # Whoever is at work, this is not their failure, and nothing is to be made there.
        raise MachineUnable(
            f"the git directory {str(repository.common_dir)!r} is gone, or no folder any more",
            remedy="if that was not you, put it back, then `teamlead resume`; `teamlead mend` tells more",
        )
    return locks.locked(repository.common_dir / "teamlead" / f"{name}.lock", users=True)


def _why_not(cwd: Path, errors: str) -> str:
    if "must be run in a work tree" in errors:
        return f"{str(cwd)!r} is inside a git directory, not in a working tree"
    if "not a git repository" in errors:
        return f"{str(cwd)!r} is not in a git repository"
    return (
        errors.splitlines()[0].removeprefix("fatal: ") if errors else f"git does not understand {str(cwd)!r}"
    )


def _identity_file(common_dir: Path) -> Path:
    return common_dir / "teamlead" / "id"


def _read_identity(common_dir: Path) -> Identity | None:
    path = _identity_file(common_dir)
    try:
        content = json.loads(path.read_bytes())
        return Identity(str(content["id"]), str(content["path"]))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise StorageFailed(
            f"{str(path)!r} is unreadable: {error}", remedy="restore it, or move it away"
        ) from error


def _write_identity(common_dir: Path, identity: str) -> None:
    content = json.dumps({"id": identity, "path": str(common_dir)}) + "\n"
    write_atomically(_identity_file(common_dir), content.encode(), users=True)


def _is_twin(common_dir: Path, known: Identity) -> bool:
    """Whether the id was given to another place that still has it."""
    other = Path(known.path)
    if _same(other, common_dir):
        return False
    try:
        there = _read_identity(other)
    except (OSError, StorageFailed):
        return True
    return there is not None and there.id == known.id


def _same(one: Path, other: Path) -> bool:
    return one == other or (one.exists() and one.samefile(other))


def _new_id() -> str:
    return os.urandom(16).hex()

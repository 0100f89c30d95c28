"""What a copy needs besides the commit: files that git does not hold, submodules, a set-up command's work."""

import asyncio
import os
import stat
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from teamlead.errors import ConfigError, Failed, GitFailed, LockHeld
from teamlead.ports.rooms import Room
from teamlead.system import untrusted_folder
from teamlead.system.disk import storing
from teamlead.system.environment import allowed
from teamlead.system.git import Git
from teamlead.system.processes import spawn
from teamlead.system.program_streams import CappedFile
from teamlead.system.repository import Repository
from teamlead.system.run_lock import claim
from teamlead.system.secrets import Secrets
from teamlead.system.text import printable, tail
from teamlead.workspaces import private_git
from teamlead.workspaces.checkout_copying import copy_into, named
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord

LOG_CAP = 10_000_000
KINDS = {"120000": "a symbolic link", "040000": "a folder", "160000": "a folder"}


class Provisions(NamedTuple):
    """From the user's configuration. `copy` and `link` are paths or globs, relative to the root."""

    post_create: tuple[str, ...] = ()
    copy: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    timeout: float = 900.0
    """Seconds for each command."""
    secrets: Mapping[str, str] = {}
    """Nothing of them is kept of what the commands print."""


def provide_files(copy: CopyFolder, record: CopyRecord, provisions: Provisions) -> None:
    root = copy.session.repository.root
    for pattern in provisions.copy:
        for path in named(root, pattern).paths:
            copy_into(root, copy.path, path)
    _add_submodules(copy, record)


def passed_over(root: Path, provisions: Provisions) -> Iterator[str]:
    """Tells the user, before agents begin, what no copy gets though a setting names it."""
    for setting, patterns in (("copy", provisions.copy), ("link", provisions.link)):
        for pattern in patterns:
            for link in named(root, pattern).links:
                yield (
                    f"`{setting}` passes over {pattern!r}: {str(link)!r} is a symbolic link, and none is "
                    f"followed. Where git tracks the link, each copy has it; otherwise name {str(link)!r}."
                )


def refuse_obstacles(repository: Repository, commit: str, provisions: Provisions) -> None:
    """Raises ConfigError where a file or a link of the commit is in the place of a folder of the checkout.

    Or the other way. Every agent would fail by it.
    """
    if not provisions.copy and not provisions.link:
        return
    root = repository.root
    tracked = _Tracked(repository, commit)
    for setting, patterns in (("copy", provisions.copy), ("link", provisions.link)):
        for path in (path for pattern in patterns for path in named(root, pattern).paths):
            # What `link` names is left as the commit has it.
            inside = tracked.at_or_below(path) if setting == "copy" else ()
            for place in (*map(str, path.parents), *inside):
                kind = tracked.kinds.get(place)
                if kind and _is_folder(root / place) not in (None, kind == "a folder"):
                    raise ConfigError(
                        f"`{setting}` cannot put {str(path)!r} into a working copy: {place!r} is {kind}"
                        " in the commit, and something else in your checkout",
                        remedy=f"name something else in `{setting}`, or make the two agree there",
                    )


async def alone(copy: CopyFolder) -> BinaryIO:
    """Waits for the end of a dead leader's command. The lock holds until we and a warden close it."""
    with storing(copy.session.logs):
        copy.session.logs.mkdir(parents=True, exist_ok=True)
        lock = await claim(copy.session.logs / f"{copy.task}.lock")
    if lock is None:
        raise LockHeld(f"a post_create command of an earlier leader does not end in {str(copy.path)!r}")
    return lock


async def run_commands(
    copy: CopyFolder, record: CopyRecord, provisions: Provisions, room: Room | None = None
) -> None:
    for number, command in enumerate(provisions.post_create, 1):
        log = copy.session.logs / f"{copy.task}-{record.attempt}-post_create-{number}.log"
        environment = allowed()
        with await alone(copy) as lock:
            with storing(log):
                output = CappedFile(log, LOG_CAP)
            program = await spawn(
                ["/bin/sh", "-c", command],
                cwd=copy.path,
                env=environment,
                stdout=Secrets(environment, provisions.secrets).guard(output),
                hard_timeout=provisions.timeout,
                kept=lock.fileno(),
                room=room,
            )
        try:
            with storing(log):
                end = await program.wait()
        except asyncio.CancelledError:
            await program.cancel(0)
            raise
        if end.exit_code != 0 or not end.entered:
            ending = "took too long" if end.stopped else f"ended with {end.exit_code}"
            shown = printable(tail(output.recent.decode(errors="replace"), 20, 2000))
            raise Failed(f"the post_create command {command!r} {ending}; output in {str(log)!r}:\n{shown}")


def _add_submodules(copy: CopyFolder, record: CopyRecord) -> None:
    """Adds those that the user has initialised, from the user's own clones: the network is never asked."""
    if not (copy.path / ".gitmodules").is_file():
        return
    # No agent has been here, so that this git directory is still what we wrote.
    git = copy.git(record)._replace(git_dir=copy.own_dir)
    clones = copy.session.repository.modules
    listed = git.run(
        "config", "-z", "--file", ".gitmodules", "--get-regexp", r"^submodule\..*\.path$", ok=(0, 1)
    )
    for field in listed.fields:
        key, path = os.fsdecode(field).split("\n", 1)
        name = key.removeprefix("submodule.").removesuffix(".path")
        clone = clones / name
        if ".." in PurePosixPath(name).parts or not (clone / "HEAD").is_file():
            continue
        if record.sparse and not (copy.path / path).is_dir():
            continue
        # As an address, so that no object is a hard link: an agent could write to the user's own through it.
        borrowing = ("--quiet", "update", "--init", "--reference", str(clone))
        try:
            git.run("-c", f"submodule.{name}.url=file://{clone}", "submodule", *borrowing, "--", path)
            _make_movable(git, name, path, clone)
            _identify(git, name)
        except GitFailed as error:
            raise Failed(
                f"the submodule {path!r} could not be set up in {str(copy.path)!r}: {error}"
            ) from error


def _make_movable(git: Git, name: str, path: str, clone: Path) -> None:
    """Names a submodule's repository, and what that borrows, by paths that hold in a room, too.

    Git names both by paths that are right only where the files really lie.
    """
    repository = git.git_dir / "modules" / name
    git.run("config", "--file", str(repository / "config"), "--unset-all", "core.worktree", ok=(0, 5))
    untrusted_folder.write(repository, "objects/info/alternates", os.fsencode(f"{clone}/objects\n"))
    untrusted_folder.write(git.work_tree, f"{path}/.git", os.fsencode(f"gitdir: {repository}\n"))


def _identify(git: Git, name: str) -> None:
    """Lets who commits in a submodule be who commits in the copy."""
    identity = [pair for pair in git.settings.configuration if pair[0].startswith("user.")]
    file = f"modules/{name}/config"
    untrusted_folder.write(
        git.git_dir, file, (untrusted_folder.read(git.git_dir, file) or b"") + private_git.written(identity)
    )


class _Tracked:
    """What the commit has at each path."""

    def __init__(self, repository: Repository, commit: str) -> None:
        self.kinds: dict[str, str] = {}
        listed = repository.git().run("ls-tree", "-r", "-t", "-z", "--full-tree", commit).fields
        for head, _, path in (field.partition(b"\t") for field in listed):
            self.kinds[os.fsdecode(path)] = KINDS.get(head[:6].decode(), "a file")
        self._sorted = sorted(self.kinds)

    def at_or_below(self, path: PurePosixPath) -> Iterator[str]:
        yield str(path)
        # In the order of characters "0" comes right after "/".
        first, end = (bisect_left(self._sorted, f"{path}{after}") for after in ("/", "0"))
        yield from self._sorted[first:end]


def _is_folder(path: Path) -> bool | None:
    """Returns None where nothing is there, or nothing that we may see."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return None

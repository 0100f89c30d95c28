"""What a copy needs besides the commit: files that git does not hold, submodules, a set-up command's work."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from teamlead.errors import ConfigError, Failed, GitFailed
from teamlead.system.alive import claim
from teamlead.system.disk import storing
from teamlead.system.environment import allowed
from teamlead.system.output import CappedFile
from teamlead.system.processes import spawn
from teamlead.system.text import printable, tail
from teamlead.workspaces.copies import CopyFolder, Record

LOG_CAP = 10_000_000


class Provisions(NamedTuple):
    """From the user's configuration. `copy` and `link` are paths or globs, relative to the root."""

    post_create: tuple[str, ...] = ()
    copy: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    timeout: float = 900.0
    """Seconds for each command."""


def provide_files(copy: CopyFolder, record: Record, provisions: Provisions) -> None:
    root = copy.session.repository.root
    for pattern in provisions.copy:
        for source in _matches(root, pattern):
            _copy(source, copy.path / source.relative_to(root))
    for pattern in provisions.link:
        for source in _matches(root, pattern):
            target = copy.path / source.relative_to(root)
            if not os.path.lexists(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(source)
    _add_submodules(copy, record)


def _matches(root: Path, pattern: str) -> Iterator[Path]:
    """In order. Nothing for what this user does not have: the configuration may be shared."""
    parts = PurePosixPath(pattern).parts
    if not parts or pattern.startswith("/") or ".." in parts or parts[0] == ".git":
        raise ConfigError(
            f"{pattern!r} is no path inside the repository", remedy="give it relative to the root"
        )
    for path in sorted(root.glob(pattern)):
        if ".git" not in path.relative_to(root).parts:
            yield path


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir() and not source.is_symlink():
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    else:
        target.unlink(missing_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)


async def alone(copy: CopyFolder) -> BinaryIO:
    """Waits for the end of a command of a dead leader. Locked until it is closed, here and in a warden."""
    with storing(copy.session.logs):
        copy.session.logs.mkdir(parents=True, exist_ok=True)
        lock = await claim(copy.session.logs / f"{copy.task}.lock")
    if lock is None:
        raise Failed(f"a post_create command of an earlier leader does not end in {str(copy.path)!r}")
    return lock


async def run_commands(copy: CopyFolder, record: Record, provisions: Provisions) -> None:
    for number, command in enumerate(provisions.post_create, 1):
        log = copy.session.logs / f"{copy.task}-{record.attempt}-post_create-{number}.log"
        with storing(log):
            output = CappedFile(log, LOG_CAP)
        with await alone(copy) as lock:
            program = await spawn(
                ["/bin/sh", "-c", command],
                cwd=copy.path,
                env=allowed(),
                stdout=output,
                hard_timeout=provisions.timeout,
                kept=lock.fileno(),
            )
        try:
            with storing(log):
                end = await program.wait()
        except asyncio.CancelledError:
            await program.cancel(0)
            raise
        if end.exit_code != 0:
            ending = "took too long" if end.stopped else f"ended with {end.exit_code}"
            shown = printable(tail(output.recent.decode(errors="replace"), 20, 2000))
            raise Failed(f"the post_create command {command!r} {ending}; output in {str(log)!r}:\n{shown}")


def _add_submodules(copy: CopyFolder, record: Record) -> None:
    """Those the user has initialised, from the user's own clones of them: the network is never asked."""
    if not (copy.path / ".gitmodules").is_file():
        return
    git = copy.git(record)
    clones = copy.session.repository.common_dir / "modules"
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
        try:
            git.run(
                "-c", f"submodule.{name}.url={clone}", "submodule", "--quiet", "update", "--init", "--", path
            )
        except GitFailed as error:
            raise Failed(
                f"the submodule {path!r} could not be set up in {str(copy.path)!r}: {error}"
            ) from error

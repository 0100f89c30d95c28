"""One task's copy on disk, and what we know about it.

    copies/<session>/<task>/          the working copy, the agent's
    copies/<session>/.<task>/         ours: copy.json, the private index, what was moved out of the way
    <git common dir>/worktrees/<x>/   git's registration of the copy

Ours lies beside the copy and not in it, so that nothing an agent does in its copy can mislead us.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from teamlead.errors import GitFailed, StorageFailed
from teamlead.system.faults import reach
from teamlead.system.files import write_atomically
from teamlead.system.git import Git
from teamlead.workspaces import sparse
from teamlead.workspaces.session import Session


class Collected(msgspec.Struct, frozen=True):
    """The last collection, to recognise when it is asked for again."""

    attempt: int
    base: str
    tree: str
    commit: str
    unmerged: tuple[str, ...]
    trespasses: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class Record(msgspec.Struct, frozen=True):
    attempt: int
    """That the copy was made for; later ones may have continued it."""
    base: str
    ready: bool = False
    """Until then no agent was in it, so it holds nothing that could be lost."""
    registration: str = ""
    """The name of git's registration."""
    provided: dict[str, str] = {}
    """What config or checks put there: as long as a (quoted) path has the mode and blob of the first half,
    it counts as having those of the second half, the agent's own."""
    tip: str = ""
    """Where we left HEAD. Anything else is a commit of the agent's own."""
    checked_out: str = ""
    """The commit that git wrote the files from."""
    sparse: tuple[str, ...] = ()
    """Patterns of what git wrote; none for everything."""
    collected: Collected | None = None
    releasing: bool = False
    """What it holds is safe, and it is being removed."""
    kept: str = ""
    """The ref that holds what no branch did."""
    replaced: str = ""
    """The same of the copy before this one."""


def registered(common_dir: Path) -> Iterator[tuple[str, Path]]:
    """The name and the place of each working tree that git has on record."""
    for file in sorted((common_dir / "worktrees").glob("*/gitdir")):
        try:
            link = file.read_text(errors="surrogateescape").strip()
        except FileNotFoundError:
            # It has gone just now.
            continue
        yield file.parent.name, Path(os.path.normpath(file.parent / link)).parent


class CopyFolder:
    def __init__(self, session: Session, task: str) -> None:
        self.session = session
        self.task = task
        self.branch = session.branch(task)
        self.path = session.copies / task
        self.private = session.copies / f".{task}"
        self.index = self.private / "index"
        """What we last saw, with file times. The copy's own index is the agent's to bend."""
        self.checkout = self.private / "checkout"
        """The index as git left it when it wrote the files."""

    def load(self) -> Record | None:
        path = self.private / "copy.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=Record)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            raise StorageFailed(f"{str(path)!r} is unreadable: {error}") from error

    def save(self, record: Record) -> Record:
        self.private.mkdir(parents=True, exist_ok=True)
        write_atomically(self.private / "copy.json", msgspec.json.encode(record))
        return record

    def forget(self) -> None:
        for name in ("index", "checkout", "provided.json", "picture.json", "copy.json"):
            (self.private / name).unlink(missing_ok=True)
            reach(f"copy forgets {name}: after")
        for folder in (self.private, self.session.copies):
            # The second goes with the last copy; one that is being made has its record there already.
            if folder.is_dir() and not any(folder.iterdir()):
                with suppress(OSError):
                    folder.rmdir()

    def registrations(self) -> Path:
        return self.session.repository.common_dir / "worktrees"

    def find_registration(self) -> str:
        """The name git knows this copy by, or ""."""
        found = registered(self.session.repository.common_dir)
        return next((name for name, place in found if place == self.path), "")

    def git_dir(self, record: Record) -> Path:
        return self.registrations() / record.registration

    def git(self, record: Record) -> Git:
        settings = self.session.settings
        if record.sparse:
            settings = settings._replace(options=settings.options + sparse.SETTINGS)
        return Git(self.git_dir(record), self.path, settings)

    def usable(self, record: Record) -> bool:
        """It is on disk, and the registration we recorded is still about it."""
        return (
            bool(record.registration)
            and self.path.is_dir()
            and record.registration == self.find_registration()
        )

    def remove_unfinished(self) -> bool:
        """Removes a copy that holds nothing to lose, even one that git locked while it was made."""
        try:
            self.remove()
        except GitFailed:
            return False
        return True

    def remove(self) -> None:
        """With its registration, whatever it holds. For one who holds the lock for registrations."""
        self.session.git.run("worktree", "remove", "--force", "--force", str(self.path))

    def restore_link(self, record: Record) -> None:
        """Makes the copy's `.git` lead to its registration; what an agent put there instead is set aside."""
        link = self.path / ".git"
        content = f"gitdir: {self.git_dir(record)}\n"
        if link.is_file() and not link.is_symlink() and self._leads_to(link, self.git_dir(record)):
            return
        if os.path.lexists(link):
            link.rename(self.aside("git"))
        write_atomically(link, content.encode())

    def _leads_to(self, link: Path, git_dir: Path) -> bool:
        target = link.read_text(errors="surrogateescape").removeprefix("gitdir: ").strip()
        return (self.path / target).resolve() == git_dir.resolve()

    def aside(self, label: str) -> Path:
        """A free name in our folder."""
        self.private.mkdir(parents=True, exist_ok=True)
        number = 1
        while os.path.lexists(path := self.private / f"{label}-{number}"):
            number += 1
        return path

    def replaced_links(self) -> list[Path]:
        """What `restore_link` found: repositories of the agent's own making."""
        return sorted(self.private.glob("git-*"))

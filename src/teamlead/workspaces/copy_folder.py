"""One task's copy on disk, and what we know about it.

    copies/<session>/<task>/       the working copy, the agent's
    copies/<session>/.<task>/git/  the git directory that the agent works with
    copies/<session>/.<task>/lead/ the one that the lead works with: it shares all with the user's repository
                                   but HEAD and index
    copies/<session>/.<task>/      ours: copy.json, our indexes, what was moved out of the way

Ours lies beside the copy and not in it, so that nothing an agent does in its copy can mislead us. The user's
repository knows of none of them.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

import msgspec

from teamlead.errors import GitFailed, StorageFailed
from teamlead.ports.rooms import Room
from teamlead.system import untrusted_folder
from teamlead.system.atomic_files import write_atomically
from teamlead.system.exhaustion import unless_exhausted
from teamlead.system.faults import reach
from teamlead.system.git import Git
from teamlead.system.repository import link_state
from teamlead.workspaces import git_filters, sparse
from teamlead.workspaces.installed import installed
from teamlead.workspaces.session_refs import Session


class Collected(msgspec.Struct, frozen=True, kw_only=True):
    """The last collection: when it is asked for again, it is recognised by this."""

    attempt: int
    base: str
    tree: str
    commit: str
    unmerged: tuple[str, ...]
    trespasses: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class CopyRecord(msgspec.Struct, frozen=True, kw_only=True):
    attempt: int
    """That the copy was made for; later ones may have continued it."""
    base: str
    ready: bool = False
    """Until then no agent was in it, so it holds nothing that could be lost."""
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


class CopyFolder:
    def __init__(self, session: Session, task: str) -> None:
        self.session = session
        self.task = task
        self.branch = session.branch(task)
        self.path = session.copies / task
        self.private = session.copies / f".{task}"
        self.own_dir = self.private / "git"
        self.lead_dir = self.private / "lead"
        self.scratch = self.private / "scratch"
        """What programs in its room wrote to the user's caches and environments, as they believe."""
        self.index = self.private / "index"
        """What we last saw, with file times. The copy's own index is the agent's to bend."""
        self.checkout = self.private / "checkout"
        """The index as git left it when it wrote the files."""

    def load(self) -> CopyRecord | None:
        path = self.private / "copy.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=CopyRecord)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            unless_exhausted(error)
            raise StorageFailed(f"{str(path)!r} is unreadable: {error}") from error

    def save(self, record: CopyRecord) -> CopyRecord:
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

    def git(self, record: CopyRecord) -> Git:
        """Returns the lead's git: of what an agent wrote it knows the files, and nothing else."""
        settings = self.session.settings
        options = settings.options + (sparse.SETTINGS if record.sparse else ())
        if self.session.filters and self.there():
            options += git_filters.in_room(self.session.filters, self._filters_room())
        return Git(self.lead_dir, self.path, settings._replace(options=options))

    def _filters_room(self) -> Room:
        """Mounts what is installed for the project, wherever the copy has an empty place for it."""
        assert self.session.house
        repository = self.session.repository
        found = (Path(path) for path in installed(repository, self.session.settings).all)
        places = (
            path for path in found if (self.path / path).is_dir() and not any((self.path / path).iterdir())
        )
        mounted = ((repository.root / path, path) for path in places)
        return Room(self.session.house, self.path, self.own_dir, mounted=tuple(mounted))

    def there(self) -> bool:
        return self.path.is_dir() and not self.path.is_symlink()

    def make_lead_dir(self, tip: str) -> None:
        """Makes a git directory like that of a linked worktree, but the repository does not list it."""
        self.lead_dir.mkdir(parents=True, exist_ok=True)
        # Of a git that was killed with its leader: only one leads, and it does one thing at a time here.
        (self.lead_dir / "index.lock").unlink(missing_ok=True)
        link_state(self.session.repository)
        common_dir = os.fsencode(self.session.repository.link)
        (self.lead_dir / "commondir").write_bytes(common_dir + b"\n")
        (self.lead_dir / "HEAD").write_text(f"ref: {self.branch}\n" if self.branch else f"{tip}\n")

    def remove(self) -> None:
        """Removes the copy, whatever it holds. Git removes its files, and follows no link."""
        if self.there():
            if os.path.lexists(self.path / ".git"):
                (self.path / ".git").rename(self.aside("link"))
            self._empty()
            self.path.rmdir()
        reach("copy: its files are gone")
        if self.scratch.is_dir():
            untrusted_folder.remove_tree(self.scratch)
        for place in (*self.private.glob("link-*"), self.own_dir, self.lead_dir):
            untrusted_folder.remove_tree(place)

    def _empty(self) -> None:
        git = self.session.git._replace(work_tree=self.path)
        with suppress(GitFailed):
            sweep(git, self.private / "no-index")
        if any(self.path.iterdir()):
            _remove_pipes(self.path)
            sweep(git, self.private / "no-index")

    def aside(self, label: str) -> Path:
        """Finds a free name in our folder."""
        self.private.mkdir(parents=True, exist_ok=True)
        number = 1
        while os.path.lexists(path := self.private / f"{label}-{number}"):
            number += 1
        return path

    def set_aside(self, path: Path) -> None:
        """Moves away what an agent put in the place of its git directory, or of the link to it."""
        if os.path.lexists(path):
            path.rename(self.aside("git"))

    def replaced(self) -> list[Path]:
        """Lists what was set aside: repositories that the agent made itself."""
        return sorted(self.private.glob("git-*"))


def sweep(git: Git, index: Path) -> None:
    """Removes what is not in the index, nested repositories too. It follows no link."""
    done = git.run("clean", "-ffdxq", index=index)
    if done.errors:
        raise GitFailed(f"not everything in {str(git.work_tree)!r} can be removed: {done.errors[:1000]}")


def _remove_pipes(root: Path) -> None:
    """Removes pipes and sockets, which git passes over. They hold nothing."""
    for entry in untrusted_folder.below(root):
        if stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode) in {stat.S_IFIFO, stat.S_IFSOCK}:
            Path(entry.path).unlink()

"""The names and places one session uses in a repository, and the messages of its commits."""

import os
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from teamlead.errors import GitFailed, Refused
from teamlead.ports.rooms import House
from teamlead.system.git import Git, UserSettings
from teamlead.system.repository import Repository
from teamlead.system.text import clip, printable
from teamlead.workspaces import git_filters
from teamlead.workspaces.fence import Fence, Update

INTEGRATION = "integration"
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|lock$|$))*")
"""Safe as a part of a ref and of a path."""

NEEDED = re.compile(
    r"core\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|excludesfile|attributesfile"
    r"|repositoryformatversion)|extensions\.objectformat|filter\..*"
)

KEEP_IGNORED = 100
POOLED = 16
TITLE = 200
BODY = 8000
MEANS_SOMETHING = re.compile(r"[A-Za-z0-9-]+\s*:|---|\(cherry picked from|diff --git ")
"""What git or a forge would read as more than text at the start of a line."""


@dataclass(frozen=True, kw_only=True)
class Session:
    repository: Repository
    settings: UserSettings
    id: str
    base_commit: str
    copies: Path
    logs: Path
    fence: Fence
    keep_ignored: int = KEEP_IGNORED
    """Megabytes of ignored files that are kept of one copy."""
    pooled: int = POOLED
    """Released copies that wait to be used again, at most."""
    house: House | None = None
    """What programs in copies run in; None: they see what the user sees."""
    roomless: Callable[[str], bool] = lambda _: False
    """Whether the agent of a task has no room all the same."""
    refs: threading.Lock = field(default_factory=threading.Lock)
    """Held while a branch that several tasks share is read and moved."""

    @property
    def git(self) -> Git:
        return self.repository.git(self.settings)

    @cached_property
    def borrowed(self) -> tuple[Path, ...]:
        """Stores of objects that the user's repository borrows itself, by absolute names."""
        found: dict[Path, None] = {}
        waiting = [self.repository.common_dir / "objects"]
        while waiting:
            store = waiting.pop()
            try:
                lines = os.fsdecode((store / "info/alternates").read_bytes()).splitlines()
            except OSError:
                continue
            named = [Path(os.path.normpath(store / line)) for line in lines if line and line[0] != "#"]
            waiting += [other for other in named if other not in found]
            found |= dict.fromkeys(named)
        return tuple(found)

    @cached_property
    def repository_settings(self) -> tuple[tuple[str, str], ...]:
        """What of the repository's own configuration decides how its files and objects are read."""
        file = self.repository.common_dir / "config"
        listed = self.git.run("config", "--file", str(file), "--list", "-z").fields
        pairs = (os.fsdecode(field).partition("\n") for field in listed)
        return tuple(
            (key, value if given else "true") for key, given, value in pairs if NEEDED.fullmatch(key)
        )

    @cached_property
    def filters(self) -> git_filters.Options:
        """That have git start programs in copies, which are held by rooms."""
        if not self.held():
            return ()
        pairs = (
            os.fsdecode(field).partition("\n") for field in self.git.run("config", "--list", "-z").fields
        )
        return git_filters.programs(tuple((key, value) for key, _, value in pairs))

    def held(self, task: str = "") -> bool:
        """Nothing that runs for the task, or for no task, can get at the user's repository."""
        in_rooms = self.house is not None and self.house.kind == "bubblewrap"
        return in_rooms and not (task and self.roomless(task))

    @property
    def integration(self) -> str:
        return f"refs/heads/teamlead/{self.id}/{INTEGRATION}"

    def branch(self, task: str) -> str:
        if not NAME.fullmatch(task) or task == INTEGRATION:
            raise Refused(f"the task id {task!r} cannot be used as the name of a branch")
        return f"refs/heads/teamlead/{self.id}/{task}"

    def kept(self, *names: str) -> str:
        """Where work is kept that no branch holds. git never prunes what a ref names."""
        return "/".join(("refs/teamlead/kept", self.id, *names))

    def approvals(self, *names: str) -> str:
        """Where an approval notes what it does, so that it happens once and can be undone."""
        return "/".join(("refs/teamlead/approvals", self.id, *names))

    def keep(self, task: str, commit: str) -> str:
        """Keeps `commit` under the next free number, once."""
        prefix = self.kept(task)
        lines = self.git.text(
            "for-each-ref", "--format=%(objectname) %(refname:lstrip=-1)", prefix
        ).splitlines()
        found = dict(line.split(" ") for line in lines)
        if commit in found:
            return f"{prefix}/{found[commit]}"
        number = 1 + max((int(name) for name in found.values() if name.isdigit()), default=0)
        self.fence.update(f"keep {task}", Update(f"{prefix}/{number}", commit, ""))
        return f"{prefix}/{number}"

    def trailers(self, task: str = "", attempt: int = 0) -> dict[str, str]:
        return {
            "Teamlead-Session": self.id,
            **({"Teamlead-Task": task} if task else {}),
            **({"Teamlead-Attempt": str(attempt)} if attempt else {}),
        }

    def commit_tree(self, tree: str, parents: list[str], message: str) -> str:
        arguments = [part for parent in dict.fromkeys(parents) for part in ("-p", parent)]
        return self.git.text("commit-tree", tree, *arguments, "-F", "-", stdin=message.encode())

    def move(self, ref: str, new: str, old: str, reason: str) -> bool:
        """Compare-and-swap; false if the ref is not at `old` ("" for a ref that is not there) any more."""
        try:
            self.fence.update(reason, Update(ref, new, old))
        except GitFailed:
            if self.git.commit(ref) == old:
                raise
            return False
        return True


def commit_message(title: str, body: str, trailers: Mapping[str, str]) -> str:
    """An agent's text stays text: it cannot pose as a trailer."""
    first = clip(" ".join(printable(title).split()), TITLE) or "Untitled"
    lines = [_inert(line.rstrip()) for line in clip(printable(body), BODY).strip().split("\n")]
    tail = "\n".join(f"{key}: {value}" for key, value in trailers.items())
    return "\n\n".join(part for part in (first, "\n".join(lines), tail) if part.strip()) + "\n"


def _inert(line: str) -> str:
    return f"  {line}" if MEANS_SOMETHING.match(line) else line

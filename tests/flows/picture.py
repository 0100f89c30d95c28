"""What of a repository is its owner's: teamlead changes none of it, but by approval."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.flows.support import Project

OURS = ("refs/heads/teamlead/", "refs/teamlead/")


class Picture(NamedTuple):
    head: str
    config: bytes
    hooks: dict[str, bytes]
    refs: dict[str, str]
    """Branches, tags and the stash; none of teamlead's own."""
    worktrees: list[str]
    staged: str
    files: str

    @property
    def branch(self) -> str:
        return self.head.removeprefix("ref: ").strip()


def take(project: Project) -> Picture:
    git_dir = project.root / ".git"
    # A hook or monitor of the user's must not run for the sake of a test.
    quiet = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
    return Picture(
        (git_dir / "HEAD").read_text(),
        (git_dir / "config").read_bytes(),
        {path.name: path.read_bytes() for path in sorted((git_dir / "hooks").glob("*"))},
        {name: tip for name, tip in _refs(git_dir) if not name.startswith(OURS)},
        [place for place in _worktrees(git_dir) if str(project.state_home) not in place],
        project.git(*quiet, "ls-files", "--stage", "-v"),
        project.git(*quiet, "status", "--porcelain", "--untracked-files=all", "--", ".", ":!.teamlead"),
    )


# Every command of a flow is looked at twice: what git would tell of these is read from its files.


def _refs(git_dir: Path) -> Iterator[tuple[str, str]]:
    packed = git_dir / "packed-refs"
    for line in packed.read_text(errors="surrogateescape").splitlines() if packed.exists() else ():
        tip, _, name = line.partition(" ")
        if not line.startswith(("#", "^")):
            yield name, tip
    for path in sorted((git_dir / "refs").rglob("*")):
        if path.is_file() and path.suffix != ".lock":
            yield str(path.relative_to(git_dir)), path.read_text().strip()


def _worktrees(git_dir: Path) -> list[str]:
    return [path.read_text().strip() for path in sorted(git_dir.glob("worktrees/*/gitdir"))]


def changed(project: Project, before: Picture, after: Picture, asked: Sequence[str] = ()) -> list[str]:
    """The names of what differs. By approval a branch may go forward, and the files of one's own with it.

    `asked`: what the user typed; a branch may appear that is named there.
    """
    made = {f"refs/heads/{word}" for word in asked} - before.refs.keys()
    after = after._replace(refs={name: tip for name, tip in after.refs.items() if name not in made})
    forward = {
        name
        for name in before.refs.keys() & after.refs.keys()
        if before.refs[name] != after.refs[name]
        and project.has_commit(after.refs[name], before.refs[name])
        and name.startswith("refs/heads/")
    }
    allowed = {"staged", "files"} if before.branch in forward else set()
    one, other = (p._replace(refs={**p.refs, **dict.fromkeys(forward, "")}) for p in (before, after))
    return [
        name
        for name, old, new in zip(Picture._fields, one, other, strict=True)
        if old != new and name not in allowed
    ]

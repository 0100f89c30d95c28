"""What of a repository is its owner's: teamlead changes none of it, but by approval."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    listed = project.git("worktree", "list", "--porcelain").splitlines()
    return Picture(
        (git_dir / "HEAD").read_text(),
        (git_dir / "config").read_bytes(),
        {path.name: path.read_bytes() for path in sorted((git_dir / "hooks").glob("*"))},
        {name: tip for name, tip in project.refs().items() if not name.startswith(OURS)},
        [line for line in listed if line.startswith("worktree ") and str(project.state_home) not in line],
        project.git(*quiet, "ls-files", "--stage", "-v"),
        project.git(*quiet, "status", "--porcelain", "--untracked-files=all", "--", ".", ":!.teamlead"),
    )


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

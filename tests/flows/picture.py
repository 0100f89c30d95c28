"""What of a repository is its owner's: teamlead changes none of it, but by approval."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
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
    listed = project.git("worktree", "list", "--porcelain").splitlines()
    return Picture(
        (git_dir / "HEAD").read_text(),
        (git_dir / "config").read_bytes(),
        {path.name: path.read_bytes() for path in sorted((git_dir / "hooks").glob("*"))},
        {name: tip for name, tip in project.refs().items() if not name.startswith(OURS)},
        [line for line in listed if line.startswith("worktree ") and str(project.state_home) not in line],
        project.git("ls-files", "--stage", "-v"),
        project.git("status", "--porcelain", "--untracked-files=all", "--", ".", ":!.teamlead"),
    )


def changed(project: Project, before: Picture, after: Picture) -> list[str]:
    """The names of what differs. The branch one is on may go forward, and its files with it."""
    branch = before.branch
    old, new = before.refs.get(branch), after.refs.get(branch)
    approved = bool(old and new and old != new and project.has_commit(new, old))
    allowed = {"staged", "files"} if approved else set()
    if approved:
        before, after = (picture._replace(refs={**picture.refs, branch: ""}) for picture in (before, after))
    return [
        name
        for name, one, other in zip(Picture._fields, before, after, strict=True)
        if one != other and name not in allowed
    ]

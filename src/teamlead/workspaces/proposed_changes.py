"""Changes that no session made, as two commits: what is not committed yet, or a range of the history."""

import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import NotFound, UsageError
from teamlead.system.git import Git, UserSettings
from teamlead.system.repository import Repository

OWN_FILES_EXCLUDED = ":(exclude,top).teamlead"
"""What a session writes beside the code is no part of a change, unless it is tracked."""


class ProposedChange(NamedTuple):
    base: str
    commit: str
    told: str
    """What it is, in words."""


def uncommitted(repository: Repository, settings: UserSettings, *, staged: bool = False) -> ProposedChange:
    """What differs from HEAD: in the working tree, new files too but ours, or only what is staged."""
    git = Git(repository.git_dir, repository.root, settings)
    base = git.commit("HEAD")
    if not base:
        raise UsageError("the repository has no commit yet", remedy="commit something first")
    with tempfile.TemporaryDirectory(prefix="teamlead-") as folder:
        index, own = Path(folder) / "index", repository.git_dir / "index"
        if own.exists():
            # With its time, by which git knows what may have changed since it was written.
            shutil.copy2(own, index)
        else:
            git.run("read-tree", base, index=index)
        if not staged:
            git.run("add", "--update", index=index)
            git.run("add", "--all", "--", ".", OWN_FILES_EXCLUDED, index=index)
        tree = git.text("write-tree", index=index)
    if tree == git.text("rev-parse", f"{base}^{{tree}}"):
        what = "nothing is staged" if staged else "nothing differs from HEAD"
        raise NotFound(what, remedy="name what to look at: teamlead prove main..HEAD")
    told = "what is staged" if staged else "what is not committed"
    return ProposedChange(base, git.text("commit-tree", tree, "-p", base, "-m", told), told)


def committed(repository: Repository, named: str) -> ProposedChange:
    """`A..B`: what B has since it left A. A branch: since it left HEAD. A commit of HEAD's: itself."""
    git = repository.git()
    start, dots, end = named.partition("...") if "..." in named else named.partition("..")
    first = _commit(git, (start or "HEAD") if dots else "HEAD")
    last = _commit(git, (end or "HEAD") if dots else named)
    common = git.run("merge-base", first, last, ok=(0, 1)).text
    if not common:
        raise UsageError(f"{named!r} has no history in common with its start", remedy="name a range A..B")
    if common == last and not dots:
        common = git.commit(f"{last}^")
        if not common:
            raise UsageError(f"{named!r} is the first commit", remedy="name a range A..B")
    if git.holds("diff", "--quiet", common, last):
        raise NotFound(f"{named!r} changes nothing", remedy="name a range A..B, or a branch")
    return ProposedChange(common, last, named)


def _commit(git: Git, name: str) -> str:
    found = "" if name.startswith("-") else git.commit(name)
    if not found:
        raise NotFound(f"there is no commit {name!r}", remedy="name a branch, a commit or a range A..B")
    return found

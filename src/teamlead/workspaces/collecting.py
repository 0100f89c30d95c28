"""The lead's commit of what an agent left, whatever the agent did with git in between."""

import shutil
from contextlib import suppress

import msgspec

from teamlead.errors import Failed, GitFailed
from teamlead.ports import Work
from teamlead.system.faults import reach
from teamlead.workspaces import snapshots, trespass
from teamlead.workspaces.copies import Collected, CopyFolder, Record
from teamlead.workspaces.fence import Update
from teamlead.workspaces.messages import compose
from teamlead.workspaces.preparing import carries

UNDER_WAY = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
}


def collect(copy: CopyFolder, attempt: int, base: str, title: str, summary: str) -> Work:
    record = copy.load()
    if not record or not record.ready or not copy.usable(record):
        return _collected_earlier(copy, attempt, base)
    found = trespass.look(copy, record, attempt)
    copy.restore_link(record)
    git = copy.git(record)
    conflicts = snapshots.unmerged(copy, record)
    snapshot = snapshots.take(copy, record)
    changes = snapshots.changes(git, base, snapshot)
    tip, head, tree = git.resolve(copy.branch, "HEAD^{commit}", f"{base}^{{tree}}")
    done = record.collected
    if done and (done.attempt, done.base, done.tree) == (attempt, base, snapshot.tree):
        conflicts = tuple(dict.fromkeys((*done.unmerged, *conflicts)))
        found = trespass.Findings(done.trespasses, done.remarks)
        if tip == (done.commit or base):
            _align(copy, record, snapshot)
            return Work(done.commit, changes, conflicts, *found, snapshot.tree)
    _keep_own_commits(copy, record, attempt, [head, tip], base)
    commit = ""
    if snapshot.tree != tree:
        message = compose(title, summary, copy.session.trailers(copy.task, attempt))
        commit = copy.session.commit_tree(snapshot.tree, [base], message)
    done = Collected(attempt, base, snapshot.tree, commit, conflicts, *found)
    # Before the branch moves, so that a crash in between is recognised by the branch alone.
    record = copy.save(msgspec.structs.replace(record, tip=commit or base, collected=done))
    (copy.session.repository.common_dir / f"{copy.branch}.lock").unlink(missing_ok=True)
    if not copy.session.move(copy.branch, commit or base, tip, f"attempt {attempt}"):
        raise GitFailed(f"the branch {copy.branch!r} was moved while its work was collected")
    _align(copy, record, snapshot)
    return Work(commit, changes, conflicts, *found, snapshot.tree)


def merged(copy: CopyFolder, attempt: int) -> str:
    """The attempt's commit, if the integration branch holds it."""
    git = copy.session.git
    work, tip = git.commit(copy.branch), git.commit(copy.session.integration)
    return work if work and tip and git.contains(tip, work) and carries(copy, work, attempt) else ""


def disregard(copy: CopyFolder) -> None:
    record = copy.load()
    if not record or not record.collected or not copy.usable(record):
        return
    left = snapshots.as_provided(copy, record, record.collected.tree)
    if left:
        copy.save(msgspec.structs.replace(record, provided={**record.provided, **left}))


def _collected_earlier(copy: CopyFolder, attempt: int, base: str) -> Work:
    """The copy is gone; its branch may hold the work already."""
    git = copy.session.git
    tip = git.commit(copy.branch)
    if not tip or not carries(copy, tip, attempt) or git.commit(f"{tip}^") != base:
        raise Failed(f"there is no working copy at {str(copy.path)!r} to collect from")
    tree = git.text("rev-parse", "--verify", f"{tip}^{{tree}}")
    changes = snapshots.changes(git, base, snapshots.Snapshot(tree, copy.index))
    return Work(tip, changes, (), *trespass.look(copy, None, attempt), tree)


def _keep_own_commits(copy: CopyFolder, record: Record, attempt: int, tips: list[str], base: str) -> None:
    """Commits the agent made become one of ours, which also takes the place of an earlier attempt's."""
    label = f"attempt-{attempt}"
    for commit in dict.fromkeys(tips):
        if commit in {"", base}:
            continue
        if commit == record.tip:
            copy.session.keep(copy.task, commit)
        else:
            copy.session.fence.update(
                f"keep {copy.task}", Update(copy.session.kept(copy.task, label), commit)
            )
            label += "-branch"


def _align(copy: CopyFolder, record: Record, snapshot: snapshots.Snapshot) -> None:
    """Brings HEAD and index of the copy to the commit; its files are what the commit was made of."""
    git = copy.git(record)
    for name in ("index.lock", "HEAD.lock"):
        # Nothing of the run is alive any more, so what it locked stays locked otherwise.
        (git.git_dir / name).unlink(missing_ok=True)
    for name, command in UNDER_WAY.items():
        if (git.git_dir / name).exists():
            # Where it stands, without touching a file. One that git will not end does no harm to the commit.
            with suppress(GitFailed):
                git.run(command, "--quit")
    if (git.git_dir / "HEAD").read_bytes() != f"ref: {copy.branch}\n".encode():
        git.run("symbolic-ref", "HEAD", copy.branch)
    snapshots.keep_index(copy, snapshot)
    installed = git.git_dir / "index.teamlead"
    shutil.copy2(copy.index, installed)
    reach("copy index: written")
    installed.replace(git.git_dir / "index")

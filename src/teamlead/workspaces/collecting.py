"""Collecting makes the lead's one commit of what an agent left, whatever the agent did with git."""

from contextlib import suppress

import msgspec

from teamlead.core.evidence.values import Found
from teamlead.core.model import Change
from teamlead.errors import Failed, GitFailed
from teamlead.workspaces import left_findings, private_git, snapshots, trespass
from teamlead.workspaces.copy_folder import Collected, CopyFolder, CopyRecord
from teamlead.workspaces.fence import Update
from teamlead.workspaces.preparing import carries
from teamlead.workspaces.session_refs import commit_message


def collect(
    copy: CopyFolder, attempt: int, base: str, title: str, summary: str, *, findings: bool = False
) -> Found:
    """`findings`: files of findings are told, and are no work."""
    record = copy.load()
    if not record or not record.ready or not copy.there():
        return _collected_earlier(copy, attempt, base)
    found = trespass.look(copy, attempt)
    private_git.restore(copy, record)
    git = copy.git(record)
    conflicts = snapshots.unmerged(copy, record)
    snapshot = snapshots.take(copy, record)
    left = left_findings.take_out(copy, record, base, snapshot.tree) if findings else None
    if left is not None and left.record != record:
        record = left.record
        snapshot = snapshots.take(copy, record)
    changes = snapshots.changes(git, base, snapshot)
    tip, tree = git.resolve(copy.branch, f"{base}^{{tree}}")
    done = record.collected
    if done and (done.attempt, done.base, done.tree) == (attempt, base, snapshot.tree):
        conflicts = tuple(dict.fromkeys((*done.unmerged, *conflicts)))
        found = trespass.Findings(done.trespasses, done.remarks)
        if tip == (done.commit or base):
            _align(copy, record, snapshot)
            return _found(done.commit, changes, conflicts, found, snapshot.tree, left=left)
    own = [private_git.head(copy), private_git.own_branch(copy), tip]
    _keep_own_commits(copy, record, attempt, own, base)
    commit = ""
    if snapshot.tree != tree:
        message = commit_message(title, summary, copy.session.trailers(copy.task, attempt))
        commit = copy.session.commit_tree(snapshot.tree, [base], message)
    done = Collected(
        attempt=attempt,
        base=base,
        tree=snapshot.tree,
        commit=commit,
        unmerged=conflicts,
        trespasses=found.trespasses,
        remarks=found.remarks,
    )
    # Before the branch moves, so that a crash in between is recognised by the branch alone.
    record = copy.save(msgspec.structs.replace(record, tip=commit or base, collected=done))
    if not copy.session.move(copy.branch, commit or base, tip, f"attempt {attempt}"):
        raise GitFailed(f"the branch {copy.branch!r} was moved while its work was collected")
    _align(copy, record, snapshot)
    return _found(commit, changes, conflicts, found, snapshot.tree, left=left)


def _found(
    commit: str,
    changes: tuple[Change, ...],
    unmerged: tuple[str, ...],
    beyond: trespass.Findings,
    tree: str,
    *,
    left: left_findings.Left | None = None,
) -> Found:
    return Found(
        commit=commit,
        changes=changes,
        unmerged=unmerged,
        trespasses=beyond.trespasses,
        remarks=beyond.remarks,
        tree=tree,
        findings=left.text if left is not None else "",
    )


def merged(copy: CopyFolder, attempt: int) -> str:
    """Returns the attempt's commit if the integration branch holds it, else ""."""
    git = copy.session.git
    work, tip = git.commit(copy.branch), git.commit(copy.session.integration)
    return work if work and tip and git.contains(tip, work) and carries(copy, work, attempt) else ""


def disregard(copy: CopyFolder) -> None:
    record = copy.load()
    if not record or not record.collected or not copy.there():
        return
    left = snapshots.as_provided(copy, record, record.collected.tree)
    if left:
        copy.save(msgspec.structs.replace(record, provided={**record.provided, **left}))


def _collected_earlier(copy: CopyFolder, attempt: int, base: str) -> Found:
    """Finds the work on the task's branch, where the copy is gone already."""
    git = copy.session.git
    tip = git.commit(copy.branch)
    if not tip or not carries(copy, tip, attempt) or git.commit(f"{tip}^") != base:
        raise Failed(f"there is no working copy at {str(copy.path)!r} to collect from")
    tree = git.text("rev-parse", "--verify", f"{tip}^{{tree}}")
    changes = snapshots.changes(git, base, snapshots.Snapshot(tree, copy.index))
    return _found(tip, changes, (), trespass.look(copy, attempt), tree)


def _keep_own_commits(copy: CopyFolder, record: CopyRecord, attempt: int, tips: list[str], base: str) -> None:
    """Keeps the agent's own commits: one of ours takes their place, and that of an earlier attempt."""
    label = f"attempt-{attempt}"
    known = {"", base, record.tip}
    # What is damaged is in nobody's way here. Its copy does not go without it.
    with suppress(GitFailed):
        private_git.bring_home(copy, record, (commit for commit in tips if commit not in known))
    for commit in dict.fromkeys(tips):
        if commit in {"", base} or not copy.session.git.commit(commit):
            continue
        if commit == record.tip:
            copy.session.keep(copy.task, commit)
        else:
            copy.session.fence.update(
                f"keep {copy.task}", Update(copy.session.kept(copy.task, label), commit)
            )
            label += "-branch"


def _align(copy: CopyFolder, record: CopyRecord, snapshot: snapshots.Snapshot) -> None:
    """Brings HEAD and index of the copy to the commit; its files are what the commit was made of."""
    snapshots.keep_index(copy, snapshot)
    private_git.settle(copy, record, copy.index)

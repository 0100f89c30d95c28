"""Removing a copy that is known to be clean, and only that.

Clean: every file in it is in the task's branch, and its HEAD is in that branch or a kept ref. What config
provided and what git ignores (caches, build output) does not count, and goes with the copy.
"""

import msgspec

from teamlead.errors import GitFailed
from teamlead.system.repository import locked
from teamlead.workspaces import snapshots
from teamlead.workspaces.copies import CopyFolder, Record
from teamlead.workspaces.keeping import nested_repositories


def release(copy: CopyFolder) -> str:
    """Removes the copy; returns "" or where it stays because it is not known to be clean."""
    record = copy.load()
    if not copy.path.exists():
        if record and copy.find_registration():
            _remove(copy)
        copy.forget()
        return ""
    if record and not record.ready:
        return _remove_unfinished(copy)
    if not record or not copy.usable(record):
        return str(copy.path)
    try:
        copy.restore_link(record)
        if not _is_clean(copy, record):
            return str(copy.path)
        copy.save(msgspec.structs.replace(record, releasing=True))
        _remove(copy)
    except GitFailed:
        # Unknown counts as dirty.
        return str(copy.path)
    copy.forget()
    return ""


def _remove_unfinished(copy: CopyFolder) -> str:
    with locked(copy.session.repository, "worktrees"):
        if not copy.remove_unfinished():
            return str(copy.path)
    copy.forget()
    return ""


def _remove(copy: CopyFolder) -> None:
    # Forced for the sake of what may go with a clean copy: provided and ignored files, unchanged submodules.
    with locked(copy.session.repository, "worktrees"):
        copy.session.fence.verify()
        copy.session.git.run("worktree", "remove", "--force", str(copy.path))


def _is_clean(copy: CopyFolder, record: Record) -> bool:
    git = copy.git(record)
    tip, head = git.commit(copy.branch), git.commit("HEAD")
    if not tip or not head or not _reachable(copy, head):
        return False
    if snapshots.unmerged(copy, record) and not record.releasing:
        return False
    snapshot = snapshots.take(copy, record)
    snapshot.index_file.unlink()
    left = snapshots.differences(git, tip, snapshot.tree)
    if record.releasing:
        # A removal cut short: what is gone already was found clean before.
        left = {path: entry for path, entry in left.items() if entry[1] != snapshots.ABSENT}
    return (
        not left and not nested_repositories(copy, record, snapshot) and not _submodules_changed(copy, record)
    )


def _reachable(copy: CopyFolder, commit: str) -> bool:
    places = (copy.branch, copy.session.kept())
    return bool(copy.session.git.text("for-each-ref", f"--contains={commit}", "--count=1", *places))


def _submodules_changed(copy: CopyFolder, record: Record) -> bool:
    """Files inside a submodule are in no tree of ours."""
    git = copy.git(record)
    if not (git.git_dir / "modules").is_dir() or record.releasing:
        return False
    entries = git.run("ls-files", "-z", "--stage", index=copy.index).fields
    modules = {field.split(b"\t", 1)[1] for field in entries if field.startswith(snapshots.GITLINK.encode())}
    question = ("status", "--porcelain", "-z", "--ignore-submodules=none", "--untracked-files=no")
    return any(field[3:] in modules for field in git.run(*question, index=copy.index).fields)

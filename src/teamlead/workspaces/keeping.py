"""Keeping what no branch holds, before a copy is made anew."""

from teamlead.errors import Refused
from teamlead.workspaces import snapshots
from teamlead.workspaces.copies import CopyFolder, Record
from teamlead.workspaces.messages import compose


def keep_work(copy: CopyFolder, record: Record) -> None:
    """Everything in the copy, its HEAD and its branch, under one kept ref. Nothing if there is no work.

    Raises Refused for what a commit cannot hold: the inside of a nested repository.
    """
    git = copy.git(record)
    snapshot = snapshots.take(copy, record)
    snapshot.index_file.unlink()
    nested = nested_repositories(copy, record, snapshot)
    if nested:
        raise Refused(
            f"{str(copy.path)!r} holds repositories whose content cannot be kept: {', '.join(nested)}",
            remedy="move them away",
        )
    tips = [tip for tip in (git.commit(copy.branch), git.commit("HEAD")) if tip and tip != record.base]
    if not tips and snapshot.tree == git.text("rev-parse", f"{record.base}^{{tree}}"):
        return
    title = f"Kept from {copy.task} before it started anew"
    message = compose(title, "", copy.session.trailers(copy.task))
    copy.session.keep(copy.task, copy.session.commit_tree(snapshot.tree, tips or [record.base], message))


def nested_repositories(copy: CopyFolder, record: Record, snapshot: snapshots.Snapshot) -> list[str]:
    """Whose commits only the copy has: a tree holds their names, not their content."""
    found = snapshots.differences(copy.git(record), record.base, snapshot.tree)
    links = [
        path.decode(errors="backslashreplace") for path, entry in found.items() if snapshots.GITLINK in entry
    ]
    return [*links, *snapshot.hollow, *(str(path) for path in copy.replaced_links())]

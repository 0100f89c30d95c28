"""Keeping stores what no branch holds, before a copy goes or is made anew.

All of it becomes one commit under `refs/teamlead/kept/<session>/<task>/<n>`:

    tree            the files, as they were on disk
    first parent    what the copy stood on
    other parents   commits that nothing else reaches, and a commit of what git held beside the files
    trailers        session, task, attempt, reason, moment, size, and what the content is known by
"""

import hashlib
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from teamlead.errors import GitFailed, Refused
from teamlead.workspaces import all_files, git_objects, git_state, private_git
from teamlead.workspaces.copy_folder import CopyFolder, CopyRecord
from teamlead.workspaces.kept_work import EMPTY_FOLDERS, Kept, kept_refs
from teamlead.workspaces.session_refs import commit_message

TRIES = 3

Reason = Literal["released", "started anew"]


class Held(NamedTuple):
    """All that a copy holds, stored."""

    files: all_files.Files
    tree: all_files.StoredTree
    state: git_state.GitState


def keep_work(copy: CopyFolder, record: CopyRecord, reason: Reason) -> str:
    """Keeps the copy's work, and returns the ref that holds it; "" if branches hold all of it.

    Raises Refused for what cannot be stored. At the end it reads the disk again, and finds what it kept.
    """
    private_git.restore(copy, record)
    for _ in range(TRIES):
        held = _hold(copy, record, reason)
        commit = _commit(copy, record, reason, held) if _is_work(copy, record, held) else ""
        if all_files.unchanged(copy, held.files) and git_state.surroundings(copy) == held.state.seen:
            return commit and _keep(copy, commit, held)
    raise Refused(f"{str(copy.path)!r} changes while it is being kept", remedy="end what still runs there")


def last_kept(copy: CopyFolder) -> str:
    """Returns the ref of the last release, where somebody asks again for it."""
    refs = [kept for kept in _kept(copy) if kept.reason == "released"]
    return max(refs, key=lambda kept: int(kept.name)).ref if refs else ""


def _hold(copy: CopyFolder, record: CopyRecord, reason: Reason) -> Held:
    files = all_files.look(copy, record)
    tree = all_files.store(copy, record, files)
    # A new start takes the branch away from the work on it.
    without = copy.branch if reason == "started anew" else ""
    return Held(files, tree, git_state.look(copy, record, files, tree, without=without))


def _is_work(copy: CopyFolder, record: CopyRecord, held: Held) -> bool:
    git = copy.session.git
    if held.state.tips:
        return True
    if record.releasing:
        # A removal cut short: what is gone already was safe before.
        left = {*held.tree.entries.items(), *held.state.entries.items()}
        return bool(left - _safe(copy, record))
    names = (copy.branch, held.state.head, record.base)
    trees = git.resolve(*(f"{name}^{{tree}}" for name in names if name))
    return bool(held.state.entries) or held.tree.id not in trees


def _safe(copy: CopyFolder, record: CopyRecord) -> set[tuple[bytes, git_objects.TreeEntry]]:
    git = copy.session.git
    kept = [part for k in _kept(copy) if k.ref == record.kept for part in (k.commit, k.beside) if part]
    places = git.resolve(*(f"{name}^{{tree}}" for name in (copy.branch, record.base, *kept)))
    return {item for tree in places if tree for item in git_objects.read_tree(git, tree).items()}


def _commit(copy: CopyFolder, record: CopyRecord, reason: Reason, held: Held) -> str:
    """Makes the commit, or finds it if the very same was kept before."""
    session, state = copy.session, held.state
    head = state.head or record.base
    parts = [held.tree.id, head, *(f"{path!r} {entry}" for path, entry in sorted(state.entries.items()))]
    content = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    same = [kept.commit for kept in _kept(copy) if kept.content == content]
    if same and not state.tips:
        return same[0]
    beside_it = _commit_beside(copy, head, {**state.entries, **_empty_folders(copy, held)})
    trailers = {
        **session.trailers(copy.task, record.attempt),
        "Teamlead-Reason": reason,
        "Teamlead-Moment": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "Teamlead-Files": str(len(held.files.new) + len(held.files.gone) + len(state.entries)),
        "Teamlead-Bytes": str(sum(held.tree.sizes.values())),
        "Teamlead-Content": content,
        **({"Teamlead-Beside": beside_it} if beside_it else {}),
    }
    parents = [head, *state.tips, *([beside_it] if beside_it else ())]
    message = commit_message(f"Kept from {copy.task}: {reason}", "", trailers)
    return git_objects.commit(session.git, held.tree.id, parents, message)


def _commit_beside(copy: CopyFolder, head: str, entries: git_objects.Entries) -> str:
    if not entries:
        return ""
    git, index = copy.session.git, copy.private / "index.beside"
    index.unlink(missing_ok=True)
    tree = git_objects.write_tree(git, entries, index)
    index.unlink()
    git_objects.require_stored(git, tree, entries, {})
    return git_objects.commit(git, tree, [head], f"Beside the files of {copy.task}\n")


def _empty_folders(copy: CopyFolder, held: Held) -> git_objects.Entries:
    names = [name.rstrip(b"/") for name in held.files.contents.empty]
    return {EMPTY_FOLDERS: git_objects.store_text(copy.session.git, b"\0".join(names))} if names else {}


def _keep(copy: CopyFolder, commit: str, held: Held) -> str:
    """Puts the commit under a ref, and reads it back through the ref."""
    git = copy.session.git
    ref = copy.session.keep(copy.task, commit)
    if git.commit(ref) != commit:
        raise GitFailed(f"{ref!r} does not hold what was put there")
    git_objects.require_stored(git, f"{ref}^{{tree}}", held.tree.entries, held.tree.sizes)
    return ref


def _kept(copy: CopyFolder) -> list[Kept]:
    return kept_refs(copy.session.git, copy.session.kept(copy.task))

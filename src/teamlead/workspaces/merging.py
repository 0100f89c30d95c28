"""Merging commits without a checkout: nobody's HEAD, index or files take part."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.errors import GitFailed, MergeConflict
from teamlead.system.git import Git
from teamlead.system.text import clip, printable
from teamlead.workspaces.refs import log_entries, log_of, read_ref
from teamlead.workspaces.session_refs import INTEGRATION, Session, commit_message

DETAIL = 8000
"""Characters of both sides that a conflict shows."""
TRIES = 20
HUNK = re.compile(r"^<{7} .*?^>{7} [^\n]*$", re.MULTILINE | re.DOTALL)


class Merge(NamedTuple):
    tree: str
    conflicts: tuple[bytes, ...] = ()
    messages: tuple[str, ...] = ()


def merge_trees(git: Git, ours: str, theirs: str) -> Merge:
    """Merges two commits to a tree. With conflicts the tree holds the files with both sides marked."""
    done = git.run("merge-tree", "--write-tree", "-z", "--allow-unrelated-histories", ours, theirs, ok=(0, 1))
    if not done.fields:
        # What it does not find it takes for a conflict.
        raise GitFailed(f"{ours!r} and {theirs!r} cannot be merged: {done.errors}")
    tree, *rest = done.fields
    if done.code == 0:
        return Merge(tree.decode())
    end = rest.index(b"")
    paths = dict.fromkeys(entry.split(b"\t", 1)[1] for entry in rest[:end])
    return Merge(tree.decode(), tuple(paths), tuple(_conflict_messages(rest[end + 1 :])))


def merge_or_raise(git: Git, ours: str, theirs: str, names: tuple[str, str]) -> str:
    """Returns the tree of the merge, or raises a MergeConflict that calls the two sides by `names`."""
    merge = merge_trees(git, ours, theirs)
    if not merge.conflicts:
        return merge.tree
    paths = [path.decode(errors="backslashreplace") for path in merge.conflicts]
    shown = "\n".join([*merge.messages, *(_both_sides(git, merge.tree, path) for path in merge.conflicts)])
    shown = shown.replace(ours, names[0]).replace(theirs, names[1])
    listed = clip(", ".join(paths), 400)
    raise MergeConflict(
        f"{names[1]} conflicts with {names[0]} in {listed}", paths, clip(printable(shown), DETAIL)
    )


def merge_bases(session: Session, task: str, bases: Sequence[str], fallback: str) -> str:
    """Returns one commit that holds all of `bases`, merged in their order."""
    git = session.git
    first, *others = bases or (session.base_commit,)
    tip = first
    for other in others:
        if git.contains(tip, other):
            continue
        if git.contains(other, tip):
            tip = other
            continue
        try:
            tree = merge_or_raise(git, tip, other, ("the dependencies before it", "a dependency"))
        except MergeConflict:
            if fallback and all(git.contains(fallback, base) for base in bases):
                return fallback
            raise
        message = commit_message(f"Merge the dependencies of {task}", "", session.trailers(task))
        tip = session.commit_tree(tree, [tip, other], message)
    return tip


class Tip(NamedTuple):
    commit: str
    tree: str


def integration_tip(session: Session) -> Tip:
    """Returns the integration branch's tip; it starts at the session's base. The caller holds its lock."""
    restore_integration(session)
    names = (session.integration, f"{session.integration}^{{tree}}")
    commit, tree = session.git.resolve(*names)
    if not commit:
        session.move(session.integration, session.base_commit, "", "start")
        commit, tree = session.git.resolve(*names)
    return Tip(commit, tree)


def restore_integration(session: Session, known: str = "") -> str:
    """Brings the integration branch back to where leads left it: nobody would look at what others put there.

    Returns where it is; "" if it is still to be made.

    The caller holds the lock for shared branches. `known`: where it was once, for one that is gone.
    """
    now = read_ref(session.repository.common_dir, session.integration)
    right = session.fence.latest.get(session.integration) or _left_by_a_lead(session) or (now or known)
    if now != right:
        if session.git.commit(now):
            session.keep(INTEGRATION, now)
        session.move(session.integration, right, now, "put back")
    return right


def _left_by_a_lead(session: Session) -> str:
    """Returns where a lead left it, as git's log says; "" if the log says nothing."""
    log = list(log_entries(log_of(session.repository.common_dir, session.integration)))
    led = [entry.new for entry in log if entry.by_a_lead]
    return led[-1] if led else session.base_commit if log else ""


def current_tip(session: Session) -> str:
    with session.refs:
        return integration_tip(session).commit


def integrate(session: Session, task: str, commit: str, title: str) -> str:
    """Makes a merge commit in any case, so that the first-parent history has one entry a task."""
    git = session.git
    message = commit_message(f"Merge {task}: {title}", "", session.trailers(task))
    with session.refs:
        for _ in range(TRIES):
            tip = integration_tip(session)
            tree = merge_or_raise(git, tip.commit, commit, ("the work merged before", task))
            if tree == tip.tree and git.contains(tip.commit, commit):
                return tip.commit
            merged = session.commit_tree(tree, [tip.commit, commit], message)
            if session.move(session.integration, merged, tip.commit, f"merge {task}"):
                return merged
    raise GitFailed(f"the branch {session.integration!r} kept moving while {task} was merged")


def _conflict_messages(fields: list[bytes]) -> Iterator[str]:
    """Each message is: number of paths, the paths, its kind, its text."""
    position = 0
    while position < len(fields):
        kind = position + int(fields[position]) + 1
        if fields[kind].startswith(b"CONFLICT"):
            yield fields[kind + 1].decode(errors="backslashreplace").strip()
        position = kind + 2


def _both_sides(git: Git, tree: str, path: bytes) -> str:
    """Returns the marked hunks of a text file; "" for one without any, such as a file deleted on one side."""
    listed = git.run(
        "--literal-pathspecs", "ls-tree", "-z", tree, "--", path.decode(errors="surrogateescape")
    )
    if not listed.output.startswith(b"100"):
        return ""
    content = git.run("cat-file", "blob", listed.output.split(b"\t")[0].split()[2].decode()).output
    hunks = HUNK.findall(content.decode(errors="replace"))
    return "\n".join([f"--- {path.decode(errors='backslashreplace')}", *hunks]) if hunks else ""

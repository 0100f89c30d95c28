"""An approval brings the integrated work to the user's branch.

A branch that is checked out somewhere moves by a fast-forward merge there, which leaves unrelated changes
alone and refuses where they overlap. Any other branch moves by compare-and-swap.

A merge brings all of its files, or none. git looks for what would be overwritten before it writes the first
file. But where the disk fills up in the middle, it leaves the files it got to, and takes them for the user's
own changes the next time.
"""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import DiskUnusable, GitFailed, MergeConflict, Refused, TeamleadError
from teamlead.ports.workspace import Applied
from teamlead.system.git import Result, as_user
from teamlead.system.locks import inherited
from teamlead.system.repository import locked
from teamlead.workspaces.fence import Update
from teamlead.workspaces.merging import merge_or_raise
from teamlead.workspaces.session_refs import Session, commit_message

ADDED = b"A"
TRIES = 5
UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "BISECT_LOG": "a bisection",
}


class ApprovalRequest(NamedTuple):
    commit: str
    branch: str
    squash: bool
    sign: bool
    message: str

    @property
    def ref(self) -> str:
        return f"refs/heads/{self.branch}"


class WorkingTree(NamedTuple):
    """One working tree of the repository."""

    path: Path
    git_dir: Path
    branch: str

    @property
    def known(self) -> bool:
        """Git takes a git directory that lies elsewhere than its checkout for the checkout itself."""
        return self.path != self.git_dir


def apply(session: Session, request: ApprovalRequest) -> Applied:
    with locked(session.repository, "approval"), session.refs:
        for _ in range(TRIES):
            old = session.git.commit(request.ref)
            if not old:
                raise Refused(
                    f"the branch {request.branch!r} is gone", remedy=f"git branch {request.branch} <commit>"
                )
            # Before anything that may refuse: what is done is done, whatever the user is at now.
            done = applied(session, request)
            if done:
                return done
            where = _checked_out(session, request)
            new = _new_tip(session, request, old)
            _remember(session, request, old, new)
            if _move(session, request, where, old, new):
                return Applied(new, old, _undo(session, request, where, old))
    raise GitFailed(f"the branch {request.branch!r} kept moving while the work was brought to it")


def applied(session: Session, request: ApprovalRequest) -> Applied | None:
    """Returns what an earlier call brought to the branch; None if no call did."""
    tip = session.git.commit(request.ref)
    done = _applied_before(session, request, tip) if tip else None
    if done is None:
        return None
    where = next((tree for tree in _trees(session) if tree.branch == request.ref), None)
    undo = _undo(session, request, where, done.before) if done.before != done.commit else ""
    return Applied(done.commit, done.before, undo)


class Done(NamedTuple):
    commit: str
    before: str


def _remember(session: Session, request: ApprovalRequest, old: str, new: str) -> None:
    """Notes the old tip for the undo, and the new one, since a squash does not show what it holds."""
    session.fence.update(
        f"approve {session.id}",
        Update(session.approvals("before-approval"), old),
        Update(session.approvals("approved", request.commit), new),
    )


def _applied_before(session: Session, request: ApprovalRequest, tip: str) -> Done | None:
    git = session.git
    approved = git.commit(session.approvals("approved", request.commit))
    if approved and git.contains(tip, approved):
        return Done(approved, git.commit(session.approvals("before-approval")) or tip)
    return Done(tip, tip) if git.contains(tip, request.commit) else None


def _new_tip(session: Session, request: ApprovalRequest, old: str) -> str:
    git = session.git
    if not request.squash and not request.sign and git.contains(request.commit, old):
        return request.commit
    tree = _merged(session, request, old)
    if request.squash and tree == git.text("rev-parse", "--verify", f"{old}^{{tree}}"):
        return old
    parents = [old] if request.squash else [old, request.commit]
    title, _, body = request.message.partition("\n")
    message = commit_message(title, body, session.trailers())
    if not request.sign:
        return session.commit_tree(tree, parents, message)
    arguments = [part for parent in parents for part in ("-p", parent)]
    signed = ("commit-tree", "-S", tree, *arguments, "-F", "-")
    try:
        return as_user(session.repository.root, *signed, stdin=message.encode()).text
    except GitFailed as error:
        raise Refused(f"the merge could not be signed: {error}", remedy="approve without --sign") from error


def _merged(session: Session, request: ApprovalRequest, old: str) -> str:
    sides = (f"the branch {request.branch!r}", "the session's work")
    try:
        return merge_or_raise(session.git, old, request.commit, sides)
    except MergeConflict as conflict:
        mine = session.integration.removeprefix("refs/heads/")
        raise MergeConflict(
            conflict.message,
            conflict.paths,
            conflict.detail,
            remedy=f"on {request.branch}: git merge {mine}, resolve it, commit, then approve again",
        ) from conflict


def _move(session: Session, request: ApprovalRequest, where: WorkingTree | None, old: str, new: str) -> bool:
    """Moves the branch, and returns False if somebody else moved it meanwhile."""
    if where is None:
        return session.move(request.ref, new, old, f"approve {session.id}")
    done = fast_forward(where.path, old, new)
    if done.code == 0:
        return True
    if session.git.commit(request.ref) != old:
        return False
    overlapping = [line.strip() for line in done.errors.splitlines() if line.startswith("\t")]
    if not overlapping:
        raise Refused(f"git cannot merge in {str(where.path)!r}: {done.errors[:1000]}")
    raise Refused(
        f"your changes in {str(where.path)!r} overlap with the work: {', '.join(overlapping)}",
        remedy="commit, stash or move them, then approve again",
    )


def _undo(session: Session, request: ApprovalRequest, where: WorkingTree | None, before: str) -> str:
    if where is not None:
        return shlex.join(["git", "-C", str(where.path), "reset", "--keep", before])
    return shlex.join(["git", "-C", str(session.repository.root), "branch", "-f", request.branch, before])


def _checked_out(session: Session, request: ApprovalRequest) -> WorkingTree | None:
    """Finds the working tree that has the branch. Raises Refused where the user is busy in it."""
    holding = []
    for tree in _trees(session):
        busy = next((what for name, what in UNDER_WAY.items() if (tree.git_dir / name).exists()), "")
        if busy and (tree.branch == request.ref or _comes_back_to(tree.git_dir, request)):
            raise Refused(
                f"{busy} of {request.branch!r} is under way in {str(tree.path)!r}",
                remedy="finish or abort it first",
            )
        if tree.branch == request.ref:
            holding.append(tree)
    if not all(tree.known for tree in holding):
        raise Refused(
            f"{request.branch!r} is checked out, but git does not know where: its git directory is "
            f"{str(session.repository.common_dir)!r}",
            remedy="approve in that checkout, or check out another branch there",
        )
    if len(holding) > 1:
        places = ", ".join(repr(str(tree.path)) for tree in holding)
        raise Refused(
            f"{request.branch!r} is checked out in several places: {places}", remedy="leave it in one"
        )
    return holding[0] if holding else None


def _comes_back_to(git_dir: Path, request: ApprovalRequest) -> bool:
    """A rebase or a bisection detaches HEAD and returns to the branch at its end."""
    names = {
        "rebase-merge/head-name": request.ref,
        "rebase-apply/head-name": request.ref,
        "BISECT_START": request.branch,
    }
    return any(
        (git_dir / name).is_file() and (git_dir / name).read_text(errors="replace").strip() == value
        for name, value in names.items()
    )


def _trees(session: Session) -> list[WorkingTree]:
    """Lists the working trees that are still on disk."""
    common_dir = session.repository.common_dir
    found = []
    listed = session.git.run("worktree", "list", "--porcelain", "-z").output
    for block in listed.split(b"\0\0"):
        lines = block.decode(errors="surrogateescape").split("\0")
        values = {key: value for key, _, value in (line.partition(" ") for line in lines)}
        path = Path(values.get("worktree", ""))
        link = path / ".git"
        if not values or "bare" in values:
            continue
        if path == common_dir:
            here = session.repository.git_dir == common_dir
            path, git_dir = session.repository.root if here else path, common_dir
        elif link.exists():
            git_dir = (
                common_dir if link.is_dir() else path / link.read_text().removeprefix("gitdir: ").strip()
            )
        else:
            continue
        found.append(WorkingTree(path, git_dir, values.get("branch", "")))
    return found


def fast_forward(tree: Path, old: str, new: str) -> Result:
    """Merges in a tree that is at `old`, and returns git's answer. Undoes it where the disk fails."""
    touched = _touched(tree, old, new)
    untouched = _untouched(tree, touched)
    options = ("--ff-only", "--no-autostash", "--no-overwrite-ignore", "--no-stat", "--quiet")
    try:
        return as_user(tree, "merge", *options, new, ok=(0, 1, 2, 128), locks=inherited())
    except DiskUnusable as full:
        if untouched:
            _put_back(tree, old, touched, full)
        raise


def _touched(tree: Path, old: str, new: str) -> dict[bytes, bytes]:
    """Lists the paths that the merge writes, each with git's letter for how."""
    fields = as_user(tree, "diff-tree", "-r", "-z", "--no-renames", "--name-status", old, new).fields
    return dict(zip(fields[1::2], fields[::2], strict=True))


def _untouched(tree: Path, touched: Mapping[bytes, bytes]) -> bool:
    """Whether nothing of the user's is at these paths: what is there later is then the merge's."""
    status = as_user(tree, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=no").fields
    added = (os.fsdecode(path) for path, how in touched.items() if how == ADDED)
    return touched.keys().isdisjoint(field[3:] for field in status) and not any(
        os.path.lexists(tree / path) for path in added
    )


def _put_back(tree: Path, old: str, touched: Mapping[bytes, bytes], full: DiskUnusable) -> None:
    try:
        for path, how in touched.items():
            if how == ADDED:
                (tree / os.fsdecode(path)).unlink(missing_ok=True)
        there = b"\0".join(path for path, how in touched.items() if how != ADDED)
        if there:
            listed = ("--pathspec-from-file=-", "--pathspec-file-nul")
            as_user(tree, "--literal-pathspecs", "checkout", "--quiet", old, *listed, stdin=there)
    except (OSError, TeamleadError) as error:
        raise DiskUnusable(
            f"{full.message}; files in {str(tree)!r} were being written and could not be put back: {error}",
            remedy=f"{full.remedy}; before that: git -C {tree} checkout {old[:10]} -- FILES",
        ) from full

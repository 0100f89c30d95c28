"""What an agent changed outside of its copy.

A linked worktree shares refs, configuration and hooks with the user's repository. Nothing stops an agent
there, so it is compared before and after:

| changed | by | then |
| --- | --- | --- |
| a branch, a tag, the stash, HEAD of another working tree | this attempt, says git's log | a trespass |
| the integration branch | nobody who leads | a trespass, and it is put back |
| configuration, hooks, what else steers git | nobody knows | a trespass of all attempts under way |
| a branch or tag is gone or rewound, the stash lost an entry | nobody knows | a remark: perhaps the user |

What is the user's is never put back by us: each sentence names the command that does it.
"""

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import GitFailed
from teamlead.system.environment import address, domain
from teamlead.workspaces import pictures
from teamlead.workspaces.copies import CopyFolder, Record, registered
from teamlead.workspaces.guarding import put_right
from teamlead.workspaces.pictures import Picture
from teamlead.workspaces.reflogs import STASH, entries, log_of, marked
from teamlead.workspaces.refs import OURS, SHARED, read_ref, touched_since

UNKNOWN = "that cannot be ruled out, since the record of how the repository was before is gone"
HARMLESS = re.compile(r"branch\..*|lfs\.repositoryformatversion|lfs\..*\.(access|locksverify)")
"""Settings that ordinary work leaves behind."""
SLACK = 2 * 10**9
"""Nanoseconds by which clocks of file systems may differ."""


class Findings(NamedTuple):
    trespasses: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def note(copy: CopyFolder) -> None:
    """Before an agent comes."""
    pictures.save(copy, pictures.take(copy.session))


def look(copy: CopyFolder, record: Record | None, attempt: int) -> Findings:
    """After it has gone."""
    noted = pictures.load(copy)
    if noted is None:
        return Findings((UNKNOWN,))
    before, when = noted
    after = pictures.take(copy.session)
    mark = address(copy.session.id, copy.task, attempt)
    moves = dict(_moves(copy, record, before, when - SLACK, mark))
    trespasses = [*moves.values(), *_integration(copy, before, mark), *_steering(before, after)]
    return Findings(tuple(trespasses), tuple(_unmarked(copy, before, after, moves.keys())))


def _moves(
    copy: CopyFolder, record: Record | None, before: Picture, since: int, mark: str
) -> Iterator[tuple[str, str]]:
    """What git's logs say that this attempt moved, with a sentence about each."""
    common_dir = copy.session.repository.common_dir
    told = set()
    for ref, _ in touched_since(since, common_dir / "logs", "refs"):
        log = log_of(common_dir, ref)
        moves = marked(log, mark)
        if not moves or _may_move(copy, before, ref, log, mark):
            continue
        old, new = before.refs.get(ref, moves[0].old), moves[-1].new
        if new != old:
            told.add(new)
            yield ref, _moved(ref, old, new)
    trees = [(common_dir, common_dir.parent)]
    trees += [(common_dir / "worktrees" / name, place) for name, place in registered(common_dir)]
    for git_dir, place in trees:
        log = git_dir / "logs/HEAD"
        moves = [move for move in marked(log, mark) if move.new not in told]
        if moves and not (record and git_dir == copy.git_dir(record)) and not _maker(copy, log):
            yield str(place), f"HEAD of the working tree {str(place)!r} was moved to {moves[-1].new}"


def _may_move(copy: CopyFolder, before: Picture, ref: str, log: Path, mark: str) -> bool:
    """Its own branch, one of its own making, or what a fetch brought. Integration is judged apart."""
    if ref in {copy.branch, copy.session.integration} or ref.startswith("refs/remotes/"):
        return True
    if not ref.startswith(SHARED) or ref.startswith(OURS):
        return False
    if ref not in before.refs:
        return True
    # What was there before and was made in this attempt had been deleted in it.
    return _maker(copy, log) not in {"", mark}


def _maker(copy: CopyFolder, log: Path) -> str:
    """The agent of this task that made what the log is about; "" if somebody else did."""
    first = next(entries(log))
    return first.email if not first.old and first.email.endswith(domain(copy.session.id, copy.task)) else ""


def _integration(copy: CopyFolder, before: Picture, mark: str) -> Iterator[str]:
    """Nobody but leads moves it. It may have been put back before, for a merge."""
    session = copy.session
    common_dir, ref = session.repository.common_dir, session.integration
    with session.refs:
        now = read_ref(common_dir, ref)
        right = put_right(session, known=before.integration)
        foreign = [entry for entry in entries(log_of(common_dir, ref), before.logged) if not entry.by_a_lead]
    if any(entry.email == mark or not entry.by_an_agent for entry in foreign) or (
        now != right and not foreign
    ):
        yield f"{ref} was moved to {foreign[-1].new if foreign else now or 'nothing'}, and is back at {right}"


def _steering(before: Picture, after: Picture) -> Iterator[str]:
    """No one is named for these, and no one should change them while agents work."""
    keys = [key for key in _differing(before.settings, after.settings) if not HARMLESS.fullmatch(key)]
    if keys:
        yield f"the repository's configuration was changed, leave that to the user: {', '.join(keys)}"
    files = _differing(before.files, after.files)
    if files:
        yield f"files that steer git were changed, leave them to the user: {', '.join(files)}"


def _unmarked(copy: CopyFolder, before: Picture, after: Picture, moved: Collection[str]) -> Iterator[str]:
    """What may be the user's own doing."""
    for ref, old in before.refs.items():
        new = after.refs.get(ref, "")
        if new != old and ref not in moved and not (new and _leads_to(copy, old, new)):
            yield _moved(ref, old, new)
    for commit in before.stash:
        if commit not in after.stash:
            yield f"the stash lost an entry (the user can put it back: git stash store {commit})"


def _leads_to(copy: CopyFolder, old: str, new: str) -> bool:
    try:
        return copy.session.git.contains(new, old)
    except GitFailed:
        # A tag of something else than a commit.
        return False


def _differing(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def _moved(ref: str, old: str, new: str) -> str:
    if ref == STASH:
        return f"the stash got an entry, {new} (the user can remove it: git stash drop)"
    undo = f"git update-ref {ref} {old} {new}".rstrip() if old else f"git update-ref -d {ref} {new}"
    return f"{ref} was moved from {old or 'nothing'} to {new or 'nothing'} (the user can put it back: {undo})"

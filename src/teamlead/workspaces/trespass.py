"""What an agent changed outside of its copy.

A copy has a git directory of its own, where its agent does with git as it likes. But without a room nothing
stops an agent from going to the user's repository, so that is compared before and after:

| changed | by | then |
| --- | --- | --- |
| a branch, a tag, the stash, HEAD of a working tree | this attempt, says git's log | a trespass |
| the integration branch | nobody who leads | a trespass, and it is put back |
| hooks, what else steers git, a setting that runs code | nobody knows | a trespass of all under way |
| another setting; a branch is gone or rewound, the stash lost an entry | nobody knows | a remark |

This is about the attempt's work. What becomes of the change itself is for `repository_watch` to remember, and
for the user to decide: nothing of theirs is put back unasked.
"""

import shlex
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from teamlead.errors import GitFailed
from teamlead.system.environment import address
from teamlead.workspaces.belongings import (
    CONFIGURATIONS,
    is_setting,
    places,
    read,
    settings_in,
    survey,
    unreadable,
)
from teamlead.workspaces.copy_folder import CopyFolder
from teamlead.workspaces.merging import restore_integration
from teamlead.workspaces.noted_changes import LOST, RefMove
from teamlead.workspaces.odd_names import name_as_text, name_from_text
from teamlead.workspaces.reference_state import logs_of
from teamlead.workspaces.refs import (
    OURS,
    STASH,
    USERS,
    log_entries,
    log_of,
    moves_by,
    read_ref,
    touched_since,
)
from teamlead.workspaces.repository_watch import Watch
from teamlead.workspaces.risky_settings import ORDINARY, Branches, risky
from teamlead.workspaces.session_refs import Session

UNKNOWN = "that cannot be ruled out, since the record of how the repository was before is gone"
SLACK = 2 * 10**9
"""Nanoseconds by which clocks of file systems may differ."""


class RepositorySnapshot(msgspec.Struct, frozen=True):
    """The user's repository as it was at one moment."""

    belongings: dict[str, str]
    integration: str
    logged: int
    """How far git's log of the integration branch went."""

    @classmethod
    def take(cls, session: Session) -> Self:
        common_dir = session.repository.common_dir
        log = log_of(common_dir, session.integration)
        return cls(
            survey(session.repository),
            read_ref(common_dir, session.integration),
            log.stat().st_size if log.exists() else 0,
        )

    @property
    def refs(self) -> dict[str, str]:
        return {name: value for name, value in self.belongings.items() if name.startswith(USERS)}

    @property
    def stash(self) -> list[str]:
        return self.belongings.get(STASH, "").split()

    def differing(self, other: "RepositorySnapshot", which: Callable[[str], bool]) -> list[str]:
        names = sorted(self.belongings.keys() | other.belongings.keys())
        return [name for name in names if which(name) and self.get(name) != other.get(name)]

    def get(self, name: str) -> str:
        return self.belongings.get(name, "")


class Findings(NamedTuple):
    trespasses: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def note(copy: CopyFolder, attempt: int) -> None:
    """Before an agent comes."""
    picture = RepositorySnapshot.take(copy.session)
    # Not worth waiting for the disk: one that is torn counts as none, and none as unknown.
    _noted_in(copy).write_bytes(msgspec.json.encode(picture))
    if not copy.session.held(copy.task):
        Watch.of(copy.session).begin(copy.task, attempt, picture.belongings)


def look(copy: CopyFolder, attempt: int) -> Findings:
    """After it has gone."""
    noted = _noted(copy)
    if noted is None:
        return Findings((UNKNOWN,))
    before, when = noted
    after = RepositorySnapshot.take(copy.session)
    differing = {change.name for change in Watch.of(copy.session).look(after.belongings)}
    mark = address(copy.session.id, copy.task, attempt)
    moves = list(_moves(copy, before, when - SLACK, mark))
    elsewhere = [move for move in moves if not move.ref.startswith((*USERS, *OURS, STASH))]
    Watch.of(copy.session).note_moves(elsewhere, f"{copy.task} (attempt {attempt})")
    broken = unreadable(after.belongings)
    settings = [name for name in before.differing(after, is_setting) if not name.startswith(broken)]
    files = before.differing(after, _steers)
    if LOST not in differing:
        # What the user has put back, or taken as it is, in the meantime is no one's trespass.
        settings, files = ([name for name in names if name in differing] for names in (settings, files))
    risks = set(_risks(copy, before, settings))
    told = [_moved(*move) for move in moves]
    trespasses = [*told, *_switched(copy, before, after, mark), *_integration(copy, before, mark)]
    trespasses += _of_settings([name for name in settings if name in risks], ", leave that to the user")
    trespasses += _of_files(files)
    remarks = [*_unmarked(copy, before, after, [move.ref for move in moves])]
    remarks += _of_settings([name for name in settings if name not in risks and not _ordinary(name)], "")
    return Findings(tuple(trespasses), tuple(remarks))


def _noted(copy: CopyFolder) -> tuple[RepositorySnapshot, int] | None:
    """With the time it was taken, by the file system's clock. None where there is none that can be read."""
    try:
        picture = msgspec.json.decode(_noted_in(copy).read_bytes(), type=RepositorySnapshot)
        return picture, _noted_in(copy).stat().st_mtime_ns
    except (OSError, msgspec.DecodeError):
        return None


def _noted_in(copy: CopyFolder) -> Path:
    return copy.private / "picture.json"


def _moves(copy: CopyFolder, before: RepositorySnapshot, since: int, mark: str) -> Iterator[RefMove]:
    """Of the refs that this attempt moved, as git's logs say."""
    common_dir = copy.session.repository.common_dir
    for ref, _ in touched_since(since, common_dir / "logs", "refs"):
        moves = moves_by(log_of(common_dir, ref), mark)
        if not moves or ref == copy.session.integration:
            continue
        name = name_as_text(ref)
        old, new = before.belongings.get(name, moves[0].old), moves[-1].new
        if new != old:
            yield RefMove(name, old, new)


def _switched(
    copy: CopyFolder, before: RepositorySnapshot, after: RepositorySnapshot, mark: str
) -> Iterator[str]:
    """Working trees of the user's that are elsewhere now, by this attempt's hand."""
    common_dir = copy.session.repository.common_dir
    for name, place in places(copy.session.repository):
        old, new = (picture.get(name_as_text(name)).removeprefix("ref: ") for picture in (before, after))
        if new != old and any(moves_by(common_dir / log, mark) for log in logs_of(name)):
            yield f"HEAD of the working tree {str(place)!r} was moved from {old or 'nothing'} to {new}"


def _integration(copy: CopyFolder, before: RepositorySnapshot, mark: str) -> Iterator[str]:
    """Nobody but leads moves it. It may have been put back before, for a merge."""
    session = copy.session
    common_dir, ref = session.repository.common_dir, session.integration
    with session.refs:
        now = read_ref(common_dir, ref)
        right = restore_integration(session, known=before.integration)
        foreign = [
            entry for entry in log_entries(log_of(common_dir, ref), before.logged) if not entry.by_a_lead
        ]
    if any(entry.email == mark or not entry.by_an_agent for entry in foreign) or (
        now != right and not foreign
    ):
        yield f"{ref} was moved to {foreign[-1].new if foreign else now or 'nothing'}, and is back at {right}"


def _steers(name: str) -> bool:
    """A file, or a configuration that git cannot read any more."""
    return not is_setting(name) and not name.startswith(("refs/", "worktrees/")) and name != "HEAD"


def _risks(copy: CopyFolder, before: RepositorySnapshot, changed: list[str]) -> Iterator[str]:
    """No one is named for these, and no one should change them while agents work."""
    common_dir = copy.session.repository.common_dir
    branches = Branches(common_dir, before.belongings)
    for file in CONFIGURATIONS:
        prefix = f"{file}:"
        keys = {
            name_from_text(name).removeprefix(prefix) for name in before.belongings if name.startswith(prefix)
        }
        names = [name for name in changed if name.startswith(prefix)]
        after = settings_in(read(common_dir / file)) if names else {}
        for name in names:
            if risky(name_from_text(name).removeprefix(prefix), keys, after, branches):
                yield name


def _ordinary(name: str) -> bool:
    return ORDINARY.fullmatch(name.partition(":")[2]) is not None


def _of_settings(names: list[str], wish: str) -> Iterator[str]:
    if names:
        keys = ", ".join(dict.fromkeys(name.partition(":")[2] for name in names))
        yield f"the repository's configuration was changed{wish}: {keys}"


def _of_files(names: list[str]) -> Iterator[str]:
    if names:
        yield f"files that steer git were changed, leave them to the user: {', '.join(names)}"


def _unmarked(
    copy: CopyFolder, before: RepositorySnapshot, after: RepositorySnapshot, moved: Collection[str]
) -> Iterator[str]:
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


def _moved(ref: str, old: str, new: str) -> str:
    if ref == STASH:
        return f"the stash got an entry, {new} (the user can remove it: git stash drop)"
    name = _in_a_shell(ref)
    undo = f"git update-ref {name} {old} {new}".rstrip() if old else f"git update-ref -d {name} {new}"
    return f"{ref} was moved from {old or 'nothing'} to {new or 'nothing'} (the user can put it back: {undo})"


def _in_a_shell(ref: str) -> str:
    """Somebody may copy it there, and an agent has chosen the name."""
    return shlex.quote(ref) if name_from_text(ref) == ref else "$'{}'".format(ref.replace("'", r"\'"))

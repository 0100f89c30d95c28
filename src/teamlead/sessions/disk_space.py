"""Whether there is disk space for work: on the disk of the state folder and on that of the repository."""

from collections.abc import Callable
from typing import NamedTuple

from teamlead.core.state.team_state import TeamState
from teamlead.errors import GitFailed, Refused
from teamlead.system.disk import MEGABYTE, DiskSpace, disk_space, megabytes, unusable
from teamlead.system.repository import Repository

MEASURING = 2.0
"""Seconds. A repository that is too large for that is not measured: what is left is watched all the same."""
FILES = 1000
"""That stay free beside those of the working copies."""


class Size(NamedTuple):
    bytes: int = 0
    files: int = 0


def watch_disk_space(repository: Repository, min_free_space: int) -> Callable[[], None]:
    """For a leader, before it starts anything: raises DiskUnusable where less is free than should be."""

    def require() -> None:
        for found in _spaces(repository) if min_free_space else ():
            if found.read_only or found.free < min_free_space * MEGABYTE:
                what = (
                    f"too little disk space to go on: {min_free_space} MB should stay free (min_free_space)"
                )
                raise unusable(what, found.place)

    return require


def require_disk_space(repository: Repository, commit: str, copies: int, min_free_space: int) -> None:
    """Raises Refused where that many working copies of a commit would not leave what should stay free."""
    if not min_free_space:
        return
    size = _size(repository, commit) if copies else Size()
    first, *others = _spaces(repository)
    _require(first, Size(size.bytes * copies, size.files * copies), copies, min_free_space)
    for other in others:
        _require(other, Size(), 0, min_free_space)


def require_disk_space_to_resume(repository: Repository, state: TeamState, min_free_space: int) -> None:
    """Once it was led, a session has some of its copies already; what is settled needs none."""
    if state.stage is not None:
        copies = max(0, min(state.session.limits.jobs, state.unsettled) - len(state.copies))
        require_disk_space(repository, state.session.base_commit, copies, min_free_space)


def _spaces(repository: Repository) -> list[DiskSpace]:
    """Of the copies first. One, if both places are on one file system."""
    found = [disk_space(repository.state_dir), disk_space(repository.common_dir)]
    return list({each.device: each for each in reversed(found)}.values())[::-1]


def _size(repository: Repository, commit: str) -> Size:
    question = ("ls-tree", "-r", "--format=%(objectsize)", commit)
    try:
        sizes = repository.git().run(*question, within=MEASURING).text.split()
    except GitFailed:
        return Size()
    return Size(sum(int(size) for size in sizes if size.isdigit()), len(sizes))


def _require(found: DiskSpace, needed: Size, copies: int, min_free_space: int) -> None:
    floor = min_free_space * MEGABYTE
    enough_files = found.files is None or found.files >= needed.files + FILES
    if found.free >= needed.bytes + floor and enough_files and not found.read_only:
        return
    wanted = f"{min_free_space} MB should stay free (min_free_space)"
    if copies:
        wanted = (
            f"{copies} working copies need {megabytes(needed.bytes)} ({needed.files} files), and {wanted}"
        )
    raise Refused(
        f"too little disk space: {found}; {wanted}",
        remedy="free some space, perhaps with `teamlead clean`; or choose fewer --jobs,"
        " a lower min_free_space, or another disk with XDG_STATE_HOME",
    )

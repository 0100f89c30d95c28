"""A disk that takes nothing more, from any write on: a clean stop, and with room again the same result."""

import os
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.flows.conftest import user
from tests.flows.support import Ended, Project, run, write

from teamlead.system.faults import VARIABLE

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
SHARDS = 4
ERRORS = {"ENOSPC": "No space left on device", "EROFS": "Read-only file system"}
HARMLESS = ("file events.ndjson", "file session.json", "file report.md", "lease release")
"""Nothing is lost with what is written here, so nobody stops for it."""


class Point(NamedTuple):
    error: str
    name: str
    number: int

    @property
    def fault(self) -> str:
        return f"{self.error} {self.name}#{self.number}+"


def told(project: Project) -> Project:
    project.has_repository()
    project.task(1, [write("one.txt", "1\n")], checks=["test -f one.txt"])
    return project.task(2, [run("cp one.txt two.txt")], after=[1])


def start(project: Project, fault: str) -> Ended:
    project.environment[VARIABLE] = fault
    ended = project.start("--jobs", "1", "--approve")
    del project.environment[VARIABLE]
    return ended


def points(folder: Path) -> list[Point]:
    """Before every write of an undisturbed run; by default one of each kind, the two errors in turn."""
    folder.mkdir()
    with user(folder) as project:
        assert start(told(project), f"record {folder}/points").code == 0
        names = (folder / "points").read_text().splitlines()
    counts = Counter(n for n in names if not n.endswith(": after") and not n.startswith("start "))
    assert len(counts) > 20
    if SIZE > 1:
        return [Point(e, name, k + 1) for e in ERRORS for name, n in counts.items() for k in range(n)]
    errors = [*ERRORS] * len(counts)
    return [Point(e, name, (n + 1) // 2) for e, (name, n) in zip(errors, counts.items(), strict=False)]


def stopped_cleanly(ended: Ended, point: Point) -> None:
    assert "Traceback" not in ended.err, point
    assert "fault of teamlead" not in ended.err, point
    if point.name.startswith(HARMLESS):
        assert ended.code in {0, 1, 3}, (point, ended.err)
        return
    assert ended.code in {1, 3}, (point, ended.err)
    shown = ended.err + ended.out
    assert ERRORS[point.error] in shown, (point, shown)
    assert "make room" in shown or "make it writable" in shown, (point, shown)


def finished(project: Project) -> None:
    """The session goes on to its end, or is started if there is none yet."""
    if not project.sessions:
        assert project.start("--jobs", "1", "--approve").code == 0
    elif project.status()["session"]["phase"] != "DONE":
        ended = project.teamlead("resume")
        assert ended.code in {0, 3}, ended.err
        if ended.code == 3:
            assert project.teamlead("approve").code == 0


def whole(project: Project) -> None:
    assert set(project.files("main")) == {"README.md", "shared.txt", "one.txt", "two.txt"}
    assert project.content("main", "two.txt") == "1"
    assert project.git("status", "--porcelain") == ""
    assert project.copies() == []
    assert project.processes() == {}
    for number in (1, 2):
        *before, last = project.outcomes(number)
        assert last == "accepted"
        assert set(before) <= {"lost", "interrupted"}, "nobody is blamed for the disk"
        merges = project.git("log", "--first-parent", "--format=%s", project.integration)
        assert merges.count(f"Merge task-{number}:") == 1


@pytest.mark.timeout(120 * SIZE * SIZE)
@pytest.mark.parametrize("shard", range(SHARDS))
def test_the_disk_may_be_full_from_any_write_on(tmp_path: Path, shard: int) -> None:
    for number, point in enumerate(points(tmp_path / "undisturbed")[shard::SHARDS]):
        folder = tmp_path / str(number)
        folder.mkdir()
        with user(folder) as project:
            stopped_cleanly(start(told(project), point.fault), point)
            assert project.processes() == {}, point
            finished(project)
            whole(project)

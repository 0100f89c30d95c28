"""A disk that takes nothing more, from any write on: a clean stop, and with room again the same result."""

import os
import shutil
import subprocess
import sys
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
HARMLESS = (
    *("file events.ndjson", "file session.json", "file report.md", "file active-session.json"),
    *("file of ", "files of tickets", "lease release"),
)
"""Nothing is lost with what is written here, so nobody stops for it."""


class Point(NamedTuple):
    error: str
    name: str
    number: int

    @property
    def fault(self) -> str:
        return f"{self.error} {self.name}#{self.number}+"


def told(project: Project) -> Project:
    # What is exposed counts for the names of what is remembered: here they are the same in every folder.
    project.has_repository().settings("", expose=False)
    project.task(1, [write("one.txt", "1\n")], checks=["test -f one.txt"])
    return project.task(2, [run("cp one.txt two.txt")], after=[1])


def with_fault(project: Project, fault: str, *arguments: str | Path) -> Ended:
    project.environment[VARIABLE] = fault
    ended = project.teamlead(*arguments)
    del project.environment[VARIABLE]
    return ended


def start(project: Project, fault: str = "") -> Ended:
    agent = f"scripted:{project.script}"
    return with_fault(project, fault, "start", project.plan, "--agent", agent, "--jobs", "1", "--approve")


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> list[Point]:
    """Before every write of an undisturbed run; by default one of each kind, the two errors in turn."""
    folder = tmp_path_factory.mktemp("undisturbed")
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
    assert "free some space" in shown or "make it writable" in shown, (point, shown)


def finished(project: Project) -> None:
    """The session goes on to its end, or is started if there is none yet."""
    if not project.sessions:
        assert start(project).code == 0
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
    project.require_nothing_runs()
    for number in (1, 2):
        *before, last = project.outcomes(number)
        assert last == "accepted"
        assert set(before) <= {"lost", "interrupted"}, "nobody is blamed for the disk"
        merges = project.git("log", "--first-parent", "--format=%s", project.integration)
        assert merges.count(f"Merge task-{number}:") == 1


@pytest.mark.timeout(600 * SIZE)
@pytest.mark.parametrize("shard", range(SHARDS))
def test_the_disk_may_be_full_from_any_write_on(tmp_path: Path, points: list[Point], shard: int) -> None:
    for number, point in enumerate(points[shard::SHARDS]):
        folder = tmp_path / str(number)
        folder.mkdir()
        with user(folder) as project:
            stopped_cleanly(start(told(project), point.fault), point)
            project.require_nothing_runs()
            finished(project)
            whole(project)


def test_a_planted_failure_that_blames_the_agent_is_caught(project: Project) -> None:
    """The control: what `whole` looks for would be seen."""
    project.task(1, [{"fail": "no space"}], [write("one.txt", "1\n")])
    project.task(2, [run("cp one.txt two.txt")], after=[1])
    assert project.start("--jobs", "1", "--approve").code == 0
    with pytest.raises(AssertionError, match="nobody is blamed"):
        whole(project)


@pytest.mark.parametrize("command", ["approve", "cancel", "reject"])
def test_a_command_on_a_full_disk_is_refused_with_a_clear_message_and_changes_nothing(
    home: Project, command: str
) -> None:
    told(home)
    assert home.start().code == 3
    before = home.events()
    ended = with_fault(home, "ENOSPC inbox put: before#1+", command)
    assert (ended.code, "inbox.db': [Errno 28] No space left on device" in ended.err) == (1, True)
    assert "free some space" in ended.err
    assert home.events() == before
    assert home.teamlead("approve").code == 0


def test_a_command_that_only_its_inbox_could_take_is_applied_with_the_next(home: Project) -> None:
    told(home)
    assert home.start().code == 3
    ended = with_fault(home, "ENOSPC journal commit: before#1+", "reject")
    assert ended.code == 1
    assert "Your command is in the inbox, and will be applied then" in ended.err
    assert home.teamlead("resume").code == 0
    assert home.happened("PhaseChanged", phase="REJECTED")


def test_a_session_that_would_not_leave_enough_room_is_refused(home: Project) -> None:
    told(home).settings("min_free_space = 1_000_000\n")
    refused = home.start()
    assert refused.code == 5
    assert "too little disk space" in refused.err
    assert "1000000 MB should stay free (min_free_space)" in refused.err
    assert home.sessions == []


def test_what_needs_no_room_goes_on_without(home: Project) -> None:
    assert told(home).start().code == 3
    home.settings("min_free_space = 1_000_000\n")
    assert home.teamlead("resume").code == 3
    assert home.teamlead("approve").code == 0


def mountable() -> bool:
    """Whether a small disk of one's own can be had here, without special rights."""
    if not shutil.which("unshare"):
        return False
    tried = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not mountable(), reason="no small disk can be mounted here")
@pytest.mark.parametrize("left", [0, 60_000, 150_000, 300_000])
def test_a_disk_that_is_really_full(tmp_path: Path, left: int) -> None:
    story = Path(__file__).with_name("really_full.py")
    command = ["unshare", "-rm", sys.executable, str(story), str(tmp_path), str(left)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr

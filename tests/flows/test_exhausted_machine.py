"""A machine out of processes, descriptors or memory: work waits, is told as that, and goes on by itself."""

import errno
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.flows.conftest import user
from tests.flows.support import ROOMLESS, Ended, Project, write
from tests.flows.test_full_disk import start, told, whole, with_fault

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
ERRORS = ("EAGAIN", "EMFILE", "ENFILE", "ENOMEM")
BEFORE_ITS_LEADER_LEADS = ("git symbolic-ref", "git hash-object")
APPROVAL = "git merge: before"
"""The user's own branch: what fails there is told, and the approval may be given again."""


class Point(NamedTuple):
    error: str
    name: str
    number: int

    @property
    def fault(self) -> str:
        return f"{self.error} {self.name}#{self.number}"


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> list[Point]:
    """Before each kind of start of an undisturbed run; the four errors in turn."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with user(folder) as project:
        assert start(told(project), f"record {folder}/points").code == 0
        names = (folder / "points").read_text().splitlines()
    starts = (name for name in names if name.startswith(("start ", "git ")) and name.endswith(": before"))
    counts = Counter(name for name in starts if not name.startswith(BEFORE_ITS_LEADER_LEADS))
    assert len(counts) > 8
    if SIZE > 1:
        return [Point(error, name, k + 1) for error in ERRORS for name, n in counts.items() for k in range(n)]
    return [
        Point(ERRORS[place % len(ERRORS)], name, (n + 1) // 2)
        for place, (name, n) in enumerate(counts.items())
    ]


def held(project: Project) -> list[str]:
    """Why nothing was started, each time."""
    events = [event["body"] for event in project.events() if event["kind"] == "AgentHeld"]
    assert {event["kind"] for event in events} <= {"machine"}
    return [event["reason"] for event in events]


def blameless(project: Project, *numbers: int) -> bool:
    return all(project.outcomes(number) == ["accepted"] for number in numbers)


@pytest.mark.timeout(600 * SIZE)
def test_whatever_cannot_be_started_is_started_later_and_no_attempt_is_burnt(
    tmp_path: Path, points: list[Point]
) -> None:
    for number, point in enumerate(points):
        folder = tmp_path / str(number)
        folder.mkdir()
        with user(folder) as project:
            ended = start(told(project), point.fault)
            why = os.strerror(getattr(errno, point.error))
            assert "Traceback" not in ended.err, point
            if point.name == APPROVAL:
                assert why in ended.err, (point, ended.err)
                assert ended.code == 3, (point, ended.err)
                assert project.teamlead("approve").code == 0
            else:
                assert ended.code == 0, (point, ended.err)
                assert "machine is on hold until " in ended.err, (point, ended.err)
                assert any(why in reason for reason in held(project)), point
            whole(project)
            assert blameless(project, 1, 2), point


@pytest.mark.parametrize("point", BEFORE_ITS_LEADER_LEADS)
def test_a_start_that_the_machine_does_not_allow_says_so_and_what_to_do(home: Project, point: str) -> None:
    refused = start(told(home), f"EAGAIN {point}: before#1")
    assert refused.code == 1
    assert "Resource temporarily unavailable" in refused.err
    assert "out of processes, descriptors or memory (`ulimit -a`)" in refused.err
    assert "Traceback" not in refused.err
    ended = home.teamlead("resume") if home.sessions else start(home)
    assert ended.code in {0, 3}, ended.err
    assert blameless(home, 1, 2)


def test_status_and_watch_tell_what_is_waited_for(home: Project) -> None:
    home.has_repository().task(1, [write("a.txt", "a\n")])
    assert (
        with_fault(
            home, "ENFILE start python: before#1", "start", home.plan, "--agent", f"scripted:{home.script}"
        ).code
        == 3
    )
    (reason,) = held(home)
    assert "cannot start" in reason
    assert reason.startswith("Too many open files in system: ")
    watched = home.teamlead("watch").out
    assert "machine is on hold until " in watched
    (hold,) = home.status()["session"]["holds"]
    assert (hold["agent"], hold["reason"], hold["strikes"]) == ("machine", reason, 1)


def limited(project: Project, limit: str, *arguments: str | Path) -> Ended:
    """The program itself, under a limit of the system."""
    command = ["sh", "-c", f'{limit}; exec "$0" -m teamlead "$@"', sys.executable, *map(str, arguments)]
    done = subprocess.run(
        command, cwd=project.root, env=project.environment, capture_output=True, text=True, check=False
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def test_a_leader_really_out_of_descriptors_lets_its_agents_wait_for_each_other(home: Project) -> None:
    home.has_repository()
    for number in range(1, 7):
        home.task(number, [{"sleep": 0.5}, write(f"{number}.txt", "x\n")])
    ended = limited(
        home,
        "ulimit -n 48",
        "start",
        home.plan,
        "--agent",
        f"scripted:{home.script}",
        "--jobs",
        "6",
        "--approve",
    )
    assert ended.code == 0, ended.err
    assert any("Too many open files" in reason for reason in held(home))
    assert blameless(home, *range(1, 7))
    assert {f"{number}.txt" for number in range(1, 7)} <= set(home.files("main"))


def test_a_leader_takes_all_descriptors_it_may_have_and_its_agents_and_checks_do_not(home: Project) -> None:
    # From a room the leader cannot be seen.
    home.has_repository().settings(ROOMLESS)
    up = "set -- $(cat /proc/$pid/stat); pid=$4"
    leader = f'pid=$PPID; while ! grep -qz "^start$" /proc/$pid/cmdline; do {up}; done'
    look = f"{leader}; grep 'open files' /proc/$pid/limits > leader.txt; ulimit -Sn > own.txt"
    home.task(1, [{"run": look}], checks=["test $(ulimit -Sn) = 200"])
    ended = limited(
        home, "ulimit -Sn 200", "start", home.plan, "--agent", f"scripted:{home.script}", "--approve"
    )
    assert ended.code == 0, ended.err
    assert home.content("main", "own.txt") == "200"
    *_, soft, hard, _ = home.content("main", "leader.txt").split()
    assert soft == hard != "200"

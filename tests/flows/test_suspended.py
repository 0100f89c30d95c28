"""A leader that is stopped for a while, and a machine that is kept from sleeping."""

import os
import signal
import time
from pathlib import Path

from tests.flows.support import HANG, Project, Running, say, touch, until, wait_for, write

TIMEOUT = 2.0


def stopped(leader: Running) -> bool:
    return "T (stopped)" in Path(f"/proc/{leader.pid}/status").read_text()


def stop_beyond_the_timeout(leader: Running) -> None:
    leader.send(signal.SIGSTOP)
    until(lambda: stopped(leader), "the leader is stopped")
    end = time.monotonic() + 3 * TIMEOUT
    until(lambda: time.monotonic() > end, "the time-out would have passed")


def test_what_an_agent_said_while_its_leader_was_stopped_counts(project: Project) -> None:
    project.settings(f"retry_delay = 0\nidle_timeout = {TIMEOUT}\nattempts = 1\n")
    at_work, go_on = project.barrier("at work"), project.barrier("go on")
    project.task(1, [touch(at_work), wait_for(go_on), say("still here"), write("one.txt", "1\n")])
    leader = project.start_in_background()
    until(at_work.exists, "the agent is at work")
    stop_beyond_the_timeout(leader)
    go_on.touch()
    os.kill(leader.pid, signal.SIGCONT)
    assert leader.end().code == 3
    assert project.outcomes(1) == ["accepted"]


def test_an_agent_is_not_ended_because_its_leader_was_stopped(project: Project) -> None:
    project.settings(f"retry_delay = 0\nhard_timeout = {2 * TIMEOUT}\nattempts = 1\n")
    at_work, go_on = project.barrier("at work"), project.barrier("go on")
    project.task(1, [touch(at_work), wait_for(go_on), write("one.txt", "1\n")])
    leader = project.start_in_background()
    until(at_work.exists, "the agent is at work")
    stop_beyond_the_timeout(leader)
    os.kill(leader.pid, signal.SIGCONT)
    go_on.touch()
    assert leader.end().code == 3
    assert project.outcomes(1) == ["accepted"]


def test_a_command_says_that_it_waits_for_a_leader_that_is_stopped(project: Project) -> None:
    at_work = project.barrier("at work")
    project.task(1, [touch(at_work), HANG])
    leader = project.start_in_background()
    until(at_work.exists, "the agent is at work")
    leader.send(signal.SIGSTOP)
    until(lambda: stopped(leader), "the leader is stopped")
    cancelling = project.background("cancel", "--now").says("does not answer yet")
    os.kill(leader.pid, signal.SIGCONT)
    assert cancelling.end().code == 0
    assert leader.end().code == 1


def with_inhibitor(project: Project) -> Path:
    """Puts a stand-in for systemd-inhibit on the PATH; the file it returns exists while it holds."""
    folder, held = project.place / "bin", project.place / "held"
    folder.mkdir()
    program = folder / "systemd-inhibit"
    program.write_text(f"#!/bin/sh\necho $$ > {held}\nfor last; do :; done\n$last\n")
    program.chmod(0o755)
    project.environment["PATH"] = f"{folder}:{project.environment['PATH']}"
    return held


def awake(project: Project) -> bool:
    return any("systemd-inhibit" in command for command in project.processes().values())


def test_the_machine_is_kept_awake_while_agents_work_and_no_longer(project: Project) -> None:
    held = with_inhibitor(project)
    go_on = project.barrier("go on")
    project.task(1, [wait_for(go_on), {"ask": "Which colour?", "options": []}])
    leader = project.start_in_background("--wait")
    until(lambda: held.exists() and held.read_text(), "it is held")
    assert awake(project)
    go_on.touch()
    until(lambda: project.happened("EscalationRaised"), "the question is asked")
    until(lambda: not awake(project), "the machine may sleep while a person is waited for")
    assert not leader.over
    leader.send(signal.SIGINT)
    leader.end()


def test_nothing_keeps_the_machine_awake_behind_a_leader_that_was_killed(project: Project) -> None:
    held = with_inhibitor(project)
    project.task(1, [HANG])
    leader = project.start_in_background()
    until(lambda: held.exists() and held.read_text(), "it is held")
    leader.send(signal.SIGKILL).end()
    until(lambda: not awake(project), "it has ended with its leader")


def test_who_does_not_want_it_is_not_kept_awake(project: Project) -> None:
    held = with_inhibitor(project)
    project.settings("keep_awake = false\n")
    project.task(1, [write("one.txt", "1\n")])
    assert project.start().code == 3
    assert not held.exists()

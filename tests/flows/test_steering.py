"""One task of a session is paused, tried again, skipped or given to another agent; others are put in."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.core.support import SIZE
from tests.flows.support import (
    CRASH,
    HANG,
    Ended,
    Project,
    Running,
    ask,
    fail,
    run,
    touch,
    until,
    wait_for,
    write,
)

HALF = write("half.txt", "half\n")
WHOLE = [run("test -f half.txt"), write("one.txt", "1\n")]
"""Of an attempt that goes on from what the one before it left."""


def begins_and_hangs(project: Project) -> list[dict[str, Any]]:
    return [HALF, touch(project.barrier("at work")), HANG]


def lead_until_at_work(project: Project, *options: str) -> Running:
    leader = project.start_in_background(*options)
    until(lambda: project.barrier("at work").exists() or leader.over, "the agent is at work")
    assert not leader.over, leader.err
    return leader


def quick_to_end(project: Project) -> None:
    project.settings("retry_delay = 0\ngrace = 0.2\n")


def told(ended: Ended) -> str:
    assert ended.code == 0, ended.err
    return ended.out.splitlines()[0]


def waits_for(project: Project, what: str) -> dict[str, Any]:
    (found,) = (item for item in project.status()["session"]["waiting"] if item["what"] == what)
    return dict(found)


def other_agent(project: Project, *steps: dict[str, Any]) -> str:
    path = project.place / "other.toml"
    listed = ", ".join(
        "{" + ", ".join(f"{k} = {json.dumps(v)}" for k, v in step.items()) + "}" for step in steps
    )
    path.write_text(f"[[task-1]]\nsteps = [{listed}]\n")
    return f"scripted:{path}"


# A pause


def test_a_running_task_is_paused_while_others_go_on_and_later_goes_on_from_its_work(
    project: Project,
) -> None:
    quick_to_end(project)
    go_on = project.barrier("go on")
    project.task(1, begins_and_hangs(project), WHOLE)
    project.task(2, [wait_for(go_on), write("two.txt", "2\n")])
    project.task(3, [write("three.txt", "3\n")], after=[1])
    leader = lead_until_at_work(project, "--wait", "--jobs", "2")

    paused = project.teamlead("pause", "1")

    assert told(paused) == (
        "task-1 is paused; task-3 cannot start before it is done. Go on with: teamlead retry task-1"
    )
    until(lambda: project.outcomes(1) == ["stopped"], "the agent of task-1 has ended")
    go_on.touch()
    until(lambda: project.state_of(2) == "DONE", "task-2 is done")
    assert project.states()["task-1"] == "NEEDS_CONTINUATION"
    waits = waits_for(project, "task-1")
    assert waits["reason"] == "paused by user; task-3 cannot start before it is done"
    assert waits["next"] == "teamlead retry task-1"
    assert "Task number 1 (paused)" in project.teamlead("status").out

    assert told(project.teamlead("retry", "1")) == "task-1 is no longer paused, and goes on"

    until(lambda: project.state_of(3) == "DONE", "all is done")
    assert project.outcomes(1) == ["stopped", "accepted"]
    assert {"half.txt", "one.txt", "two.txt", "three.txt"} <= set(project.files(project.integration))
    assert project.teamlead("pause").code == 0
    assert leader.end().code == 3


def test_a_session_with_nothing_but_paused_tasks_left_waits_for_a_person_and_says_so(
    project: Project,
) -> None:
    quick_to_end(project)
    project.task(1, begins_and_hangs(project), WHOLE)
    project.task(2, [write("two.txt", "2\n")], after=[1])
    leader = lead_until_at_work(project)
    assert project.teamlead("pause", "task-1", "--json").json["blocks"] == ["task-2"]

    ended = leader.end()

    assert ended.code == 3
    assert f"task-1 is paused: teamlead retry task-1 --session {project.session}" in ended.out
    shown = project.teamlead("status").out
    assert "PAUSED (phase EXECUTING" in shown
    assert "next: teamlead retry task-1" in shown
    project.require_nothing_runs()
    again = project.teamlead("resume")
    assert (again.code, project.outcomes(1)) == (3, ["stopped"])
    retried = project.teamlead("retry", "1")
    assert f"Nobody leads this session: teamlead resume {project.session}" in retried.out
    assert project.teamlead("resume").code == 3
    assert project.states() == {"task-1": "DONE", "task-2": "DONE"}


def test_a_task_that_nobody_leads_is_paused_and_its_answer_does_not_start_it(project: Project) -> None:
    project.task(1, [ask("Left?")], [write("one.txt", "1\n")])
    assert project.start().code == 3
    assert project.teamlead("pause", "1").code == 0
    assert project.teamlead("pause", "1").code == 0
    assert project.resolve("right").code == 0
    assert project.teamlead("resume").code == 3
    assert project.outcomes(1) == ["asked"]
    assert project.teamlead("retry", "1").code == 0
    assert project.teamlead("resume").code == 3
    assert project.outcomes(1) == ["asked", "accepted"]
    assert "right" in project.prompt(1, 2)


def test_what_is_settled_or_unknown_cannot_be_paused(project: Project) -> None:
    project.task(1, [write("one.txt", "1\n")])
    assert project.start().code == 3
    settled, unknown = project.teamlead("pause", "1"), project.teamlead("pause", "7")
    assert (settled.code, "task-1 is DONE already" in settled.err) == (5, True)
    assert (unknown.code, "there is no task 'task-7'" in unknown.err) == (4, True)


def test_a_pause_outlives_the_leader_that_was_killed_over_it(project: Project) -> None:
    project.settings("retry_delay = 0\ngrace = 600\n")
    stubborn = [HALF, touch(project.barrier("at work")), {**HANG, "stubborn": True}]
    project.task(1, stubborn, WHOLE)
    leader = lead_until_at_work(project)
    assert project.teamlead("pause", "1").code == 0
    leader.send(signal.SIGKILL).end()

    assert project.teamlead("resume").code == 3

    assert project.outcomes(1) == ["stopped"]
    project.require_nothing_runs()
    assert project.teamlead("retry", "1").code == 0
    assert project.teamlead("resume").code == 3
    assert project.states() == {"task-1": "DONE"}


# The whole session


def test_a_session_in_the_background_is_paused_and_resumed(project: Project) -> None:
    quick_to_end(project)
    project.task(1, begins_and_hangs(project), WHOLE)
    assert project.start("--detach").code == 0
    until(lambda: project.barrier("at work").exists(), "the agent is at work")

    paused = project.teamlead("pause")

    session = project.session
    assert told(paused) == f"session {session} is paused. Go on with: teamlead resume {session}"
    until(lambda: not project.processes(), "the leader has ended, and its agent")
    assert project.outcomes(1) == ["interrupted"]
    shown = project.status()["session"]
    assert (shown["state"], shown["under_way"], shown["interrupted"]) == ("PAUSED", True, "")
    assert project.teamlead("resume").code == 3
    assert project.outcomes(1) == ["interrupted", "accepted"]


def test_a_paused_leader_says_how_to_go_on_and_exits_as_one_who_needs_a_person(project: Project) -> None:
    quick_to_end(project)
    project.task(1, begins_and_hangs(project), WHOLE)
    leader = lead_until_at_work(project)
    assert project.teamlead("pause", "--json").json["led"] is False
    ended = leader.end()
    assert ended.code == 3
    assert f"Paused; nothing is lost. Go on with: teamlead resume {project.session}" in ended.out


def test_a_second_pause_does_not_wait_for_agents(project: Project) -> None:
    project.settings("retry_delay = 0\ngrace = 600\n")
    project.task(1, begins_and_hangs(project), WHOLE)
    leader = lead_until_at_work(project)
    first = project.background("pause")
    until(lambda: project.happened("LeaderStopping", reason="paused by user"), "the leader is stopping")
    assert not leader.over

    assert project.teamlead("pause").code == 0

    assert leader.end().code == 3
    assert first.end().code == 0
    assert project.outcomes(1) == ["interrupted"]


def test_a_session_that_nobody_leads_cannot_be_paused(project: Project) -> None:
    project.task(1, [ask("Left?")])
    assert project.start().code == 3
    refused = project.teamlead("pause")
    assert refused.code == 5
    assert f"nobody leads session {project.session}: there is nothing to pause" in refused.err


# Another try


def test_a_task_that_failed_for_good_is_tried_again_with_advice(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 1\n")
    project.task(1, [fail("the door is shut")], [write("one.txt", "1\n")])
    assert project.start().code == 3
    retried = project.teamlead("retry", "1", "--advice", "take the other door")
    assert told(retried) == "task-1 is tried again; withdrawn: esc-1"
    assert project.teamlead("escalations", "--json").json["questions"] == []
    assert project.teamlead("resume").code == 3
    assert project.outcomes(1) == ["failed", "accepted"]
    assert "take the other door" in project.prompt(1, 2)


def test_a_running_leader_tries_again_at_once(project: Project) -> None:
    project.settings("retry_delay = 600\nattempts = 3\n")
    project.task(1, [CRASH], [write("one.txt", "1\n")])
    leader = project.start_in_background()
    until(lambda: project.happened("TaskRetried"), "the task waits for its moment")
    assert told(project.teamlead("retry", "1")) == "task-1 starts as soon as a seat is free"
    assert leader.end().code == 3
    assert project.outcomes(1) == ["failed", "accepted"]


def test_a_running_task_is_stopped_and_runs_again_with_the_advice(project: Project) -> None:
    quick_to_end(project)
    project.task(1, begins_and_hangs(project), WHOLE)
    leader = lead_until_at_work(project)
    retried = project.teamlead("retry", "1", "--advice", "do not hang", "--json").json
    assert retried["message"] == "attempt 1 of task-1 is stopped, and the next one goes on from its work"
    assert leader.end().code == 3
    assert project.outcomes(1) == ["stopped", "accepted"]
    assert "do not hang" in project.prompt(1, 2)


def test_a_task_that_is_done_is_done_anew_on_the_merged_work(project: Project) -> None:
    project.task(1, [write("one.txt", "1\n")], [run("grep -q 2 two.txt"), write("one.txt", "better\n")])
    project.task(2, [write("two.txt", "2\n")])
    assert project.start().code == 3
    assert told(project.teamlead("retry", "1")) == "task-1 was DONE and is done anew, on the merged work"
    assert project.status()["session"]["phase"] == "EXECUTING"
    assert project.teamlead("resume").code == 3
    assert project.content(project.integration, "one.txt") == "better"
    assert project.teamlead("approve").code == 0
    over = project.teamlead("retry", "1")
    assert (over.code, "has ended (DONE: " in over.err) == (5, True)


def test_work_that_still_holds_is_shown_as_what_was_done_and_not_as_nothing(project: Project) -> None:
    project.task(1, [write("one.txt", "1\n")], [write("one.txt", "better\n")])
    project.task(2, [write("two.txt", "2\n")], [run("grep -q better one.txt")], after=(1,))
    assert project.start().code == 3
    assert project.teamlead("retry", "1", "--followers").code == 0
    assert project.teamlead("resume").code == 3
    assert project.outcomes(2) == ["accepted", "accepted"]
    assert "two.txt | 1 +" in project.teamlead("diff", "2", "--stat").out
    (done,) = [each for each in project.teamlead("report", "--json").json["done"] if each["task"] == "task-2"]
    assert (done["files_total"], done["paths"]) == (1, ["two.txt"])
    evidence = project.teamlead("evidence", "2").out
    assert "the work that counts is that of attempt 1: teamlead evidence task-2 --attempt 1" in evidence
    assert "that counts" not in project.teamlead("evidence", "1").out


def test_merged_work_of_a_task_that_is_left_out_later_is_said_to_stay(project: Project) -> None:
    project.task(1, [write("one.txt", "1\n")], [write("one.txt", "better\n")])
    assert project.start().code == 3
    assert project.teamlead("retry", "1").code == 0
    assert project.teamlead("skip", "1").code == 0
    (task,) = project.status()["tasks"]
    assert (task["state"], task["files_total"]) == ("SKIPPED", 1)
    assert f"its earlier work, {task['commit'][:10]}, stays merged" in task["reason"]
    assert "one.txt" in project.teamlead("diff", "--stat").out


# Leaving one out


def test_a_running_task_is_skipped_and_it_is_told_what_others_build_on(project: Project) -> None:
    quick_to_end(project)
    project.task(1, [write("one.txt", "1\n")])
    project.task(2, begins_and_hangs(project), after=[1])
    project.task(3, [run("test -f one.txt"), write("three.txt", "3\n")], after=[2])
    leader = lead_until_at_work(project)
    skipped = project.teamlead("skip", "2", "--reason", "done by hand")
    assert told(skipped) == "task-2 is skipped; task-3 builds on task-1 now"
    assert leader.end().code == 3
    assert project.states() == {"task-1": "DONE", "task-2": "SKIPPED", "task-3": "DONE"}
    assert project.details_of(2)["reason"] == "done by hand"
    assert "half.txt" not in project.files(project.integration)
    kept = project.details_of(2)["kept"]
    assert project.content(kept, "half.txt") == "half"


@pytest.mark.parametrize("way", [["skip", "2"], ["resolve", "--resolution", "skip"]], ids=["skip", "resolve"])
def test_whoever_leaves_the_last_task_out_is_told_to_approve_the_others(
    project: Project, way: list[str]
) -> None:
    project.task(1, [write("one.txt", "1\n")])
    project.task(2, [fail("no way")], after=[1])
    assert project.start("--attempts", "1").code == 3
    left_out = project.teamlead(*way)
    name = project.session
    assert f"Everything is settled: teamlead approve {name}, or teamlead reject {name}\n" in left_out.out
    assert "teamlead resume" not in left_out.out
    assert project.teamlead("approve", name).code == 0


def test_whoever_leaves_the_only_task_out_is_told_that_the_session_has_ended(project: Project) -> None:
    project.task(1, [fail("no way")])
    assert project.start("--attempts", "1").code == 3
    left_out = project.teamlead("skip", "1")
    assert f"session {project.session} has ended (DONE: " in left_out.out
    assert "teamlead resume" not in left_out.out


def test_what_moves_a_session_on_is_told_to_scripts_too(project: Project) -> None:
    project.task(1, [ask("Left?")], [write("one.txt", "1\n")])
    assert project.start().code == 3
    told = project.teamlead("tell", "1", "Hurry.", "--json").json
    assert (told["led"], told["next"]) == (False, f"teamlead escalations {project.session}")
    retried = project.teamlead("retry", "1", "--json").json
    assert retried["next"] == f"teamlead resume {project.session}"


# Another agent


def test_another_agent_goes_on_in_the_same_copy_and_joins_the_session(project: Project) -> None:
    quick_to_end(project)
    project.task(1, begins_and_hangs(project))
    leader = lead_until_at_work(project)
    agent = other_agent(project, *WHOLE)
    reassigned = project.teamlead("reassign", "1", "--agent", agent)
    assert told(reassigned) == f"task-1 goes to {agent}; attempt 1 is stopped"
    assert leader.end().code == 3
    assert project.outcomes(1) == ["stopped", "accepted"]
    assert project.details_of(1)["agent"] == agent
    assert {"half.txt", "one.txt"} <= set(project.files(project.integration))
    file = project.root / ".teamlead" / "sessions" / project.session / "session.json"
    members = [member["agent"] for member in json.loads(file.read_text())["members"]]
    assert members == ["engine", agent]


def test_a_task_of_a_session_that_nobody_leads_is_reassigned(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 1\n")
    project.task(1, [HALF, fail("it is too hard")])
    assert project.start().code == 3
    agent = other_agent(project, *WHOLE)
    document = project.teamlead("reassign", "1", "--agent", agent, "--json").json
    assert document["message"].endswith("; it is BLOCKED: teamlead retry task-1")
    assert project.details_of(1)["agent"] == agent
    assert project.teamlead("retry", "1").code == 0
    assert project.teamlead("resume").code == 3
    assert project.states() == {"task-1": "DONE"}


def test_an_agent_that_cannot_run_gets_no_task(project: Project) -> None:
    project.task(1, [ask("Left?")], [write("one.txt", "1\n")])
    assert project.start().code == 3
    unknown = project.teamlead("reassign", "1", "--agent", "clod")
    absent = project.teamlead("reassign", "1", "--agent", f"command:{project.place}/nothing")
    assert (unknown.code, "unknown agent 'clod'" in unknown.err) == (2, True)
    assert (absent.code, "install it, or write its path" in absent.err) == (2, True)
    assert not project.happened("TaskReassigned")


# Further tasks


def test_a_task_that_comes_late_has_the_budget_of_the_user_and_not_a_looser_one_of_the_repository(
    project: Project,
) -> None:
    project.settings("retry_delay = 0\ntask_budget_turns = 5\n")
    project.task(1, [ask("Well?")])
    assert project.start().code == 3
    for turns in (50, 3):
        project.commit("settings", {".teamlead/config.toml": f"task_budget_turns = {turns}\n"})
        assert project.teamlead("plan", "add", f"Describe it {turns} times").code == 0

    added = [event["body"]["spec"] for event in project.events() if event["kind"] == "TaskAdded"]
    assert [spec["budget"]["turns"] for spec in added] == [5, 3]


def test_a_task_is_put_into_a_session_at_work(project: Project) -> None:
    project.task(1, [touch(project.barrier("at work")), wait_for(project.barrier("go on")), *WHOLE[1:]])
    project.task(2, [write("two.txt", "2\n")], after=[1])
    project.plays("task-3", [run("test -f one.txt"), write("docs/three.txt", "3\n")])
    leader = lead_until_at_work(project)
    options = ("--scope", "docs/", "--check", "test -f docs/three.txt", "--depends-on", "1", "--before", "2")
    added = project.teamlead("plan", "add", "Describe  it", *options)
    assert told(added) == "task-3: Describe it"
    project.barrier("go on").touch()
    assert leader.end().code == 3
    assert project.states() == {"task-1": "DONE", "task-2": "DONE", "task-3": "DONE"}
    assert project.details_of(2)["depends_on"] == ["task-1", "task-3"]
    assert project.content(project.integration, "docs/three.txt") == "3"
    added_event = next(event["body"] for event in project.events() if event["kind"] == "TaskAdded")
    assert added_event["spec"]["scope"] == ["docs/"]
    assert added_event["spec"]["checks"] == ["test -f docs/three.txt"]


def test_tasks_that_several_people_add_at_the_same_moment_get_different_numbers(project: Project) -> None:
    project.task(1, [ask("Left?")])
    assert project.start().code == 3
    adding = [project.background("plan", "add", f"Number {n}", "--json") for n in range(3)]
    ids = {added.end().json["tasks"][0]["id"] for added in adding}
    assert ids == {"task-2", "task-3", "task-4"}
    assert list(project.states()) == ["task-1", "task-2", "task-3", "task-4"]


def plan_file(project: Project, *lines: str) -> Path:
    path = project.place / "more.md"
    path.write_text("\n".join(["# More", "", *lines, ""]))
    return path


def test_the_tasks_of_a_file_are_added_with_free_numbers_and_work_goes_on_after_all_was_done(
    project: Project,
) -> None:
    project.task(1, [write("one.txt", "1\n")])
    project.plays("task-2", [run("test -f one.txt"), write("two.txt", "2\n")])
    project.plays("task-3", [run("test -f two.txt"), write("three.txt", "3\n")])
    assert project.start().code == 3
    file = plan_file(
        project,
        *("### 5. Second", "- Scope: two.txt", "- Acceptance: there", "- Depends on: 1"),
        *("### 6. Third", "- Scope: three.txt", "- Acceptance: there", "- Depends on: 5"),
    )
    added = project.teamlead("plan", "add", file, "--json").json
    assert [(task["id"], task["depends_on"]) for task in added["tasks"]] == [
        ("task-2", ["task-1"]),
        ("task-3", ["task-2"]),
    ]
    assert project.status()["session"]["phase"] == "EXECUTING"
    assert project.teamlead("resume", "--json").code == 3
    assert set(project.states().values()) == {"DONE"}


def test_what_is_wrong_with_a_file_is_told_with_its_line_and_nothing_is_added(project: Project) -> None:
    project.task(1, [write("one.txt", "1\n")])
    assert project.start().code == 3
    file = plan_file(project, "### 1. Fine", "- Scope: a/", "### 2. Not", "- Depends on: 7")
    refused = project.teamlead("plan", "add", file)
    assert refused.code == 2
    assert f"{file}:6: error: task-2 depends on 'task-7', which does not exist" in refused.err
    wrong = project.teamlead("plan", "add", "Not so", "--scope", "../elsewhere", "--type", "miracle")
    assert wrong.code == 2
    assert "leaves the repository" in wrong.err
    assert "unknown type 'miracle'" in wrong.err
    both = project.teamlead("plan", "add", file, "--scope", "a/")
    assert (both.code, "write them into the file" in both.err) == (2, True)
    unknown = project.teamlead("plan", "add", "By nobody", "--agent", "clod")
    assert (unknown.code, "unknown agent 'clod'" in unknown.err) == (2, True)
    assert list(project.states()) == ["task-1"]


def test_who_says_nothing_is_told_so_at_once(project: Project) -> None:
    for command in (("tell", "1", " "), ("plan", "add", " ")):
        ended = project.teamlead(*command)
        assert (ended.code, "is empty" in ended.err) == (2, True), ended.err


def test_nothing_is_added_after_the_end(project: Project) -> None:
    project.task(1, [write("one.txt", "1\n")])
    assert project.start("--approve").code == 0
    refused = project.teamlead("plan", "add", "Too late")
    assert (refused.code, "has ended (DONE: " in refused.err) == (5, True)


# Killed half-way


def points_of(project: Project, *command: str) -> list[str]:
    record = project.place / "points"
    assert project.teamlead(*command, TEAMLEAD_FAULT=f"record {record}").code == 0
    found = list(dict.fromkeys(record.read_text().splitlines()))
    record.unlink()
    return found


def count_of(project: Project, kind: str) -> int:
    return sum(event["kind"] == kind for event in project.events())


AT_THE_JOURNAL = ["inbox put: after", "journal commit: before", "journal commit: after", "inbox drop: after"]


@pytest.mark.timeout(240)
def test_a_pause_and_a_retry_that_are_killed_anywhere_are_carried_out_once_when_asked_again(
    project: Project,
) -> None:
    project.task(1, [ask("Left?")], [write("one.txt", "1\n")])
    assert project.start().code == 3
    points = points_of(project, "pause", "1")
    assert points_of(project, "retry", "1", "--advice", "right")
    assert set(AT_THE_JOURNAL) <= set(points), points
    for number, point in enumerate(points if SIZE > 1 else AT_THE_JOURNAL, 2):
        killed = project.teamlead("pause", "1", TEAMLEAD_FAULT=f"kill {point}#1")
        assert (killed.code, project.teamlead("pause", "1").code) == (-signal.SIGKILL, 0), point
        assert (project.details_of(1)["paused"], count_of(project, "TaskPaused")) == (True, number), point
        project.teamlead("retry", "1", TEAMLEAD_FAULT=f"kill {point}#1")
        assert project.teamlead("retry", "1").code in {0, 5}, point
        assert (project.details_of(1)["paused"], count_of(project, "TaskResumed")) == (False, number), point
    assert project.teamlead("resume").code == 3
    assert project.outcomes(1) == ["asked", "accepted"]


def test_a_task_whose_adding_is_killed_anywhere_is_added_once_when_asked_again(project: Project) -> None:
    project.task(1, [ask("Left?")])
    assert project.start().code == 3
    for number, point in enumerate(AT_THE_JOURNAL, 2):
        command = ("plan", "add", f"At {point}", "--scope", "docs/", "--depends-on", "1")
        assert project.teamlead(*command, TEAMLEAD_FAULT=f"kill {point}#1").code == -signal.SIGKILL
        again = project.teamlead(*command)
        assert (again.code, told(again)) == (0, f"task-{number}: At {point} (is there already)"), again.err
        assert (again.err, count_of(project, "TaskAdded")) == ("", number - 1)
    other = project.teamlead("plan", "add", "At once", "--depends-on", "1", "--json")
    assert [(task["id"], task["added"]) for task in other.json["tasks"]] == [("task-6", True)]
    assert "task-6 has no acceptance and no checks" in other.err


def test_the_same_is_added_anew_after_it_was_given_up_or_before_what_does_not_wait_for_it(
    project: Project,
) -> None:
    project.task(1, [ask("Left?")])
    project.task(2, [], after=[1])
    assert project.start().code == 3
    command = ("plan", "add", "Docs", "--scope", "docs/")
    assert told(project.teamlead(*command)) == "task-3: Docs"
    assert told(project.teamlead(*command, "--before", "2")) == "task-4: Docs"
    assert told(project.teamlead(*command, "--before", "2")) == "task-4: Docs (is there already)"
    for number in ("3", "4"):
        assert project.teamlead("skip", number).code == 0
    assert told(project.teamlead(*command)) == "task-5: Docs"

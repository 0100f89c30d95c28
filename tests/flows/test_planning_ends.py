"""However a planning ends, nothing of it is left behind but what was said."""

import signal

import pytest
from tests.flows.plannings import planning
from tests.flows.support import HANG, Project, Running, touch, until
from tests.flows.test_planning import made, plan, proposes, task


def hanging(project: Project) -> Running:
    """A planner that has begun, and does not end by itself."""
    project.plays("planner", [touch(project.barrier("reading")), HANG], proposes(task(1)))
    running = project.background("plan", "write a file", "--agent", f"scripted:{project.script}")
    until(project.barrier("reading").exists, "the planner reads")
    assert len(project.copies()) == 1
    return running


def leaders(project: Project) -> list[str]:
    return [ref for ref in project.refs() if ref.startswith("refs/teamlead/leader/")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_planning_ends_its_agent_and_takes_its_copy_away(
    project: Project, number: signal.Signals
) -> None:
    ended = hanging(project).send(number).end()
    assert ended.code == 130
    assert project.copies() == []
    assert leaders(project) == []
    until(lambda: not project.processes(), "the planner has ended")
    assert planning(project).status == "planning"
    (listed,) = project.teamlead("plan", "list", "--json").json["plannings"]
    assert (listed["state"], listed["interrupted"]) == (
        project.status()["session"]["state"],
        "nobody leads it",
    )
    assert " interrupted " in project.teamlead("plan", "list").out


def test_a_killed_planning_is_resumed_like_any_other_session_and_comes_to_its_plan(project: Project) -> None:
    hanging(project).send(signal.SIGKILL).end()
    until(lambda: not project.processes(), "the planner has ended")
    assert len(project.copies()) == 1, "otherwise there is nothing to tidy"
    assert project.teamlead("clean", "--yes").code == 0
    assert len(project.copies()) == 1, "it is not over"
    resumed = project.background("resume").end()
    assert resumed.code == 0, resumed.err
    assert f"teamlead start --session {planning(project).id}" in resumed.out
    assert "wave 1  ○  task-1  Write 1.txt" in resumed.out
    assert "The plan is in plan.md, scored 100 of 100." in resumed.out
    assert planning(project).file.read_text().startswith("# write a file\n")
    assert planning(project).status == "ready"
    assert "phase APPROVED: the plan is there" in resumed.err
    assert project.copies() == []
    assert leaders(project) == []


def test_a_resumed_planning_that_is_told_as_json_writes_its_plan_and_says_where_beside_it(
    project: Project,
) -> None:
    hanging(project).send(signal.SIGKILL).end()
    resumed = project.background("resume", "--json").end()
    assert resumed.json["session"]["state"] == "COMPLETED"
    assert "The plan is in plan.md." in resumed.err
    assert planning(project).file.exists()


def test_whoever_was_killed_before_the_plan_was_written_gets_it_from_resume(project: Project) -> None:
    project.plays("planner", proposes(task(1)))
    player = f"scripted:{project.script}"
    killed = project.teamlead("plan", "write a file", "--agent", player, TEAMLEAD_FAULT="kill lease: taken#2")
    assert (killed.code, planning(project).status) == (-signal.SIGKILL, "ready")
    assert planning(project).state.plan_file is None, "otherwise there is nothing to write"
    resumed = project.background("resume").end()
    assert (resumed.code, "The plan is in plan.md" in resumed.out) == (0, True), resumed.err
    assert planning(project).file.exists()
    again = project.teamlead("resume")
    assert again.code == 5
    assert f"`teamlead start --session {planning(project).id}`" in again.err
    assert "start a new one" not in again.err


def test_clean_leaves_a_planning_alone_that_is_under_way(project: Project) -> None:
    running = hanging(project)
    assert project.teamlead("clean", "--yes").code == 0
    assert len(project.copies()) == 1
    assert not running.over


def test_a_killed_planning_can_be_gone_on_with(project: Project) -> None:
    hanging(project).send(signal.SIGKILL).end()
    name = planning(project).id
    refused = project.teamlead("start", "--session", name)
    assert refused.code == 2
    assert "was not finished" in refused.err
    project.new_plan().plays("planner", proposes(task(1)))
    assert plan(project, "--session", name, "go on").code == 0
    assert made(project).exists()
    kept = planning(project)
    assert (kept.id, kept.status) == (name, "ready")
    assert kept.user == ["write a file", "go on"]


def test_plannings_that_are_over_go_with_the_old_sessions(project: Project) -> None:
    project.settings("plan_attempts = 1\n")
    project.plays("planner", proposes(task(1, acceptance=["done"])))
    assert plan(project, "write a file").code == 3
    assert project.teamlead("clean", "--keep", "0", "--yes").code == 0
    assert len(project.plannings) == 1, "it waits for a word"
    assert project.teamlead("cancel").code == 0
    assert project.teamlead("clean", "--keep", "0", "--yes").code == 0
    assert project.plannings == []


def test_a_plan_that_was_not_started_yet_stays(project: Project) -> None:
    project.plays("planner", proposes(task(1)))
    assert plan(project, "write a file").code == 0
    ended = project.teamlead("clean", "--keep", "0", "--yes")
    assert "its plan was not started yet" in ended.out + ended.err
    assert planning(project).status == "ready"

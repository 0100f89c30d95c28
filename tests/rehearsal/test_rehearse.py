"""The command as a user calls it. That their repository stays as it is, every call here checks by itself."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import programs
from tests.flows.conftest import user
from tests.flows.support import Project

QUICK = ("limit", "denied", "false-done", "crash", "break-stream", "out-of-scope", "question")
"""Faults that are over in seconds."""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with user(tmp_path) as project:
        project.has_repository()
        project.task(1, scope="src/**/*.py", checks=["false"])
        project.task(2, scope="docs/", after=[1])
        project.task(3, scope="README.md")
        yield project


def outcomes(document: dict[str, object]) -> dict[str, list[str]]:
    tasks = document["tasks"]
    assert isinstance(tasks, list)
    return {task["id"]: [attempt["outcome"] for attempt in task["attempts"]] for task in tasks}


def test_a_plan_is_tried_and_nothing_is_left(project: Project) -> None:
    state = project.place / "state"
    ended = project.teamlead("rehearse", project.plan, "--agent", "scripted", TMPDIR=str(project.place))
    assert ended.code == 0, ended.err
    assert "The checks are not run" in ended.err
    assert "DONE, as it should." in ended.out
    assert not state.exists()
    assert list(project.place.glob("teamlead-rehearsal-*")) == []


@pytest.mark.parametrize("fault", QUICK)
def test_a_fault_is_met_once_and_overcome(project: Project, fault: str) -> None:
    ended = project.teamlead("rehearse", project.plan, "--agent", "scripted", "--fault", fault, "--json")
    assert ended.code == 0, ended.out
    [told] = ended.json["faults"]
    assert (told["kind"], told["task"], told["as_it_should"]) == (fault, "task-1", True)
    assert outcomes(ended.json) == {
        "task-1": [told["outcome"], "accepted"],
        "task-2": ["accepted"],
        "task-3": ["accepted"],
    }


def test_a_judges_faults_are_met_and_overcome(project: Project) -> None:
    faults = ("--fault", "judge-refuses:2", "--fault", "judge-unreadable")
    ended = project.teamlead("rehearse", project.plan, "--agent", "scripted", *faults, "--json")
    assert ended.code == 0, ended.out
    assert [(fault["task"], fault["outcome"]) for fault in ended.json["faults"]] == [
        ("task-2", "refused"),
        ("task-1", "unreadable"),
    ]
    assert outcomes(ended.json) == {
        "task-1": ["accepted"],
        "task-2": ["refused", "accepted"],
        "task-3": ["accepted"],
    }


def test_faults_strike_where_they_are_told_to(project: Project) -> None:
    faults = ("--fault", "crash:task-3", "--fault", "false-done:3")
    ended = project.teamlead("rehearse", project.plan, "--agent", "scripted", *faults, "--json")
    assert outcomes(ended.json)["task-3"] == ["failed", "refused", "accepted"]


def test_checks_are_run_on_request_and_a_failure_is_kept_to_look_at(project: Project) -> None:
    place = project.place / "kept"
    arguments = ("--agent", "scripted", "--checks", "--directory", place, "--json")
    ended = project.teamlead("rehearse", project.plan, *arguments)
    assert ended.code == 1
    assert outcomes(ended.json)["task-1"] == ["refused"] * 3
    assert ended.json["folder"] == str(place)
    assert ended.json["questions"][-1]["by"] == ""
    state = str(place / "state")
    assert "BLOCKED" in project.teamlead("status", cwd=place / "repository", XDG_STATE_HOME=state).out


def test_a_script_takes_the_place_of_made_up_work(project: Project) -> None:
    script = project.place / "team.toml"
    steps = [{"write": "docs/x.md", "text": "{task}\n"}, {"write": "src/x.py", "text": "{task}\n"}]
    text = "\n".join(
        f"[[task-{n}]]\nsteps = [{json.dumps(s).replace(': ', ' = ')}]"
        for n, s in ((1, steps[1]), (2, steps[0]))
    )
    script.write_text(text + '\n[[task-3]]\nsteps = [{done = "nothing"}]\n')
    place = project.place / "kept"
    arguments = ("--agent", "scripted", "--script", script, "--directory", place, "--json")
    ended = project.teamlead("rehearse", project.plan, *arguments)
    assert outcomes(ended.json) == {
        "task-1": ["accepted"],
        "task-2": ["accepted"],
        # The same nothing again: a third attempt would go round in circles.
        "task-3": ["refused"] * 2,
    }
    assert ended.code == 1


def test_a_script_can_plan_anew_what_fails(project: Project) -> None:
    script = project.place / "team.toml"
    script.write_text("""
[[task-1]]
steps = [{done = "nothing"}]
[[planner]]
for = "replan"
steps = [{answer = [
  {id = "task-1", description = "Less", scopePaths = ["src/a.py"], acceptance = "It is there"},
]}]
[[task-4]]
steps = [{write = "src/a.py", text = "1\\n"}]
[[task-2]]
steps = [{write = "docs/a.md", text = "1\\n"}]
[[task-3]]
steps = [{write = "README.md", text = "1\\n"}]
""")
    arguments = ("--agent", "scripted", "--script", script, "--json")
    ended = project.teamlead("rehearse", project.plan, *arguments)
    assert ended.code == 0, ended.out + ended.err
    assert {task["id"]: task["state"] for task in ended.json["tasks"]} == {
        "task-1": "REPLACED_BY_REPLAN",
        "task-2": "DONE",
        "task-3": "DONE",
        "task-4": "DONE",
    }


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--fault", "fire"), 2, "unknown fault 'fire'"),
        (("--fault", "crash:task-9"), 2, "there is no 'task-9'"),
        (("--agent", "acp:opencode acp"), 5, "cannot be rehearsed"),
        (("--agent", "command:cat"), 5, "cannot be rehearsed"),
        (("--script", "none.toml"), 4, "cannot read the script 'none.toml'"),
    ],
)
def test_wrong_use_is_refused_before_anything_runs(
    project: Project, arguments: tuple[str, ...], code: int, told: str
) -> None:
    agent = () if "--agent" in arguments else ("--agent", "scripted")
    ended = project.teamlead("rehearse", project.plan, *agent, *arguments, TMPDIR=str(project.place))
    assert (ended.code, told in ended.err) == (code, True), ended.err
    assert "starts" not in ended.err
    assert list(project.place.glob("teamlead-rehearsal-*")) == []


def test_nobody_is_consulted_whom_nothing_keeps_from_a_real_model(project: Project) -> None:
    project.settings('[roles.advisor]\nagent = "command:cat"\n')
    ended = project.teamlead("rehearse", project.plan, "--agent", "scripted")
    assert ended.code == 5
    assert "advisor: agent 'command:cat' cannot be rehearsed" in ended.err


def with_real_programs(project: Project, plan: Path, *arguments: str) -> dict[str, Any]:
    project.environment |= {
        "TEAMLEAD_CLAUDE": str(programs.claude()),
        "TEAMLEAD_CODEX": str(programs.codex()),
    }
    ended = project.teamlead("rehearse", plan, "--json", *arguments)
    assert ended.code == 0, ended.out + ended.err
    return ended.json


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_real_programs_are_rehearsed_and_their_faults_met(project: Project, agent: str) -> None:
    project.task(4, scope="four.txt").task(5, scope="five.txt")
    faults = {"denied": 1, "crash": 2, "false-done": 3, "out-of-scope": 4, "question": 5}
    wanted = [f"--fault={kind}:{task}" for kind, task in faults.items()]
    document = with_real_programs(project, project.plan, "--agent", agent, *wanted, "--jobs", "3")
    assert {task["agent"] for task in document["tasks"]} == {agent}
    assert all(fault["as_it_should"] for fault in document["faults"])
    assert [question["kind"] for question in document["questions"]].count("question") == 1
    assert document["requests_total"] >= 12


def test_a_plan_may_name_several_agents(project: Project) -> None:
    plan = project.plan
    for number, agent in ((1, "claude"), (2, "codex"), (3, "scripted")):
        title = f"### {number}. Task number {number}"
        plan.write_text(plan.read_text().replace(title, f"{title}\n- Agent: {agent}"))
    document = with_real_programs(project, plan)
    agents = [task["agent"].partition(":")[0] for task in document["tasks"]]
    assert agents == ["claude", "codex", "scripted"]

"""A session is opened by itself, and led later."""

import json
from typing import Any

import pytest
from tests.flows.support import Ended, Project
from tests.flows.test_teams import FAULT, bodies, bugfix

LEADER = {"name": "leader", "agent": "leader-agent", "role": "orchestrator"}


def init(project: Project, *members: dict[str, Any], options: tuple[str, ...] = ()) -> Ended:
    return project.teamlead(
        *("session", "init", "--team", "bugfix", "--task", FAULT),
        *("--members", json.dumps([LEADER, *members]), "--agent", f"scripted:{project.script}", *options),
    )


def kinds(project: Project) -> list[str]:
    return [event["kind"] for event in project.events()]


def test_a_session_is_there_with_its_team_and_nobody_leads_it(project: Project) -> None:
    bugfix(project)
    ended = init(project, options=("--json",))

    assert (ended.code, ended.json["session"]) == (0, project.session)
    assert project.session.startswith("party-bugfix-")
    assert kinds(project) == ["TeamFormed", "SessionOpened"]
    (formed,) = bodies(project, "TeamFormed")
    assert formed["team"]["members"][0] == {"name": "leader", "role": "leader", "agent": "engine"}
    assert project.copies() == []
    session = project.status()["session"]
    assert (session["phase"], session["led"]) == ("IDLE", False)
    assert project.teamlead("session", "status").json == project.status()
    assert project.teamlead("session", "status", "--json").json == project.status()


def test_a_session_that_was_only_opened_is_led_by_a_resume(project: Project) -> None:
    bugfix(project)
    assert init(project).code == 0
    assert project.teamlead("resume").code == 3
    assert set(project.states().values()) == {"DONE"}
    assert project.teamlead("approve").code == 0


def test_a_session_that_was_only_opened_is_led_by_a_start_and_only_once(project: Project) -> None:
    bugfix(project)
    assert init(project).code == 0
    settled = project.teamlead("start", "--session", project.session, "--jobs", "2")
    assert settled.code == 2
    assert f"--jobs was settled when session '{project.session}' was opened" in settled.err

    assert project.teamlead("start", "--session", project.session).code == 3
    assert project.status()["session"]["phase"] == "AWAITING_APPROVAL"
    again = project.teamlead("start", "--session", project.session)
    assert again.code == 4
    assert f"teamlead resume {project.session}" in again.err


def test_the_first_stage_opens_on_a_persons_word_and_its_members_work_when_somebody_leads(
    project: Project,
) -> None:
    bugfix(project)
    assert init(project).code == 0
    moved = project.teamlead("state", "transition", "ANALYZING", "the team is complete")
    assert moved.code == 0, moved.err
    assert f"teamlead resume {project.session}" in moved.out
    assert [(body["phase"], body["reason"]) for body in bodies(project, "PhaseChanged")] == [
        ("ANALYZING", "the team is complete")
    ]
    refused = project.teamlead("state", "transition", "PLANNING", "go on")
    assert refused.code == 5
    assert "stage ANALYZING: not settled: task-1, task-2" in refused.err
    assert project.teamlead("resume").code == 3
    assert project.status()["session"]["phase"] == "AWAITING_APPROVAL"


def test_members_that_are_named_work_with_the_programs_that_are_named(project: Project) -> None:
    bugfix(project)
    other = project.place / "other.toml"
    other.write_text(project.script.read_text())
    assert init(project, {"name": "w", "agent": f"scripted:{other}", "role": "fixer"}).code == 0

    (formed,) = bodies(project, "TeamFormed")
    agents = {each["name"]: each.get("agent", "") for each in formed["team"]["members"]}
    assert agents["fixer"] == f"scripted:{other}"
    assert agents["analyst"] == ""
    assert project.teamlead("resume").code == 3
    agents = {task["id"]: task["agent"] for task in project.status()["tasks"]}
    assert agents["task-4"] == f"scripted:{other}"
    assert agents["task-1"] == f"scripted:{project.script}"


def test_sessions_of_one_second_have_names_of_their_own(project: Project) -> None:
    bugfix(project)
    names = {init(project, options=("--json",)).json["session"] for _ in range(3)}
    assert len(names) == len(project.sessions) == 3


GOOD = {"--team": "bugfix", "--task": FAULT, "--members": json.dumps([LEADER])}


@pytest.mark.parametrize(
    ("changed", "code", "told"),
    [
        ({"--team": None}, 2, "Missing option '--team'"),
        ({"--task": None}, 2, "Missing option '--task'"),
        ({"--members": None}, 2, "Missing option '--members'"),
        ({"--task": " "}, 2, "the task is empty"),
        ({"--team": "bugfx"}, 4, "did you mean 'bugfix'?"),
        ({"--members": "leader"}, 2, "the members cannot be read"),
        ({"--members": "{}"}, 2, "Expected `array`, got `object`"),
        ({"--members": '[{"name": "leader"}]'}, 2, "missing required field `agent`"),
        ({"--members": json.dumps([{**LEADER, "spawned": True}])}, 2, "unknown field `spawned`"),
        ({"--members": json.dumps([{**LEADER, "name": "x", "agent": "y", "role": "z"}])}, 2, "is no member"),
    ],
)
def test_what_is_wrong_with_a_session_is_told_and_nothing_is_there(
    project: Project, changed: dict[str, str | None], code: int, told: str
) -> None:
    bugfix(project)
    given = [
        word for name, value in {**GOOD, **changed}.items() if value is not None for word in (name, value)
    ]
    ended = project.teamlead("session", "init", *given, "--agent", f"scripted:{project.script}")
    assert (ended.code, told in ended.err) == (code, True), ended.err
    assert project.sessions == []
    assert not (project.root / ".teamlead").exists()

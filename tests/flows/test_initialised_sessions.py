"""A session is opened by itself, and led later."""

import json
from typing import Any

import pytest
from tests import documents
from tests.flows.support import Ended, Project
from tests.flows.test_teams import FAULT, bodies, bugfix

from teamlead.views.documents.catalogue import DOCUMENTS

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


def document(project: Project, name: str) -> dict[str, Any]:
    folder = project.root / ".teamlead" / "sessions"
    found: dict[str, Any] = json.loads((folder / name).read_text())
    return found


def test_the_files_of_a_session_are_there_before_anybody_leads_it(project: Project) -> None:
    bugfix(project)
    assert init(project).code == 0
    name = project.session
    folder = project.root / ".teamlead" / "sessions" / name

    assert {path.name for path in folder.iterdir()} >= {"findings", "tickets", "approvals", "session.json"}
    found = document(project, f"{name}/session.json")
    assert (found["id"], found["team"], found["task"], found["phase"]) == (name, "bugfix", FAULT, "IDLE")
    assert [each["phase"] for each in found["phase_history"]] == ["IDLE"]
    assert found["execution"] == {
        "workers_total": 5,
        "workers_active": 0,
        "tasks_total": 6,
        "tasks_completed": 0,
    }
    assert found["fix_loop"] == {"attempt": 0, "max_attempts": 3}
    assert found["cancel"] == {"requested": False, "preserve_for_resume": False}
    assert set(found["artifacts"].values()) == {None}
    assert [(each["name"], each["spawned"]) for each in found["members"]] == [
        (each, False) for each in ("leader", "analyst", "tester", "designer", "fixer", "reviewer")
    ]
    tickets = [document(project, f"{name}/tickets/task-{number}.json") for number in range(1, 7)]
    assert [each["member"] for each in tickets][-1] == "reviewer"
    assert tickets[2]["blocked_by"] == ["task-1", "task-2"]
    for ticket in tickets:
        documents.require(DOCUMENTS["tickets/TASK.json"], json.dumps(ticket))
    active = document(project, "active-session.json")
    documents.require(DOCUMENTS["active-session.json"], json.dumps(active))
    assert (active["id"], active["path"]) == (name, f".teamlead/sessions/{name}/")


def test_the_files_follow_the_session_to_its_end(project: Project) -> None:
    bugfix(project)
    assert init(project).code == 0
    assert project.teamlead("resume").code == 3
    name = project.session

    found = document(project, f"{name}/session.json")
    assert found["artifacts"] == {
        f"{each}_path": f".teamlead/sessions/{name}/findings/{each}.md"
        for each in ("analysis", "design", "implementation", "review")
    }
    assert all((project.root / path).is_file() for path in found["artifacts"].values())
    assert found["execution"]["tasks_completed"] == 6
    assert all(each["spawned"] for each in found["members"])
    assert document(project, f"{name}/tickets/task-4.json")["state"] == "DONE"
    assert document(project, "active-session.json")["id"] == name
    assert project.teamlead("approve").code == 0
    assert not (project.root / ".teamlead" / "sessions" / "active-session.json").exists()

    assert project.teamlead("clean", name, "--yes", "--older-than", "0").code == 0
    assert not (project.root / ".teamlead" / "sessions" / name).exists()


def test_the_active_session_is_the_latest_that_has_not_ended(project: Project) -> None:
    bugfix(project)
    first, second = (init(project, options=("--json",)).json["session"] for _ in range(2))
    assert document(project, "active-session.json")["id"] == second
    assert project.teamlead("cancel", second).code == 0
    assert document(project, "active-session.json")["id"] == first


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

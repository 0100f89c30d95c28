"""A person looks at the phase of a session, and moves it."""

import json
from typing import Any

import pytest
from tests.flows.support import Project, run, wait_for, write
from tests.flows.test_teams import FAULT, bodies, bugfix, handed_in, until_approval


def state(project: Project) -> dict[str, Any]:
    found: dict[str, Any] = project.teamlead("state", "status", "--json").json
    return found


def waiting(project: Project) -> tuple[Any, Any]:
    """The designer of a team is at work, until the file is there."""
    gate = project.barrier("go")
    bugfix(project, task_3=[[run("cat README.md"), wait_for(gate), handed_in(3)]])
    leader = project.background("start", FAULT, "--agent", f"scripted:{project.script}")
    leader.says("task-3: attempt 1 starts")
    return leader, gate


def test_the_phase_says_which_may_follow_and_what_these_miss(project: Project) -> None:
    leader, gate = waiting(project)
    found = state(project)
    assert json.loads(project.teamlead("state", "status").out) == found
    gate.touch()
    assert leader.end().code == 3

    assert (found["id"], found["phase"], found["active"]) == (project.session, "PLANNING", True)
    assert found["fix_loop"] == {"attempt": 0, "max_attempts": 3}
    assert found["transitions"] == ["EXECUTING", "AWAITING_APPROVAL", "FAILED", "CANCELLED"]
    assert found["missing"]["EXECUTING"] == ["stage PLANNING: not settled: task-3"]
    assert [(each["phase"], each["reason"]) for each in found["phase_history"]] == [
        ("IDLE", "session opened"),
        ("ANALYZING", "work begins"),
        ("PLANNING", "stage 'PLANNING' begins"),
    ]


def test_a_transition_at_a_running_leader_meets_the_table_and_the_guard(project: Project) -> None:
    leader, gate = waiting(project)
    unlisted = project.teamlead("state", "transition", "done", "I say so")
    missing = project.teamlead("state", "transition", "EXECUTING", "go on")
    gate.touch()
    assert leader.end().code == 3

    assert unlisted.code == missing.code == 5
    assert "Invalid transition: PLANNING → DONE" in unlisted.err
    assert "from PLANNING: EXECUTING, AWAITING_APPROVAL, FAILED, CANCELLED" in unlisted.err
    assert "EXECUTING cannot begin yet: stage PLANNING: not settled: task-3" in missing.err
    assert [body["phase"] for body in bodies(project, "PhaseChanged")] == [
        "ANALYZING",
        "PLANNING",
        "EXECUTING",
        "REVIEWING",
        "AWAITING_APPROVAL",
    ]


def test_finished_work_is_revised_by_a_transition_and_its_reason_is_kept(project: Project) -> None:
    until_approval(project)
    moved = project.teamlead("state", "transition", "REVISION", "take the other way", "--json").json
    assert moved["phase"] == "EXECUTING"
    assert "and is EXECUTING" in moved["message"]
    assert state(project)["fix_loop"] == {"attempt": 1, "max_attempts": 3}
    assert project.teamlead("resume").code == 3
    assert "take the other way" in project.prompt(4, 2)

    refused = project.teamlead("state", "transition", "APPROVED", "it is good")
    assert refused.code == 5
    assert f"teamlead approve {project.session}" in refused.err
    assert project.teamlead("state", "transition", "REJECTED", "no more of it").code == 0
    assert project.status()["session"]["rejected"] == "no more of it"
    assert not state(project)["active"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["PLANING", "why"], "did you mean PLANNING?"),
        (["NOWHERE AT ALL", "why"], "one of: IDLE, ANALYZING"),
        (["PLANNING", " "], "the reason is empty"),
        (["PLANNING"], "Missing argument"),
    ],
)
def test_what_is_wrong_with_a_transition_is_told_and_changes_nothing(
    project: Project, words: list[str], told: str
) -> None:
    until_approval(project)
    before = project.events()
    ended = project.teamlead("state", "transition", *words)
    assert ended.code == 2
    assert told in ended.err
    assert project.events() == before


def test_without_a_session_there_is_no_phase_and_no_lock(project: Project) -> None:
    assert project.teamlead("state", "status").code == 4
    assert project.teamlead("state", "transition", "PLANNING", "why").code == 4
    found = project.teamlead("state", "check-lock", "--json")
    assert (found.code, found.json["active"]) == (0, [])
    assert project.teamlead("state", "check-lock").out == "No session is active.\n"


def test_a_session_that_waits_for_a_person_is_active_and_another_one_starts_all_the_same(
    project: Project,
) -> None:
    until_approval(project)
    locked = project.teamlead("state", "check-lock", "--json")
    assert locked.code == 1
    (found,) = locked.json["active"]
    assert (found["id"], found["led"], found["waits_for_person"]) == (project.session, False, True)
    first = project.session

    project.new_plan().task(1, [write("a.txt", "a\n")])
    assert project.start().code == 3
    found = project.teamlead("state", "check-lock", "--json").json["active"]
    assert len(found) == 2
    assert found[1]["id"] == first
    assert project.teamlead("approve").code == 0
    assert project.teamlead("reject", first).code == 0
    assert project.teamlead("state", "check-lock").code == 0


def test_a_session_that_cannot_be_read_is_told_and_locks_nothing(project: Project) -> None:
    until_approval(project)
    (project.sessions[-1] / "journal.db").write_bytes(b"no journal" * 1000)
    found = project.teamlead("state", "check-lock", "--json")
    assert found.code == 0
    assert [each["id"] for each in found.json["unreadable"]] == [project.sessions[-1].name]
    assert project.teamlead("state", "check-lock").out.startswith("unreadable: party-bugfix-")

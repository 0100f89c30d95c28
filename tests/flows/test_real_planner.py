"""The real programs plan in one conversation of their own, as long as it is there."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.flows.real import Agent, RealTeam
from tests.flows.support import Project, answer, done
from tests.flows.test_planning import planner_file

INSTRUCTION = "Paint the house in a colour that I like"


@pytest.fixture(params=["claude", "codex"])
def real(project: Project, request: pytest.FixtureRequest) -> Iterator[RealTeam]:
    agent: Agent = request.param
    team = RealTeam(project, agent).settings(planner=True)
    yield team
    team.close()


def runs(project: Project) -> Path:
    (found,) = project.state_home.glob("*/planning/*/runs")
    return found


def prompt(project: Project, number: int) -> str:
    return (runs(project) / f"planner-{number}" / "prompt.md").read_text()


def conversation(project: Project, number: int) -> str:
    lines = (runs(project) / f"planner-{number}" / "events.jsonl").read_text().splitlines()
    started: list[dict[str, Any]] = [event for event in map(json.loads, lines) if event["type"] == "started"]
    return str(started[0]["conversation"])


def test_the_next_turn_tells_only_what_is_new_and_all_of_it_where_the_conversation_is_gone(
    real: RealTeam,
) -> None:
    project = real.project
    project.plays(
        "planner",
        [done("Any colour would do.")],
        [answer(questions=["Which colour?"])],
        [answer(questions=["Which house?"])],
        purpose="plan",
    )
    asked = real.teamlead("plan", INSTRUCTION, "--json")
    assert asked.json["questions"] == ["Which colour?"]
    assert conversation(project, 2) == conversation(project, 1) == planner_file(project)["conversation"]["id"]
    assert INSTRUCTION in prompt(project, 1)
    assert INSTRUCTION not in prompt(project, 2)
    assert "the answer cannot be used" in prompt(project, 2)

    shutil.rmtree(runs(project).parent / "homes")
    asked = real.teamlead("plan", "new", "--session", asked.json["planner_session"], "green", "--json")
    assert asked.json["questions"] == ["Which house?"]
    assert "it is told everything again" in asked.err
    assert INSTRUCTION not in prompt(project, 3)
    assert "> green" in prompt(project, 3)
    assert INSTRUCTION in prompt(project, 4)
    assert "> green" in prompt(project, 4)
    assert conversation(project, 4) != conversation(project, 1)

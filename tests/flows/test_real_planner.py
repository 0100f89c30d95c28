"""The real programs plan in one conversation of their own, as long as it is there."""

import json
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from tests.flows.plannings import planning, texts
from tests.flows.real import Agent, RealTeam
from tests.flows.support import Project, answer, done

INSTRUCTION = "Paint the house in a colour that I like"


@pytest.fixture(params=["claude", "codex"])
def real(project: Project, request: pytest.FixtureRequest) -> Iterator[RealTeam]:
    agent: Agent = request.param
    team = RealTeam(project, agent).settings(planner=True)
    yield team
    team.close()


def conversation(project: Project, number: int) -> str:
    path = planning(project).folder.attempt("task-1", number) / "events.jsonl"
    events: list[dict[str, Any]] = [json.loads(line) for line in path.read_text().splitlines()]
    return next(str(event["conversation"]) for event in events if event["type"] == "started")


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
    assert texts(asked) == ["Which colour?"]
    assert conversation(project, 2) == conversation(project, 1)
    assert INSTRUCTION in planning(project).prompt(1)
    assert INSTRUCTION not in planning(project).prompt(2)
    assert "the answer cannot be used" in planning(project).prompt(2)

    shutil.rmtree(planning(project).folder.path / "homes")
    asked = real.teamlead("plan", "new", "--session", asked.json["planning"]["id"], "green", "--json")
    assert texts(asked) == ["Which house?"]
    assert "it is told everything again" in asked.err
    assert INSTRUCTION not in planning(project).prompt(3)
    assert "> green" in planning(project).prompt(3)
    assert INSTRUCTION in planning(project).prompt(4)
    assert "> green" in planning(project).prompt(4)
    assert conversation(project, 4) != conversation(project, 1)

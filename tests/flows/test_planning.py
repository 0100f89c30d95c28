"""From an instruction to a plan that was checked, and from there to a merged branch."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.flows.plannings import planning, started_from
from tests.flows.support import Ended, Project, Step, answer, done, fail, write

from teamlead.plans.load import load


def task(number: int, **changes: object) -> dict[str, Any]:
    """One as a planner says it."""
    return {
        "id": f"task-{number}",
        "summary": f"Write {number}.txt",
        "description": f"Write the file {number}.txt.",
        "scopePaths": [f"{number}.txt"],
        "acceptance": [f"{number}.txt holds its number"],
        "type": "implementation",
        "estimatedDuration": 1,
        "dependencies": [],
        **changes,
    }


def proposes(*tasks: dict[str, Any]) -> list[Step]:
    return [done(f"I looked around.\n```json\n{json.dumps(tasks)}\n```")]


def scores(*met: bool) -> list[Step]:
    """One critical criterion for each."""
    return [answer(critical=[{"criterion": f"number {n}", "met": yes} for n, yes in enumerate(met, 1)])]


def plan(project: Project, *arguments: str) -> Ended:
    """Into a file outside of the repository, in which nothing may change."""
    player = f"scripted:{project.script}"
    return project.teamlead("plan", *arguments, "--output", made(project), "--agent", player)


def made(project: Project) -> Path:
    return project.place / "made.md"


def test_an_instruction_becomes_a_plan_that_a_team_carries_out(project: Project) -> None:
    first = task(1, priority="high", notes=["nobody asked for this"])
    project.plays("planner", proposes(first, task(2, dependencies=["task-1"])))
    project.plays("task-1", [write("1.txt", "1")]).plays("task-2", [write("2.txt", "2")])
    ended = plan(project, "write two files")
    assert ended.code == 0
    assert "wave 2" in ended.out
    assert ended.err.startswith("planner session plan-")
    loaded = load(made(project))
    assert loaded.problems == []
    assert [t.depends_on for t in loaded.plan.tasks] == [(), ("task-1",)]
    kept = planning(project)
    assert kept.status == "ready"
    assert kept.instruction == "write two files"
    assert kept.score == 100
    assert kept.speakers == ["user", "planner"]
    started = project.teamlead(
        "start", "--session", kept.id, "--agent", f"scripted:{project.script}", "--approve"
    )
    assert started.code == 0, started.err
    assert project.content("main", "2.txt") == "2"
    assert started_from(project) == [project.session]
    opened = next(event["body"] for event in project.events() if event["kind"] == "SessionOpened")
    told = opened["spec"]["plan"]
    assert (told["instruction"], told["planner_session"]) == ("write two files", kept.id)
    assert told["source_type"] == "planner-session"
    assert [turn["who"] for turn in told["conversation"]] == ["user", "planner"]


def test_a_refused_breakdown_goes_back_with_every_reason(project: Project) -> None:
    bad = [task(1, dependencies=["task-3"], acceptance=["it works"]), task(1)]
    project.plays("planner", proposes(*bad), [done("no JSON here")], proposes(task(1)))
    ended = plan(project, "write a file")
    assert ended.code == 0, ended.err
    first, second, third = (attempt.reasons for attempt in planning(project).attempts)
    assert len(first) == 3
    assert "task-1 is there already" in first[0]
    assert "there is no JSON" in second[0]
    assert third == ()
    assert all(problem in planning(project).prompt(2) for problem in first)


def test_without_a_usable_plan_a_person_is_asked_with_all_that_is_still_wrong(project: Project) -> None:
    project.settings("plan_attempts = 3\n")
    project.plays("planner", proposes(*map(task, range(1, 7))))
    ended = plan(project, "write many files")
    assert ended.code == 3
    assert "no usable plan after 3 attempts" in ended.err
    assert "- there are 6 tasks, more than 5" in ended.err
    assert not made(project).exists()
    kept = planning(project)
    assert kept.status == "failed"
    assert [len(draft.tasks) for draft in kept.drafts if draft] == [6, 6, 6]
    refused = project.teamlead("start", "--session", kept.id)
    assert refused.code == 2
    assert "came to no plan" in refused.err


@pytest.mark.parametrize(
    ("reviews", "score", "proposals"),
    [
        ([scores(True)], 100, 1),
        ([scores(True, True, True, False), scores(True, True, True, True, False)], 80, 2),
        ([scores(True, True, False), scores(True, False)], 66, 2),
        ([scores(False), [done("no verdict")], scores(True)], 100, 3),
    ],
)
def test_a_plan_is_used_at_its_target_and_a_fair_one_is_bettered_once(
    project: Project, reviews: list[list[Step]], score: int, proposals: int
) -> None:
    project.plays("planner", *(proposes(task(1, summary=f"Proposal {n}")) for n in range(1, 6)))
    project.plays("planner", *reviews, purpose="quality")
    ended = plan(project, "write a file", "--json")
    assert ended.code == 0, ended.err
    made = ended.json["planning"]
    assert (made["score"], made["attempts_total"]) == (score, proposals)
    best = next(n for n in range(1, 6) if f"Proposal {n}" == made["tasks"][0]["title"])
    assert planning(project).attempts[best - 1].score == score


def test_a_fair_plan_is_used_where_the_attempt_to_better_it_fails(project: Project) -> None:
    project.plays("planner", proposes(task(1)), [fail("no more")])
    project.plays("planner", scores(True, True, False), purpose="quality")
    ended = plan(project, "write a file", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["planning"]["score"] == 66
    assert "no better plan was found" in ended.err


def test_a_verdict_that_cannot_be_read_never_passes_for_a_good_one(project: Project) -> None:
    project.settings("plan_attempts = 2\n")
    project.plays("planner", proposes(task(1))).plays("planner", [done("all is well")], purpose="quality")
    ended = plan(project, "write a file")
    assert ended.code == 3
    assert "the review of the plan cannot be read" in ended.err


def test_a_usage_limit_is_waited_for_and_shared_with_sessions(project: Project) -> None:
    project.plays("planner", [{"http": 429, "reset_in": 1}], proposes(task(1)), purpose="plan")
    ended = plan(project, "write a file")
    assert ended.code == 0, ended.err
    assert " is on hold until " in ended.err
    assert planning(project).runs == ["work", "work", "quality"]
    assert len(list((project.state_home / "holds").iterdir())) == 1, "where sessions look for it"

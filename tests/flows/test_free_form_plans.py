"""A document that is no plan in form is interpreted; what it does not say is asked, not guessed."""

import json
from typing import Any

import pytest
from tests.flows.plannings import planning, texts
from tests.flows.support import Ended, Project, Step, answer, done, write
from tests.flows.test_planning import proposes, task
from tests.flows.test_terminal import Terminal

SEED = "# テスト計画\n1. ファイル探索\n2. 簡単な実装\n"
STRUCTURED = (
    "# テスト計画\n## タスク\n### 1. 認証機能の実装\n- ブランチ: feature/auth\n- スコープ: 1.txt\n...\n"
)


def start(project: Project, text: str, *options: str, name: str = "notes.md") -> Ended:
    (project.place / name).write_text(text)
    return project.teamlead(
        "start", project.place / name, "--agent", f"scripted:{project.script}", "--approve", *options
    )


def interprets(project: Project, *runs: list[Step]) -> Project:
    project.plays("task-1", [write("1.txt", "1")])
    return project.plays("planner", *runs, purpose="interpret")


def planned(project: Project) -> dict[str, Any]:
    opened = next(event["body"] for event in project.events() if event["kind"] == "SessionOpened")
    found = opened["spec"]["plan"]
    assert isinstance(found, dict)
    return found


def test_a_bare_list_is_interpreted_and_carried_out(project: Project) -> None:
    interprets(project, proposes(task(1)))
    ended = start(project, SEED)
    assert ended.code == 0, ended.err
    assert project.content("main", "1.txt") == "1"
    assert "It has 1 task." in ended.err
    kept = planning(project)
    assert (kept.instruction, kept.status, kept.score) == ("テスト計画", "ready", None)
    assert kept.state.session.plan.source_type == "plan-document"
    assert kept.state.session.plan.text == SEED
    assert "### 1. Write 1.txt" in kept.file.read_text()
    told = planned(project)
    assert told["text"] == SEED
    assert told["planner_session"] == kept.id
    assert "source_type" not in told, "a document of the user's is what is usual"


def test_a_structured_plan_needs_no_model(project: Project) -> None:
    interprets(project, proposes(task(2)))
    ended = start(project, STRUCTURED)
    assert ended.code == 0, ended.err
    assert project.content("main", "1.txt") == "1"
    assert project.plannings == []


@pytest.mark.parametrize(
    ("text", "instruction"),
    [
        ("just do it\n\nplease", "just do it"),
        ("## Second level\ntext", "Second level"),
        ("x" * 150, "x" * 100),
    ],
)
def test_the_instruction_is_the_first_heading_or_else_the_first_line(
    project: Project, text: str, instruction: str
) -> None:
    interprets(project, proposes(task(1)))
    assert start(project, text).code == 0
    assert planning(project).instruction == instruction


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("I will do that.", "there is no JSON object or list in the answer"),
        ('[{"id": "task-1", "summary": "cut', "the JSON is broken"),
        (json.dumps([task(1, estimatedDuration="long")]), "task-1: `estimatedDuration`"),
        (json.dumps([task(1, dependencies=["task-7"])]), "task-1 depends on task-7, which does not exist"),
        ('{"tasks": []}', "it names neither `tasks` nor `questions`"),
    ],
)
def test_each_answer_that_cannot_be_used_has_an_error_of_its_own(
    project: Project, reply: str, problem: str
) -> None:
    project.settings("plan_attempts = 2\n")
    interprets(project, [done(reply)])
    ended = start(project, SEED)
    assert ended.code == 3
    assert "no usable plan after 2 attempts" in ended.err
    assert problem in ended.err
    assert project.sessions == []


def test_a_file_that_is_not_there_is_told_as_such(project: Project) -> None:
    ended = project.teamlead("start", "nothing.md", "--agent", f"scripted:{project.script}")
    assert (ended.code, "there is no plan file 'nothing.md'" in ended.err) == (4, True)


def test_without_anybody_who_plans_the_form_of_a_plan_is_told(project: Project) -> None:
    project.plays("task-1", [write("1.txt", "1")])
    ended = start(project, SEED)
    assert ended.code == 2
    assert "no recognisable tasks were found" in ended.err
    assert "no agent can turn it into a plan" in ended.err
    assert project.plannings == []


def test_a_persons_plan_may_be_larger_than_a_planners(project: Project) -> None:
    project.plays("default", [write("{task}.txt", "x")])
    project.plays(
        "planner", proposes(*(task(n, scopePaths=["*.txt"], estimatedDuration=6) for n in range(1, 7)))
    )
    ended = start(project, SEED)
    assert ended.code == 0, ended.err
    assert len(planning(project).tasks) == 6


QUESTIONS = [answer(questions=["Which file?", "In which language?"])]


def test_what_a_document_does_not_say_is_asked_of_the_user(project: Project) -> None:
    interprets(project, QUESTIONS, proposes(task(1)))
    ended = start(project, SEED)
    assert ended.code == 3
    assert "1. Which file?" in ended.out
    assert project.sessions == []
    name = planning(project).id
    assert f"teamlead start --session {name} --answer TEXT --answer TEXT" in ended.out

    again = project.teamlead("start", "--session", name)
    assert again.code == 3
    assert "2. In which language?" in again.out
    few = project.teamlead("start", "--session", name, "--answer", "1.txt")
    assert (few.code, "has 2 open questions" in few.err) == (2, True)

    player = f"scripted:{project.script}"
    answers = ("--answer", "1.txt", "--answer", "none")
    answered = project.teamlead("start", "--session", name, *answers, "--agent", player, "--approve")
    assert answered.code == 0, answered.err
    prompt = planning(project).prompt(2)
    assert "> About:\n> > Which file?" in prompt
    assert "> Answer:\n> > 1.txt" in prompt
    assert [turn["who"] for turn in planned(project)["conversation"]] == [
        "user",
        "planner",
        "user",
        "planner",
    ]


def test_questions_come_as_json_too(project: Project) -> None:
    interprets(project, QUESTIONS)
    ended = start(project, SEED, "--json")
    assert ended.code == 3
    assert texts(ended) == ["Which file?", "In which language?"]
    assert ended.json["planning"]["id"] == planning(project).id


def test_who_is_at_the_terminal_is_asked_there(project: Project) -> None:
    interprets(project, QUESTIONS, proposes(task(1)))
    (project.place / "notes.md").write_text(SEED)
    arguments = (
        "start",
        str(project.place / "notes.md"),
        "--agent",
        f"scripted:{project.script}",
        "--approve",
    )
    with Terminal(project, *arguments) as terminal:
        terminal.reads("Which file?")
        terminal.types("1.txt\n")
        terminal.reads("In which language?")
        terminal.types("none\n")
        assert terminal.end() == 0
    assert project.content("main", "1.txt") == "1"

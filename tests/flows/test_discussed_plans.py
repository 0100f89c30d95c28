"""A plan is discussed in the terminal, in one conversation, before it is accepted."""

import signal

from tests.flows.support import Project, answer
from tests.flows.test_planning import made, planner_file, proposes, task
from tests.flows.test_terminal import Terminal

ASKED = "accept, quit, or what shall be different"


def discuss(project: Project) -> Terminal:
    player = f"scripted:{project.script}"
    return Terminal(
        project, "plan", "write files", "--interactive", "--output", str(made(project)), "--agent", player
    )


def test_the_planner_is_asked_again_until_the_plan_is_accepted(project: Project) -> None:
    project.plays("planner", proposes(task(1)), proposes(task(1), task(2, summary="Write another one")))
    with discuss(project) as terminal:
        terminal.reads(ASKED)
        assert "Write 1.txt" in terminal.seen
        assert not made(project).exists()
        terminal.types("two files, please\n")
        terminal.reads("Write another one")
        terminal.reads(ASKED)
        terminal.types("accept\n")
        assert terminal.end() == 0
    assert "### 2. Write another one" in made(project).read_text()
    kept = planner_file(project)
    said = [turn["text"] for turn in kept["conversationHistory"] if turn["who"] == "user"]
    assert said == ["write files", "two files, please"]
    (folder,) = project.state_home.glob("*/planning/*/runs")
    assert "> two files, please" in (folder / "planner-3" / "prompt.md").read_text()


def test_who_quits_has_no_plan_but_can_come_back(project: Project) -> None:
    project.plays("planner", proposes(task(1)))
    with discuss(project) as terminal:
        terminal.reads(ASKED)
        terminal.types("quit\n")
        assert terminal.end() == 130
    assert not made(project).exists()
    name = planner_file(project)["id"]
    refused = project.teamlead("start", "--session", name)
    assert (refused.code, "was not accepted" in refused.err) == (2, True)


def test_a_wish_that_cannot_be_met_leaves_the_plan_as_it_was(project: Project) -> None:
    project.settings("plan_attempts = 1\n")
    project.plays("planner", proposes(task(1)), proposes(task(1, acceptance=["works"])))
    with discuss(project) as terminal:
        terminal.reads(ASKED)
        terminal.types("worse, please\n")
        terminal.reads("The plan stays as it was.")
        terminal.reads(ASKED)
        terminal.types("accept\n")
        assert terminal.end() == 0
    assert "1.txt holds its number" in made(project).read_text()


def test_the_planners_questions_are_asked_in_the_terminal(project: Project) -> None:
    project.plays("planner", [answer(questions=["How many?"])], proposes(task(1)))
    with discuss(project) as terminal:
        terminal.reads("How many?")
        terminal.types("one\n")
        terminal.reads(ASKED)
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
    assert planner_file(project)["status"] == "proposed"

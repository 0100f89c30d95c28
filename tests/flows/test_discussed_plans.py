"""A plan is discussed in the terminal, in one conversation, before it is accepted."""

from tests.flows.plannings import planning
from tests.flows.support import HANG, Project, answer, touch, until
from tests.flows.test_planning import made, proposes, task
from tests.flows.test_terminal import Terminal

ASKED = "accept, quit, or say what to change"
CTRL_C = "\x03"
"""Its terminal makes a signal of it."""
END_OF_INPUT = "\x04"


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
    assert planning(project).user == ["write files", "two files, please"]
    assert "> two files, please" in planning(project).prompt(2)


def test_who_quits_has_no_plan_but_can_come_back(project: Project) -> None:
    project.plays("planner", proposes(task(1)))
    with discuss(project) as terminal:
        terminal.reads(ASKED)
        assert "Acceptance:" in terminal.seen, "one sees what one is to agree to"
        terminal.types("quit\n")
        assert terminal.end() == 3
    assert not made(project).exists()
    name = planning(project).id
    assert f"teamlead plan new --session {name} --interactive" in terminal.seen
    refused = project.teamlead("start", "--session", name)
    assert (refused.code, "was not accepted" in refused.err) == (2, True)
    again = ("plan", "new", "--interactive", "--session", name, "--output", str(made(project)))
    with Terminal(project, *again) as terminal:
        terminal.reads(ASKED)
        terminal.types("accept\n")
        assert terminal.end() == 0
    assert planning(project).runs == ["work", "quality"], "the planner was not asked again"
    assert "### 1. Write 1.txt" in made(project).read_text()


def test_whoever_accepts_a_plan_elsewhere_gets_it_and_is_told_how_it_is_carried_out(project: Project) -> None:
    project.plays("planner", proposes(task(1)))
    with discuss(project) as terminal:
        terminal.reads(ASKED)
        terminal.types("quit\n")
        assert terminal.end() == 3
    name = planning(project).id
    shown = project.teamlead("plan", "show")
    assert (shown.code, "### 1. Write 1.txt" in shown.out) == (0, True)
    assert f"It was not accepted yet. Take it: teamlead resolve {name} --resolution accept" in shown.err
    silent = project.teamlead("plan", "new", "--session", name)
    assert (silent.code, f"`teamlead plan show {name}`" in silent.err) == (2, True)
    accepted = project.background("resolve", name, "--resolution", "accept").end()
    assert "wave 1  ○  task-1  Write 1.txt" in accepted.out
    assert "The plan is in plan.md, scored 100 of 100." in accepted.out
    assert f"teamlead start --session {name}\n" in accepted.out
    assert planning(project).file.exists()


def test_ctrl_c_at_the_prompt_keeps_the_proposal_and_says_how_to_go_on(project: Project) -> None:
    project.plays("planner", proposes(task(1)))
    with discuss(project) as terminal:
        terminal.reads(ASKED)
        terminal.types(CTRL_C)
        assert terminal.end() == 130
    kept = planning(project)
    assert f"Go on with: teamlead plan new --session {kept.id} --interactive" in terminal.seen
    assert "Traceback" not in terminal.seen
    assert (kept.status, made(project).exists(), project.copies()) == ("proposed", False, [])
    project.require_nothing_runs()
    again = ("plan", "new", "--session", kept.id, "--interactive", "--output", str(made(project)))
    with Terminal(project, *again) as terminal:
        terminal.reads(ASKED)
        terminal.types("accept\n")
        assert terminal.end() == 0
    assert planning(project).runs == ["work", "quality"], "the planner was not asked again"


def test_ctrl_c_while_another_plan_is_made_leaves_the_one_that_was_proposed(project: Project) -> None:
    project.plays("planner", proposes(task(1)), [touch(project.barrier("reading")), HANG])
    with discuss(project) as terminal:
        terminal.reads(ASKED)
        terminal.types("two files, please\n")
        until(project.barrier("reading").exists, "the planner reads")
        terminal.types(CTRL_C)
        assert terminal.end() == 130
    kept = planning(project)
    assert f"Go on with: teamlead plan new --session {kept.id} --interactive" in terminal.seen
    assert kept.status == "planning"
    project.require_nothing_runs()
    assert kept.user[-1] == "two files, please"
    again = ("plan", "new", "--session", kept.id, "--interactive", "--output", str(made(project)))
    with Terminal(project, *again) as terminal:
        terminal.reads(ASKED)
        terminal.types("accept\n")
        assert terminal.end() == 0
    assert "### 1. Write 1.txt" in made(project).read_text()


def test_without_a_terminal_nothing_is_discussed_and_nobody_is_asked(project: Project) -> None:
    ended = project.teamlead("plan", "write files", "--interactive")
    assert (ended.code, "needs a terminal" in ended.err) == (2, True)


def test_a_question_left_for_later_does_not_lose_the_other_answers(project: Project) -> None:
    project.plays("planner", [answer(questions=["How many?", "Where?"])], proposes(task(1)))
    with discuss(project) as terminal:
        terminal.reads("How many?")
        terminal.types("one\n")
        terminal.reads("Where?")
        terminal.types("\n")
        terminal.reads(ASKED)
    assert planning(project).user[1:] == ["About:\n> How many?\nAnswer:\n> one"]


def test_a_wish_that_cannot_be_met_leaves_the_plan_as_it_was(project: Project) -> None:
    project.settings("plan_attempts = 1\n")
    project.plays(
        "planner", proposes(task(1)), [answer(title="Worse", tasks=[task(1, acceptance=["works"])])]
    )
    with discuss(project) as terminal:
        terminal.reads(ASKED)
        terminal.types("worse, please\n")
        terminal.reads("The plan stays as it was.")
        terminal.reads(ASKED)
        terminal.types("accept\n")
        assert terminal.end() == 0
    assert made(project).read_text().startswith("# write files\n")
    assert "1.txt holds its number" in made(project).read_text()


def test_the_planners_questions_are_asked_in_the_terminal(project: Project) -> None:
    project.plays("planner", [answer(questions=["How many?"])], proposes(task(1)))
    with discuss(project) as terminal:
        terminal.reads("How many?")
        terminal.types("one\n")
        terminal.reads(ASKED)
        terminal.types(END_OF_INPUT)
        assert terminal.end() == 3
    assert planning(project).status == "proposed"

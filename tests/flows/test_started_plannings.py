"""What a planning came to is started as it is, edited, or at once; what stands in the way is told."""

import shutil
from pathlib import Path

import pytest
from tests.flows.plannings import planning, started_from
from tests.flows.support import Project, answer, done, run, write
from tests.flows.test_planning import made, plan, proposes, task


@pytest.fixture
def planned(project: Project) -> Project:
    """A planning of one task, which its plan's file says too."""
    project.plays("planner", proposes(task(1))).plays("task-1", [write("1.txt", "1")])
    assert plan(project, "write a file").code == 0
    return project


def start(project: Project, *arguments: str | Path) -> str:
    ended = project.teamlead("start", *arguments, "--agent", f"scripted:{project.script}", "--approve")
    assert ended.code == 0, ended.err
    return ended.err


def instruction(project: Project) -> str:
    opened = next(event["body"] for event in project.events() if event["kind"] == "SessionOpened")
    return str(opened["spec"]["plan"].get("instruction", ""))


def test_the_other_name_of_the_option_does_the_same(planned: Project) -> None:
    start(planned, "--planner-session", planning(planned).id)
    assert planned.content("main", "1.txt") == "1"


def test_an_edited_file_is_taken_where_it_is_named_and_told_of_where_it_is_not(planned: Project) -> None:
    made(planned).write_text(made(planned).read_text() + "- Branch: mine\n")
    told = start(planned, "--session", planning(planned).id)
    assert f"{made(planned)} was edited since. The edited plan is not used here" in told


def test_a_plan_is_started_as_often_as_wanted_and_told_where_head_has_moved_since(planned: Project) -> None:
    name = planning(planned).id
    first = planned.teamlead("start", "--session", name, "--agent", f"scripted:{planned.script}")
    assert (first.code, "HEAD has moved" in first.err) == (3, False)
    planned.git("commit", "--allow-empty", "--quiet", "-m", "meanwhile")
    told = start(planned, "--session", name)
    assert "HEAD has moved since the planning, from " in told
    assert started_from(planned) == [path.name for path in planned.sessions]
    assert len(planned.sessions) == 2


def test_commands_about_work_pass_plannings_over(planned: Project) -> None:
    start(planned, "--session", planning(planned).id)
    player = f"scripted:{planned.script}"
    again = planned.teamlead(
        "plan", "write another", "--agent", player, "--output", planned.place / "other.md"
    )
    assert again.code == 0, again.err
    latest, session, _ = (view["id"] for view in planned.teamlead("list", "--json").json["sessions"])
    assert (latest, session) == (planned.plannings[-1].name, planned.session), "by when they were opened"
    assert planned.status()["session"]["id"] == latest
    assert planned.session in planned.teamlead("report").out


def test_whoever_asks_a_planning_for_work_is_told_how_its_plan_is_carried_out(planned: Project) -> None:
    name = planning(planned).id
    for command in (
        *(("approve", name), ("reject", name), ("report", name), ("diff", "--session", name)),
        *(("retry", "1", "--session", name), ("skip", "1", "--session", name)),
        ("pause", "1", "--session", name),
        *(("reassign", "1", "--agent", "claude", "--session", name), ("evidence", "1", "--session", name)),
        ("plan", "add", "Another", "--session", name),
    ):
        refused = planned.teamlead(*command)
        assert refused.code == 4, command
        assert f"{name!r} is a planning" in refused.err, command
        assert f"`teamlead start --session {name}`" in refused.err, command


def test_the_plan_of_a_planning_is_shown_at_any_time(planned: Project) -> None:
    shown = planned.teamlead("plan", "show")
    assert (shown.code, shown.out) == (0, made(planned).read_text())
    made(planned).write_text("mine")
    again = planned.teamlead("plan", "show", planning(planned).id)
    assert again.out == shown.out
    assert "was edited since. This is the plan as the planner left it." in again.err


@pytest.mark.parametrize("command", ["check", "graph"])
def test_whoever_names_a_planning_for_a_plan_file_is_told_what_shows_its_plan(
    planned: Project, command: str
) -> None:
    name = planning(planned).id
    refused = planned.teamlead("plan", command, name)
    assert refused.code == 4
    assert f"{name!r} is no plan file, but a planner session" in refused.err
    assert f"`teamlead plan show {name}`" in refused.err


def test_whoever_says_nothing_to_a_planning_that_has_its_plan_is_told_what_can_be_done(
    planned: Project,
) -> None:
    name = planning(planned).id
    refused = planned.teamlead("plan", "new", "--session", name)
    assert refused.code == 2
    assert f"planner session {name!r} has its plan" in refused.err
    for way in (f'plan new --session {name} "TEXT"', f"plan show {name}", f"start --session {name}"):
        assert f"`teamlead {way}`" in refused.err


def test_a_planning_without_a_plan_is_told_as_such_everywhere(project: Project) -> None:
    project.settings("plan_attempts = 2\n")
    project.plays("planner", [done("no plan")])
    assert plan(project, "write a file").code == 3
    name = planning(project).id
    for command in (("approve",), ("report", name), ("retry", "1", "--session", name)):
        refused = project.teamlead(*command)
        assert (refused.code, "which has no plan yet and no work" in refused.err) == (4, True), command
        assert f"`teamlead escalations {name}`" in refused.err
        assert "teamlead start" not in refused.err
    shown = project.teamlead("plan", "show")
    assert (shown.code, "came to no plan" in shown.err, shown.out) == (4, True, "")
    assert "PROPOSAL: no usable plan after 2 attempts. …\n" in project.teamlead("status").out
    (listed,) = project.teamlead("plan", "list", "--json").json["plannings"]
    assert listed["state"] == project.status()["session"]["state"] == "ESCALATING"
    assert project.teamlead("cancel").code == 0
    ended = project.teamlead("approve")
    assert (ended.code, "which came to no plan" in ended.err) == (4, True)


def test_without_a_planning_there_is_no_plan_to_show(project: Project) -> None:
    refused = project.teamlead("plan", "show")
    assert (refused.code, "there is no planner session in this repository" in refused.err) == (4, True)


def test_the_status_of_a_planning_names_no_integration_branch(planned: Project) -> None:
    assert "integration" not in planned.teamlead("status").out
    assert planned.status()["session"]["integration_branch"] == ""


def test_a_word_to_a_planning_that_is_over_begins_one_that_inherits_the_conversation(
    project: Project,
) -> None:
    project.plays("planner", proposes(task(1)))
    assert plan(project, "write a file").code == 0
    first = planning(project)
    again = project.teamlead(
        "plan", "new", "two of them", "--session", first.id, "--output", project.place / "2.md"
    )
    assert again.code == 0, again.err
    _, folder = project.plannings
    inherited = (folder / "attempts/task-1-1/prompt.md").read_text()
    assert "write a file" in inherited
    assert "From user:\n> two of them" in inherited
    assert "From planner:" in inherited


def test_the_plans_file_still_knows_what_was_wanted(planned: Project) -> None:
    assert "was edited" not in start(planned, made(planned))
    assert instruction(planned) == "write a file"


@pytest.mark.parametrize("checks", [[], ["test -f 1.txt"]], ids=["without commands", "with commands"])
def test_a_plans_file_says_who_made_it_and_warns_of_its_commands(project: Project, checks: list[str]) -> None:
    project.plays("planner", proposes(task(1, checks=checks)))
    assert plan(project, "write a file").code == 0
    warning = " Its commands are run as you: read them before you start it." if checks else ""
    line = f"\nMade by planner session {planning(project).id}.{warning}\n"
    assert line in made(project).read_text()


def test_a_file_that_no_longer_says_who_made_it_is_a_plan_of_the_users(project: Project) -> None:
    project.plays("planner", proposes(task(1, checks=["true"]))).plays("task-1", [write("1.txt", "1")])
    assert plan(project, "write a file").code == 0
    lines = made(project).read_text().splitlines(keepends=True)
    made(project).write_text("".join(line for line in lines if not line.startswith("Made by")))
    assert "which a planner made" not in start(project, made(project))
    assert instruction(project) == ""


@pytest.mark.parametrize("way", ["as it is", "as a file", "as a file elsewhere, of a planning that is gone"])
def test_commands_that_a_planner_chose_are_told_before_they_run(project: Project, way: str) -> None:
    chosen = task(1, checks=["test -f 1.txt", "test ! -f 2.txt"])
    project.plays("planner", proposes(chosen)).plays("task-1", [write("1.txt", "1")])
    assert plan(project, "write a file").code == 0
    file = made(project)
    if way == "as it is":
        told = start(project, "--session", planning(project).id)
    elif way == "as a file":
        told = start(project, file)
    else:
        shutil.rmtree(project.state_home)
        told = start(project, file.rename(project.place / "mine.md"))
    shown = "Commands of this plan, written by a planner; they run with your rights: "
    assert f"{shown}test -f 1.txt; test ! -f 2.txt\n" in told


def test_an_answer_that_is_empty_or_to_nothing_is_refused(project: Project) -> None:
    project.plays("planner", [answer(questions=["How many?"])], proposes(task(1)))
    assert plan(project, "write a file").code == 3
    start = ("start", "--agent", f"scripted:{project.script}", "--session", planning(project).id)
    empty = project.teamlead(*start, "--answer", " ")
    assert (empty.code, "1 open question, and got 0 answers" in empty.err) == (2, True), empty.err
    assert planning(project).status == "asking"


def test_a_plan_can_be_started_at_once(project: Project) -> None:
    project.plays("planner", proposes(task(1))).plays("task-1", [write("1.txt", "1")])
    ended = plan(project, "write a file", "--start")
    assert ended.code == 3, "the work waits for approval"
    assert started_from(project) == [project.session]
    assert project.states() == {"task-1": "DONE"}


def test_what_is_not_there_is_told_as_such(project: Project) -> None:
    for command in (("start", "--session", "plan-1"), ("plan", "new", "--session", "plan-1", "go on")):
        ended = project.teamlead(*command)
        assert (ended.code, "there is no planner session 'plan-1'" in ended.err) == (4, True)


@pytest.mark.parametrize(
    "arguments", [("start",), ("start", "plan.md", "--session", "x"), ("start", "plan.md", "--answer", "x")]
)
def test_a_start_needs_one_plan(project: Project, arguments: tuple[str, ...]) -> None:
    assert project.teamlead(*arguments).code == 2


def test_without_an_agent_there_is_no_planning(project: Project) -> None:
    ended = project.teamlead("plan", "write a file", PATH="/usr/bin:/bin")
    assert (ended.code, "no agent was chosen, and none that works was found" in ended.err) == (2, True)
    assert project.plannings == []


def test_the_configuration_names_who_plans(project: Project) -> None:
    project.plays("planner", proposes(task(1)))
    project.settings(f'agent = "command:false"\n[roles.planner]\nagent = "scripted:{project.script}"\n')
    assert project.teamlead("plan", "write a file", "--output", made(project)).code == 0
    assert planning(project).attempts[0].run.agent.startswith("scripted:")


def test_an_agent_that_does_not_plan_is_told_as_such(project: Project) -> None:
    project.settings('agent = "command:false"\n')
    ended = project.teamlead("plan", "write a file")
    assert (ended.code, "'command:false' does not plan" in ended.err) == (2, True)


def test_a_planner_that_fails_is_a_question(project: Project) -> None:
    ended = project.teamlead("plan", "write a file", "--agent", "command:false")
    assert ended.code == 3
    assert "command:false gave no answer" in ended.err
    assert planning(project).status == "failed"


def test_what_a_planner_writes_is_thrown_away(project: Project) -> None:
    project.plays("planner", [write("left.txt", "x"), run("git add -A"), *proposes(task(1))])
    assert plan(project, "write a file").code == 0
    assert project.copies() == []
    assert not (project.root / "left.txt").exists()
    assert project.git("status", "--porcelain") == ""


def test_questions_are_answered_in_the_next_call(project: Project) -> None:
    project.plays("planner", [answer(questions=["Which file?"])], proposes(task(1)))
    ended = plan(project, "write a file")
    assert (ended.code, "1. Which file?" in ended.out) == (3, True)
    name = planning(project).id
    assert f'teamlead plan new --session {name} "TEXT"' in ended.out
    assert plan(project, "--session", name, "1.txt").code == 0
    assert "1.txt holds its number" in made(project).read_text()


def test_files_get_the_next_free_name(project: Project) -> None:
    project.plays("planner", proposes(task(1)))
    for _ in range(2):
        assert project.background("plan", "write it", "--agent", f"scripted:{project.script}").end().code == 0
    assert sorted(path.name for path in project.root.glob("*.md")) == ["README.md", "plan-2.md", "plan.md"]
    there = project.teamlead(
        "plan", "write it", "--output", "plan.md", "--agent", f"scripted:{project.script}"
    )
    assert (there.code, "'plan.md' is there already" in there.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chek", "plan.md"), "Did you mean 'check'?"),
        (("README.md",), "'README.md' is a file, not an instruction"),
        (("  ",), "there is no instruction"),
        (("make", "a", "login"), "unexpected extra arguments"),
    ],
)
def test_what_is_no_instruction_starts_no_planner(
    project: Project, arguments: tuple[str, ...], told: str
) -> None:
    ended = project.teamlead("plan", *arguments)
    assert ended.code == 2
    assert told in ended.err

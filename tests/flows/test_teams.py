"""A team from a preset works through its stages to the gate."""

from collections.abc import Sequence
from typing import Any

from tests.flows.support import Project, Step, done, run, write

from teamlead.core.model import TaskForm, TaskSpec
from teamlead.rehearsal.made_up_work import rehearsed_report

FAULT = "a bug: shared.txt says two"
MEMBERS: dict[int, tuple[str, TaskForm]] = {
    1: ("code-explorer", "exploration"),
    2: ("qa-engineer", "review"),
    3: ("system-architect", "design"),
    4: ("backend-specialist", "implementation"),
    5: ("qa-engineer", "review"),
    6: ("security-auditor", "review"),
}


def handed_in(number: int, words: str = "") -> Step:
    role, form = MEMBERS[number]
    report = rehearsed_report(TaskSpec(f"task-{number}", f"Part {number}", role=role, form=form))
    return done(f"{report}\n{words}" if words else report)


def bugfix(project: Project, **runs: Sequence[list[Step]]) -> Project:
    """What its six tasks do, in their order: analyst, tester, designer, fixer, tester, reviewer."""
    look = run("cat README.md")
    for number in MEMBERS:
        usual = [
            [look, *([write("shared.txt", "one\n2\nthree\n")] if number == 4 else []), handed_in(number)]
        ]
        project.plays(f"task-{number}", *runs.get(f"task_{number}", usual))
    return project


def bodies(project: Project, *kinds: str) -> list[dict[str, Any]]:
    return [event["body"] for event in project.events() if event["kind"] in kinds]


def test_the_bugfix_team_works_from_a_keyword_to_the_users_branch(project: Project) -> None:
    bugfix(project)

    ended = project.start_team(FAULT)

    assert ended.code == 3, ended.out + ended.err
    assert "bugfix fits: bug" in ended.err
    assert set(project.states().values()) == {"DONE"}
    assert project.teamlead("approve").code == 0
    assert project.content("main", "shared.txt") == "one\n2\nthree"

"""Flows that tell today what they told before: every reading command's JSON, and the events of each task.

What changes in it on purpose is recorded anew, and read as a difference before it is committed:
`TEAMLEAD_TEST_RECORD=1 .venv/bin/python -m pytest tests/flows/test_golden.py`.
"""

import os
from collections.abc import Callable, Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from tests.flows.golden import document, events, normalised, pretty
from tests.flows.support import HANG, ROOMLESS, Project, answer, ask, done, fail, touch, until, write

GOLDENS = Path(__file__).parent / "goldens"
RECORD = bool(os.environ.get("TEAMLEAD_TEST_RECORD"))

Moments = Iterator[str]
"""A flow yields the name of each moment at which to look."""


def dependencies(project: Project) -> Moments:
    """A diamond of tasks, two at once, merged and approved."""
    project.task(1, [write("1.txt", "1\n")], scope="1.txt", checks=["test -f 1.txt"])
    for number in (2, 3):
        project.task(number, [write(f"{number}.txt", "made\n")], after=[1], scope=f"{number}.txt")
    project.task(4, [write("4.txt", "4\n")], after=[2, 3], checks=["test -f 2.txt && test -f 3.txt"])
    assert project.start("--jobs", "2").code == 3
    yield "merged"
    assert project.teamlead("approve").code == 0
    yield "approved"


def false_done(project: Project) -> Moments:
    """Nothing was changed, then a check fails, then it holds."""
    project.task(
        1,
        [done("It is all done.")],
        [write("1.txt", "bad\n")],
        [write("1.txt", "good\n")],
        checks=["grep good 1.txt"],
    )
    assert project.start("--approve").code == 0
    yield "approved"


def question(project: Project) -> Moments:
    """One task asks while another is done; the answer reaches it."""
    project.task(1, [ask("Which colour?", "red", "blue")], [write("1.txt", "{answer}\n")])
    project.task(2, [write("2.txt", "2\n")])
    project.task(3, [write("3.txt", "3\n")], after=[1])
    assert project.start("--jobs", "1").code == 3
    yield "asked"
    assert project.resolve("blue").code == 0
    assert project.teamlead("resume").code == 3
    assert project.content(project.integration, "1.txt") == "blue"
    yield "answered"


def conflict(project: Project) -> Moments:
    """Two tasks change the same line: the later one goes again on the merged work."""
    project.task(1, [write("shared.txt", "first\n")])
    project.task(2, [write("shared.txt", "second\n")], [write("shared.txt", "both\n")])
    assert project.start("--jobs", "1").code == 3
    yield "merged"


def judged(project: Project) -> Moments:
    """The judge sends one work back and leaves the other to a person, who takes it."""
    for number in (1, 2):
        project.task(number, [write(f"{number}.txt", "attempt {attempt}\n")], scope=f"{number}.txt")
    project.plays(
        "task-1-judge",
        [answer(success=False, reason="no tests", missingRequirements=["a test"], shouldContinue=True)],
        [answer(success=True, reason="it is all there")],
    )
    project.plays("task-2-judge", [answer(success=False, reason="it is not what was meant")])
    assert project.start("--jobs", "1").code == 3
    yield "asked"
    assert project.resolve("accept").code == 0
    assert project.teamlead("resume").code == 3
    yield "accepted"


def replanned(project: Project) -> Moments:
    """What failed three times is cut anew, and who waited for it waits for what came instead."""
    project.task(1, [fail("no idea")])
    project.task(2, [write("2.txt", "2\n")], after=[1])
    project.plays("default", [write("steps/{task}.txt", "made\n")])
    common = {"scopePaths": ["steps/"], "acceptance": "It is done"}
    smaller = {"id": "task-1", "description": "A smaller step", **common}
    rest = {"id": "task-2", "description": "The rest", "dependencies": ["task-1"], **common}
    project.plays("planner", [answer(reason="smaller steps", tasks=[smaller, rest])], purpose="replan")
    assert project.start("--jobs", "1").code == 3
    yield "merged"


def broken_together(project: Project) -> Moments:
    """What is right in each copy is wrong together: the task that broke it goes again."""
    pair = "! { test -f a.txt && test -f b.txt; } || test -f glue.txt"
    project.settings(f"{ROOMLESS}checks = ['{pair}']\n")
    glue = [write("glue.txt", "glue\n")]
    project.task(1, [write("a.txt", "a\n")], glue).task(2, [write("b.txt", "b\n")], glue)
    assert project.start("--approve", "--jobs", "1").code == 0
    yield "approved"


def skipped_and_rejected(project: Project) -> Moments:
    """A person skips what failed for good, and turns down the rest."""
    project.task(1, [fail("no idea")])
    project.task(2, [write("2.txt", "2\n")], after=[1])
    assert project.start("--attempts", "1").code == 3
    yield "asked"
    assert project.resolve("skip").code == 0
    assert project.teamlead("resume").code == 3
    yield "skipped"
    assert project.teamlead("reject", "--reason", "not what I want").code == 0
    yield "rejected"


def cancelled(project: Project) -> Moments:
    """A person ends it all while an agent is at work: what it made is kept."""
    project.task(1, [write("1.txt", "1\n")])
    project.task(2, [write("2.txt", "2\n"), touch(project.barrier("working")), HANG], after=[1])
    project.task(3, [write("3.txt", "3\n")], after=[2])
    leader = project.start_in_background("--jobs", "1")
    until(project.barrier("working").exists, "task 2 is at work")
    assert project.teamlead("cancel", "--now").code == 0
    assert leader.end().code == 1
    yield "cancelled"


def budget(project: Project) -> Moments:
    """Where the money ends a person is asked, and gives more."""
    spends = {"usage": {"input_tokens": 500, "output_tokens": 100}}
    for number in (1, 2):
        project.task(number, [spends, write(f"{number}.txt", "made\n")])
    assert project.start("--jobs", "1", "--budget", "700 tokens").code == 3
    yield "asked"
    assert project.resolve("more").code == 0
    assert project.teamlead("resume").code == 3
    yield "merged"


FLOWS: dict[str, Callable[[Project], Moments]] = {
    flow.__name__: flow
    for flow in (
        dependencies,
        false_done,
        question,
        conflict,
        judged,
        replanned,
        broken_together,
        skipped_and_rejected,
        cancelled,
        budget,
    )
}
PLANNED = "planned"


def told(project: Project, flow: Callable[[Project], Moments]) -> dict[str, Any]:
    found: dict[str, Any] = {
        moment: {
            "status": document(project, "status"),
            "escalations": document(project, "escalations", "--all"),
        }
        for moment in flow(project)
    }
    return {**found, "report": document(project, "report"), "events": events(project)}


def matches(name: str, found: dict[str, Any]) -> None:
    path = GOLDENS / f"{name}.json"
    if RECORD:
        path.write_text(pretty(found) + "\n", "utf-8")
    before = path.read_text("utf-8").splitlines()
    difference = [*unified_diff(before, pretty(found).splitlines(), "before", "now", n=2, lineterm="")]
    assert not difference, "\n".join(difference)


@pytest.mark.parametrize("name", FLOWS)
def test_a_flow_tells_what_it_told_before(project: Project, name: str) -> None:
    project.settings(ROOMLESS)
    matches(name, told(project, FLOWS[name]))


def test_a_plan_that_is_made_and_carried_out_tells_what_it_told_before(project: Project) -> None:
    project.settings(ROOMLESS)
    proposed = [
        {
            "id": f"task-{number}",
            "description": f"Write the file {number}.txt.",
            "summary": f"Write {number}.txt",
            "scopePaths": [f"{number}.txt"],
            "acceptance": f"{number}.txt holds its number",
            "type": "implementation",
            "estimatedDuration": 1,
            "dependencies": ["task-1"] if number == 2 else [],
        }
        for number in (1, 2)
    ]
    project.plays("planner", [answer(reason="as small as can be", tasks=proposed)], purpose="plan")
    for number in (1, 2):
        project.plays(f"task-{number}", [write(f"{number}.txt", f"{number}\n")])
    agent = f"scripted:{project.script}"
    output = str(project.place / "made.md")
    made = project.teamlead("plan", "write two files", "--agent", agent, "--output", output, "--json").json

    def carried_out(project: Project) -> Moments:
        started = project.teamlead(
            "start", "--session", made["planning"]["id"], "--agent", agent, "--jobs", "1", "--approve"
        )
        assert started.code == 0, started.err
        yield "approved"

    matches(PLANNED, {**told(project, carried_out), "plan": normalised(project, made)})


def test_every_golden_belongs_to_a_flow() -> None:
    assert {path.stem for path in GOLDENS.iterdir()} == {*FLOWS, PLANNED}

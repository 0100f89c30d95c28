"""What an agent says was done before it came is an outcome of its own, with proof."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.core.leading import NO, led, options, say, text
from tests.core.support import World, task
from tests.core.told import agent_ended, check_ended, work_found

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Judgement
from teamlead.core.attempts.proof import evidence_of
from teamlead.core.evidence.values import BaseRun, Evidence
from teamlead.core.reports import Feedback, ImplementationFeedback, Reference, Result
from teamlead.core.work.acceptance import UNCHANGED

SAID = ImplementationFeedback("already_done", notes="`greet` is in src/app.py:3, and test_greet covers it")
HANDED_IN = Result(
    "ALREADY_DONE", "greet is there", "", (Reference("greet", "src/app.py:3"),), 70, "I read it and ran it"
)
SATISFIED = Judgement(success=False, reason="it is in src/app.py", already_satisfied=True)


def nothing_changed(
    feedback: Feedback | None = SAID,
    *consultants: Any,
    result: Result | None = None,
    calls: int = 3,
    evidence: tuple[Evidence, ...] = (),
    **fields: Any,
) -> World:
    """An attempt that left nothing, and said this about it."""
    fields = {"checks": ("make test",)} | fields
    world = led(task(1, **fields), task(2, 1), consultants=consultants)
    world.tell(f.CopyReady("task-1", 1, "base"))
    world.tell(agent_ended("task-1", 1, "ok", tool_calls=calls))
    world.tell(work_found("task-1", 1, "", feedback=feedback, result=result, evidence=evidence))
    return world


def check(world: World, exit_code: int = 0, base: int | None = 0) -> None:
    on_base = None if base is None else BaseRun(base)
    world.tell(check_ended("task-1", 1, "make test", exit_code, base=on_base))


@pytest.mark.parametrize(
    "given",
    [{"feedback": SAID}, {"feedback": None, "result": HANDED_IN}],
    ids=["in passing", "as its status"],
)
def test_it_is_done_where_its_own_checks_pass_and_have_passed_before(given: Any) -> None:
    world = nothing_changed(**given)
    check(world)
    found = world.task(1)
    assert (found.state, found.failures, found.commit) == ("DONE", 0, "")
    assert found.detail == "was done before: `make test` passes on what it started from"
    assert world.due(do.PrepareCopy, 2).bases == ("base",)
    [said] = [each for each in evidence_of(world.state, found, found.attempts[0]) if each.kind == "change"]
    assert (said.verdict, said.claim) == ("flagged", "it was done before")
    assert "its agent says: " in said.found


@pytest.mark.parametrize(
    "feedback",
    [
        None,
        ImplementationFeedback("success", notes="all is done"),
        ImplementationFeedback("already_done"),
    ],
    ids=["nothing", "success", "nowhere"],
)
def test_an_empty_done_is_refused_as_ever(feedback: Feedback | None) -> None:
    world = nothing_changed(feedback)
    assert world.task(1).attempts[0].outcome == "refused"
    assert world.task(1).attempts[0].reasons == (UNCHANGED,)


def test_who_has_not_looked_at_anything_is_not_believed() -> None:
    world = nothing_changed(calls=0)
    assert world.task(1).attempts[0].reasons == (UNCHANGED,)


CITED = Evidence("references", "proven", "what it cites is there", "1 of 1")


def test_who_cites_lines_that_are_there_has_looked_whatever_its_program_tells_of_tools() -> None:
    world = nothing_changed(calls=0, evidence=(CITED,))
    check(world)
    assert world.task(1).state == "DONE"


def test_who_cites_nothing_that_is_there_and_used_no_tool_is_not_believed() -> None:
    world = nothing_changed(calls=0, evidence=(replace(CITED, verdict="unknown"),))
    assert world.task(1).attempts[0].reasons == (UNCHANGED,)


def test_checks_that_fail_speak_against_it() -> None:
    world = nothing_changed()
    check(world, exit_code=1, base=1)
    reasons = world.task(1).attempts[0].reasons
    assert reasons[0] == UNCHANGED
    assert "nothing shows that the task is done" in reasons[1]


def test_checks_that_pass_in_its_copy_only_refute_it() -> None:
    world = nothing_changed()
    check(world, base=1)
    assert world.task(1).attempts[0].outcome == "refused"
    assert "`make test` does not pass on what it started from" in world.task(1).attempts[0].reasons[0]


@pytest.mark.parametrize("checks", [(), ("make test",)], ids=["no check", "a check of which nobody knows"])
def test_where_no_check_shows_it_a_person_is_asked_and_it_is_no_failure(checks: tuple[str, ...]) -> None:
    world = nothing_changed(checks=checks)
    if checks:
        check(world, base=None)
    found = world.task(1)
    assert (found.state, found.failures, found.attempts[0].outcome) == ("BLOCKED", 0, "asked")
    assert "no check of its own shows it: `greet` is in src/app.py:3" in text(world)
    assert options(world) == ("accept", "retry", "skip", "stop")
    world.tell(f.Resolve("esc-1", "accept"))
    assert found.state == "DONE"
    assert found.detail.startswith("was done before: ")
    assert world.due(do.PrepareCopy, 2)


def test_a_person_who_does_not_believe_it_has_it_done_with_their_advice() -> None:
    world = nothing_changed(checks=())
    world.tell(f.Resolve("esc-1", "look at the other greet"))
    assert world.task(1).live is not None
    assert world.task(1).guidance[-1][1] == "look at the other greet"


def test_the_checks_of_all_tasks_are_no_proof_of_this_one() -> None:
    world = led(task(1), checks=("make lint",))
    world.tell(f.CopyReady("task-1", 1, "base"))
    world.tell(agent_ended("task-1", 1, "ok", tool_calls=3))
    world.tell(work_found("task-1", 1, "", feedback=SAID))
    world.tell(check_ended("task-1", 1, "make lint", 0, base=BaseRun(0)))
    assert world.task(1).state == "BLOCKED"


def test_a_judge_who_finds_it_there_makes_it_done_and_not_skipped() -> None:
    world = nothing_changed(SAID, "judge", acceptance=("it greets",), checks=())
    say(world, "judge", SATISFIED)
    assert (world.task(1).state, world.task(1).detail) == (
        "DONE",
        "was done before: a judge says so, too: it is in src/app.py",
    )


def test_a_judge_who_does_not_find_it_refuses_it() -> None:
    world = nothing_changed(SAID, "judge", acceptance=("it greets",), checks=())
    say(world, "judge", NO)
    assert world.task(1).attempts[0].outcome == "refused"


def test_work_that_changed_something_all_the_same_is_taken_as_what_it_is() -> None:
    world = led(task(1))
    world.tell(f.CopyReady("task-1", 1, "base"))
    world.tell(agent_ended("task-1", 1, "ok"))
    world.tell(work_found("task-1", 1, "commit-1", result=HANDED_IN))
    assert world.due(do.Integrate, 1).commit == "commit-1"

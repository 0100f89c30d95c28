"""To say that something cannot be done honestly is a correct result: somebody is asked, nothing failed."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.core.leading import led, options, records, text
from tests.core.support import World, task
from tests.core.told import agent_ended, work_found

from teamlead.core import facts as f
from teamlead.core.attempts.proof import evidence_of
from teamlead.core.reports import Blocker, DifficultyFeedback, Feedback, Result

SAID = DifficultyFeedback("the test wants 5 for 2 + 2", ("ran it", "read the issue"), "impossible")
HANDED_IN = Result(
    "IMPOSSIBLE",
    "the test wants 5 for 2 + 2",
    "",
    (),
    70,
    "I ran it",
    blockers=(Blocker("the expected value is wrong", "mend test_sum"),),
    tried=("ran it", "read the issue"),
)
TOLD = "task-1 cannot be done honestly as it is asked, its agent says: the test wants 5 for 2 + 2"


def ended(world: World, *, feedback: Feedback | None = None, result: Result | None = None) -> World:
    world.tell(agent_ended("task-1", 1, "ok", tool_calls=3))
    if world.task(1).live:
        world.tell(work_found("task-1", 1, "", feedback=feedback, result=result))
    return world


def begun(*consultants: str, **fields: Any) -> World:
    world = led(task(1), task(2, 1), consultants=consultants, **fields)
    world.tell(f.CopyReady("task-1", 1, "base"))
    return world


def by_tool() -> World:
    world = begun()
    world.tell(f.FeedbackGiven("task-1", 1, SAID))
    return ended(world)


def by_submitted_result() -> World:
    world = begun()
    world.tell(f.ResultSubmitted("task-1", 1, HANDED_IN))
    return ended(world)


WAYS: dict[str, Callable[[], World]] = {
    "a tool": by_tool,
    "last words": lambda: ended(begun(), feedback=SAID),
    "a result": by_submitted_result,
    "a report": lambda: ended(begun(), result=HANDED_IN),
    "both": lambda: ended(begun(), feedback=SAID, result=HANDED_IN),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_person_is_asked_once_and_it_is_no_failure(way: str) -> None:
    world = WAYS[way]()
    found = world.task(1)
    assert (found.state, found.failures, found.attempts[0].outcome) == ("BLOCKED", 0, "asked")
    assert [each.kind for each in world.state.escalations.values()] == ["impossible"]
    assert world.state.escalations["esc-1"].reason.startswith(TOLD)
    assert options(world) == ("retry", "skip", "stop")
    assert "Tried: read the issue" in text(world)


def test_the_planner_is_turned_to_where_there_is_one() -> None:
    world = begun("planner")
    world.tell(f.FeedbackGiven("task-1", 1, SAID))
    ended(world)
    assert records(world) == [("impossible", "planner", "open")]


def test_who_asks_for_a_person_gets_one_and_is_still_told_apart_from_a_question() -> None:
    world = begun("planner")
    world.tell(f.FeedbackGiven("task-1", 1, replace(SAID, requested_action="clarification")))
    ended(world)
    assert records(world) == [("impossible", "user", "open")]


def test_it_is_evidence_with_what_was_tried_and_speaks_against_nobody() -> None:
    world = by_submitted_result()
    attempt = world.task(1).attempts[0]
    [item] = [each for each in evidence_of(world.state, world.task(1), attempt) if each.kind == "report"]
    assert item.verdict == "unknown"
    assert item.found.startswith("its agent says that it cannot: the test wants 5 for 2 + 2")
    assert item.details == ("tried: ran it", "tried: read the issue")


def test_that_nothing_was_changed_then_is_not_refused() -> None:
    world = by_submitted_result()
    evidence = evidence_of(world.state, world.task(1), world.task(1).attempts[0])
    assert {each.verdict for each in evidence} <= {"unknown", "proven"}


def test_an_answer_sends_it_on_and_saying_so_again_asks_again() -> None:
    world = by_submitted_result()
    world.tell(f.Resolve("esc-1", "leave that test alone"))
    assert world.task(1).state == "RUNNING"
    world.tell(f.CopyReady("task-1", 2, "base"))
    world.tell(f.ResultSubmitted("task-1", 2, HANDED_IN))
    world.tell(agent_ended("task-1", 2, "ok", tool_calls=3))
    assert world.state.escalations["esc-2"].kind == "impossible"
    assert world.task(1).failures == 0


def test_an_agent_that_was_cut_off_after_saying_so_is_not_run_again_before_the_answer() -> None:
    world = begun()
    world.tell(f.ResultSubmitted("task-1", 1, HANDED_IN))
    world.tell(agent_ended("task-1", 1, "lost"))
    assert world.task(1).state == "BLOCKED"

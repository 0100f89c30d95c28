"""Where an agent failed for good, the plan goes on without it, the lead reads in its place, or asks."""

from typing import Any

import pytest
from msgspec import structs
from tests.core.leading import led, say
from tests.core.support import World, session, task
from tests.core.told import agent_ended, work_found

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Judgement
from teamlead.core.evidence.values import Evidence
from teamlead.core.model import Excerpt, Limits
from teamlead.core.reports import Blocker, ExplorationFeedback, Result

LIMITS = Limits(attempts=3, retry_delay=0.0)
EXPLORER: dict[str, Any] = {"role": "code-explorer", "type": "investigation"}
RESULT = Result("PARTIAL", "Half of it.", "The entry is main.", (), 60, "not all was read")


def fail(world: World, name: str = "task-1") -> None:
    number = int(name.removeprefix("task-"))
    world.advance(number, do.RunAgent)
    live = world.task(number).live
    assert live is not None
    world.tell(agent_ended(name, live.number, "timeout", detail="no output"))


def test_a_task_that_is_not_critical_is_left_out_when_it_has_failed_for_good() -> None:
    world = World(session(task(1, critical=False), task(2, 1), limits=LIMITS))
    for _ in range(3):
        assert world.task(1).gap is None
        fail(world)
    assert (world.task(1).state, world.task(1).gap) == ("SKIPPED", "go-on")
    assert not world.state.open
    assert world.state.warnings == [
        "Agent worker failed, results may be incomplete (task-1: the agent ran out of time: no output)"
    ]
    assert world.due(do.PrepareCopy, 2)


def test_a_reason_with_brackets_of_its_own_stands_in_no_others() -> None:
    world = World(session(task(1, critical=False), limits=Limits(attempts=1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "error", detail="there is no key (set one)"))
    (warning,) = world.state.warnings
    assert warning.startswith("Agent worker failed, results may be incomplete; task-1: ")
    assert warning.endswith("there is no key (set one)")


def test_an_agent_that_reads_for_others_is_tried_once_more_and_then_the_lead_reads_for_it() -> None:
    world = World(session(task(1, **EXPLORER), task(2, 1), limits=LIMITS))
    fail(world)
    assert world.task(1).state == "RUNNING"
    fail(world)
    assert (world.task(1).state, world.task(1).gap) == ("SKIPPED", "read-directly")
    assert len(world.state.warnings) == 1


@pytest.mark.parametrize(("critical", "state"), [(True, "BLOCKED"), (False, "SKIPPED")])
def test_nothing_is_read_in_its_place_where_nobody_builds_on_it(critical: bool, state: str) -> None:
    world = World(session(task(1, critical=critical, **EXPLORER), task(2), limits=LIMITS))
    fail(world)
    fail(world)
    assert (world.task(1).state, len(world.state.open)) == (state, critical)
    assert world.task(1).gap == (None if critical else "go-on")


@pytest.mark.parametrize("found", ["result", "feedback"])
def test_what_an_investigation_had_found_before_it_failed_is_used_at_once(found: str) -> None:
    world = World(session(task(1, **EXPLORER), task(2, 1), limits=LIMITS))
    world.advance(1, do.RunAgent)
    partial: f.AnyFact = f.ResultSubmitted("task-1", 1, RESULT)
    if found == "feedback":
        partial = f.FeedbackGiven("task-1", 1, ExplorationFeedback("The entry is main."))
    world.tell(partial)
    fail(world)
    assert (world.task(1).state, world.task(1).gap) == ("SKIPPED", "use-partial")
    assert len(world.task(1).attempts) == 1


BLOCKED = Result(
    "PARTIAL",
    "Half of it.",
    "The entry is main.",
    (),
    60,
    "not all was read",
    blockers=(Blocker("no access to the server", "ask ops"), Blocker("the log is gone")),
)
GAP = "task-1 (Title 1) is done in part: Half of it. Blocked by: no access to the server; the log is gone"


@pytest.mark.parametrize("way", ["handed in", "last words"])
@pytest.mark.parametrize("criteria", [(), ("it is clear",)])
def test_an_investigation_that_is_done_in_part_is_taken_and_its_blockers_are_a_gap(
    way: str, criteria: tuple[str, ...]
) -> None:
    explorer = {**EXPLORER, "acceptance": criteria}
    world = led(task(1, **explorer), task(2, 1), consultants=("judge",) if criteria else ())
    world.advance(1, do.RunAgent)
    if way == "handed in":
        world.tell(f.ResultSubmitted("task-1", 1, BLOCKED))
    world.advance(1, do.Collect)
    world.tell(work_found("task-1", 1, "", result=None if way == "handed in" else BLOCKED))
    if criteria:
        assert world.state.warnings == []
        say(world, "judge", Judgement(success=True, reason="it is"))
    assert (world.task(1).state, world.task(1).gap) == ("DONE", "use-partial")
    assert world.state.warnings == [GAP]
    assert world.due(do.PrepareCopy, 2)


@pytest.mark.parametrize("way", ["handed in", "last words"])
def test_findings_that_do_not_hold_are_refused_in_part_too(way: str) -> None:
    world = World(session(task(1, **EXPLORER), limits=LIMITS))
    world.advance(1, do.RunAgent)
    if way == "handed in":
        world.tell(f.ResultSubmitted("task-1", 1, BLOCKED))
    world.advance(1, do.Collect)
    wrong = (Evidence("references", "refused", "what it cites is there", "a.py:9 is not"),)
    given = None if way == "handed in" else BLOCKED
    world.tell(work_found("task-1", 1, "", result=given, evidence=wrong))
    assert world.task(1).attempts[0].outcome == "refused"
    assert (world.task(1).gap, world.state.warnings) == (None, [])


def test_an_investigation_that_failed_by_its_own_word_is_refused() -> None:
    world = World(session(task(1, **EXPLORER), limits=LIMITS))
    world.advance(1, do.RunAgent)
    world.tell(f.ResultSubmitted("task-1", 1, structs.replace(BLOCKED, status="FAILED")))
    world.tell(agent_ended("task-1", 1, "ok"))
    assert world.task(1).attempts[0].outcome == "refused"


def test_half_a_change_is_not_used() -> None:
    world = World(session(task(1), task(2, 1), limits=LIMITS))
    world.advance(1, do.RunAgent)
    world.tell(f.ResultSubmitted("task-1", 1, RESULT))
    fail(world)
    assert world.task(1).state == "RUNNING"


def reading() -> World:
    """The second task starts after the lead has to read in the place of the first."""
    world = World(session(task(1, **EXPLORER), task(2, 1), limits=LIMITS))
    fail(world)
    fail(world)
    world.advance(2, do.RunAgent)
    return world


def test_what_the_lead_reads_itself_is_logged_before_an_agent_sees_it() -> None:
    world = reading()
    excerpts = (Excerpt("a.py", 1, 200), Excerpt("b.py", 1, 200), Excerpt("c.py", 1, 200))
    world.tell(f.LeadRead("task-2", 1, excerpts))
    assert world.task(2).attempts[-1].lent == excerpts


@pytest.mark.parametrize(
    "excerpts",
    [
        [Excerpt("a.py", 1, 201)],
        [Excerpt(name, 1, 1) for name in ("a", "b", "c", "d")],
    ],
)
def test_the_lead_reads_no_more_than_a_fallback_allows(excerpts: list[Excerpt]) -> None:
    world = reading()
    assert world.tell(f.LeadRead("task-2", 1, tuple(excerpts))).refusals
    assert world.task(2).attempts[-1].lent == ()


def test_the_lead_reads_nothing_where_no_agent_failed() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    refusal = world.tell(f.LeadRead("task-1", 1, (Excerpt("a.py", 1, 1),))).refusals[0]
    assert "an agent failed" in str(refusal)


def test_a_task_that_is_reopened_has_no_gap_any_more() -> None:
    world = reading()
    world.tell(f.RetryTask("task-1", "try it with another agent", built_on="keep"))
    assert world.task(1).gap is None

"""Whether an attempt's work is accepted, by all that was found together."""

from typing import Any

import pytest
from tests.core.support import World, session, task
from tests.core.told import agent_ended, check_ended, work_found

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.evidence.values import Evidence, SuiteDelta, SuiteRun
from teamlead.core.model import Change, Limits
from teamlead.core.reports import Blocker, DifficultyFeedback, Result

CHANGE = Change("src/a.py", "100644", "100644", 1, 0)
OBJECTED = Evidence(
    "report", "objected", "a report", "the report has no summary: add one", details=("line 3",)
)
FLAGGED = Evidence("claims", "flagged", "files", "b.py is said to be changed, and is not")
REFUSED = Evidence("outputs", "refused", "dist/", "nothing matches dist/: make it")
REASON = "the report has no summary: add one\n  line 3"


def result(status: Any = "SUCCESS", **fields: Any) -> Result:
    return Result(status, "did it", "all", (), 80, "seen", **fields)


def found(world: World, *evidence: Evidence, **fields: Any) -> None:
    """The agent ends, and its work is examined."""
    world.now += 1000
    world.tell()
    world.advance(1, do.Collect)
    number = world.due(do.Collect).attempt
    commit = fields.pop("commit", f"c{number}")
    changes = (CHANGE,) if commit else ()
    world.tell(work_found("task-1", number, commit, changes, evidence=evidence, **fields))


def outcomes(world: World) -> list[str | None]:
    return [attempt.outcome for attempt in world.task(1).attempts]


def test_what_is_objected_to_goes_back_once_with_its_reasons_and_is_no_failure() -> None:
    world = World(session(task(1), limits=Limits(attempts=1)))
    found(world, OBJECTED, FLAGGED)
    first = world.task(1).attempts[0]
    assert (first.outcome, first.reasons, first.decision) == ("returned", (REASON,), "continue")
    assert (world.task(1).failures, world.task(1).returned) == (0, True)
    assert not world.due(do.PrepareCopy).fresh


def test_after_it_was_returned_good_work_is_accepted() -> None:
    world = World(session(task(1)))
    found(world, OBJECTED)
    found(world)
    world.finish(1)
    assert outcomes(world) == ["returned", "accepted"]


def test_what_is_objected_to_a_second_time_counts_as_a_failure() -> None:
    world = World(session(task(1)))
    found(world, OBJECTED)
    found(world, OBJECTED)
    assert outcomes(world)[:2] == ["returned", "refused"]
    assert world.task(1).failures == 1


def asked(*evidence: Evidence) -> World:
    """A task whose only failure is by such work."""
    world = World(session(task(1), limits=Limits(attempts=1)))
    found(world, OBJECTED)
    found(world, *evidence)
    return world


def test_who_may_accept_work_is_told_everything_that_is_objected_to() -> None:
    world = asked(OBJECTED, Evidence("tests", "objected", "tests assert as much", "a weaker assertion"))
    (record,) = world.state.open.values()
    assert record.question is not None
    assert f"last: {OBJECTED.found}" in record.question.text
    assert "also: a weaker assertion" in record.question.text


def test_a_person_may_accept_what_is_only_objected_to() -> None:
    world = asked(OBJECTED)
    (record,) = world.state.open.values()
    assert record.question is not None
    assert record.question.options == ("retry", "accept", "skip", "stop")
    world.tell(f.Resolve(record.id, "accept"))
    assert world.task(1).waived
    found(world, OBJECTED)
    world.finish(1)
    assert outcomes(world) == ["returned", "refused", "accepted"]
    assert world.task(1).attempts[-1].waived


def test_a_waiver_covers_nothing_that_is_refused() -> None:
    world = asked(OBJECTED)
    world.tell(f.Resolve("esc-1", "accept"))
    found(world, OBJECTED, REFUSED)
    assert outcomes(world)[-1] == "refused"


def test_an_answer_other_than_accept_waives_nothing() -> None:
    world = asked(OBJECTED)
    world.tell(f.Resolve("esc-1", "write the summary"))
    found(world, OBJECTED)
    assert (world.task(1).waived, outcomes(world)[-1]) == (False, "refused")


def test_what_does_not_hold_cannot_be_accepted_by_a_word() -> None:
    world = asked(OBJECTED, REFUSED)
    (record,) = world.state.open.values()
    assert record.question is not None
    assert "accept" not in record.question.options
    refusal = world.tell(f.Resolve(record.id, "accept")).refusals[0]
    assert "the work of task-1 does not hold" in str(refusal)
    assert record.state == "open"


def test_a_reopened_task_is_judged_anew() -> None:
    world = World(session(task(1)))
    found(world, OBJECTED)
    found(world)
    world.finish(1)
    world.tell(f.RetryTask("task-1", "it broke the build"))
    found(world, OBJECTED)
    assert outcomes(world)[2] == "returned"


def test_flags_block_nothing_and_stay_with_the_attempt() -> None:
    world = World(session(task(1)))
    found(world, FLAGGED)
    world.finish(1)
    assert world.task(1).attempts[0].work.evidence == (FLAGGED,)


def test_what_is_refused_tells_what_is_objected_to_as_well_and_no_check_runs() -> None:
    world = World(session(task(1, checks=("make",))))
    found(world, OBJECTED, REFUSED)
    first = world.task(1).attempts[0]
    assert (first.outcome, first.checks) == ("refused", [])
    assert first.reasons == (REFUSED.found, REASON)


def test_checks_run_before_work_is_returned_so_that_all_is_told_at_once() -> None:
    world = World(session(task(1, checks=("make",))))
    found(world, OBJECTED)
    lost = SuiteDelta(vanished=("t_a",))
    world.tell(check_ended("task-1", 1, "make", 0, suite=SuiteRun("pytest", 1, 0, 0), delta=lost))
    first = world.task(1).attempts[0]
    assert (first.outcome, first.reasons[0]) == ("returned", REASON)
    assert "gone: t_a" in first.reasons[1]


def test_a_check_that_failed_refuses_and_tells_what_is_objected_to_as_well() -> None:
    world = World(session(task(1, checks=("make",))))
    found(world, OBJECTED)
    world.tell(check_ended("task-1", 1, "make", 1))
    first = world.task(1).attempts[0]
    assert (first.outcome, first.reasons) == (
        "refused",
        ("the check `make` failed with exit code 1", REASON),
    )


def test_a_result_in_the_last_words_is_kept_like_one_that_was_handed_in() -> None:
    world = World(session(task(1)))
    found(world, result=result())
    assert world.task(1).attempts[0].result == result()
    world.finish(1)


@pytest.mark.parametrize("status", ["PARTIAL", "FAILED"])
def test_a_result_in_the_last_words_is_its_own_verdict(status: str) -> None:
    world = World(session(task(1)))
    found(world, result=result(status, blockers=(Blocker("no database"),)))
    first = world.task(1).attempts[0]
    assert first.outcome == "refused"
    assert first.reasons == (f"its own result is {status}: did it; blocked by: no database",)


def test_a_result_that_was_handed_in_counts_before_the_last_words() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.ResultSubmitted("task-1", 1, result()))
    found(world, result=result("FAILED"))
    world.finish(1)
    assert world.task(1).attempts[0].result == result()


def test_a_difficulty_in_the_last_words_waits_for_a_person() -> None:
    world = World(session(task(1)))
    found(world, feedback=DifficultyFeedback("which schema?", requested_action="clarification"))
    assert outcomes(world) == ["asked"]
    assert (world.task(1).state, world.task(1).blocked) == ("BLOCKED", "QUESTION")
    (record,) = world.state.open.values()
    assert record.question is not None
    assert record.question.text == "which schema?"
    world.tell(f.Resolve(record.id, "the new one"))
    assert world.due(do.PrepareCopy)


def investigated(world: World, calls: int | None, conversation: str = "") -> None:
    world.now += 1000
    world.tell()
    world.advance(1, do.RunAgent)
    number = world.state.runs[world.due(do.RunAgent).run].attempt
    world.tell(
        agent_ended("task-1", number, "ok", "all is fine", tool_calls=calls, conversation=conversation)
    )
    world.tell(work_found("task-1", number, ""))


@pytest.mark.parametrize(("calls", "state"), [(0, "NEEDS_CONTINUATION"), (3, "DONE"), (None, "DONE")])
def test_an_investigation_that_looked_at_nothing_is_refused(calls: int | None, state: str) -> None:
    world = World(session(task(1, type="investigation"), task(2), limits=Limits(jobs=1)))
    world.tell(f.LeaderDraining("so that nothing starts again"))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", "all is fine", tool_calls=calls))
    world.tell(work_found("task-1", 1, ""))
    assert world.task(1).state == state


@pytest.mark.parametrize(("conversation", "outcome"), [("c-1", "accepted"), ("", "refused")])
def test_what_an_agent_looked_at_earlier_in_its_conversation_counts(conversation: str, outcome: str) -> None:
    world = World(session(task(1, type="investigation")))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "interrupted", tool_calls=4, conversation=conversation))
    investigated(world, 0)
    assert outcomes(world)[1] == outcome

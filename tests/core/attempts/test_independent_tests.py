"""Tests by somebody who saw only the task: when they are asked for, and what becomes of them."""

from typing import Any

import pytest
from tests.core.attempts.test_examples import purposes, tried
from tests.core.leading import YES, asked, collected, led, mumble, say
from tests.core.support import EXPECTED, World, task
from tests.core.told import agent_ended, answered

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Example, Examples, Judgement, PlannedFor, Remark
from teamlead.core.attempts.independent_tests import THEY_PASS
from teamlead.core.attempts.proof import WRITTEN, evidence_of, questions
from teamlead.core.evidence.values import Evidence, Proofs
from teamlead.core.model import Limits, TaskType

NO_TESTS = Examples(())
PASSES = Evidence("example", "proven", THEY_PASS, "a test passes")
FAILS = Evidence(
    "example",
    "flagged",
    THEY_PASS,
    "a test fails that its agent has not seen; it stands for 'It is 1.'",
    details=("`python3 try.py`: it gives 2; 1 was expected", "try.py is: print(secret())"),
    question="Is the test right, or the work?",
)


def at_work(**fields: Any) -> World:
    """The agent of task 1 works; there is a tester, and no judge."""
    limits = Limits(attempts=3, retry_delay=0.0, proof_times=0.0, jobs=2)
    given: dict[str, Any] = {"limits": limits, "judged": "all", "consultants": ("tester",)}
    world = led(task(1), **given | fields)
    world.advance(1, do.RunAgent)
    return world


def test_a_tester_is_asked_on_the_base_while_the_agent_works_and_has_a_seat_of_its_own() -> None:
    world = at_work()
    tester = asked(world, "tests")
    attempt = world.task(1).attempts[0]
    assert attempt.phase == "working"
    assert (tester.role, tester.commit) == ("tester", attempt.base)
    assert {tester.id, attempt.run.id} == set(world.state.seated)


def test_with_one_seat_the_tester_waits_for_the_agent_to_end() -> None:
    world = at_work(limits=Limits(jobs=1, proof_times=0.0))
    assert [run.purpose for run in world.state.wanted.values()] == ["tests"]
    collected(world)
    assert asked(world, "tests").started_at is not None


def test_work_waits_for_its_tests_and_is_tried_with_them() -> None:
    world = at_work()
    collected(world)
    attempt = world.task(1).attempts[0]
    assert attempt.phase == "trying"
    assert not [effect for effect in world.state.due.values() if isinstance(effect, do.Prove)]
    tester = asked(world, "tests").id
    say(world, "tests", EXPECTED)
    assert world.due(do.Prove, 1).examples == tester
    tried(world, PASSES)
    world.finish(1)
    assert purposes(world) == ["tests"]


def test_a_test_that_fails_decides_nothing_where_nobody_judges() -> None:
    world = at_work()
    say(world, "tests", EXPECTED)
    collected(world)
    tried(world, FAILS)
    world.finish(1)
    attempt = world.task(1).attempts[0]
    assert attempt.outcome == "accepted"
    assert FAILS in evidence_of(world.state, world.task(1), attempt)


def test_a_judge_says_whether_a_failing_test_is_right_and_the_agent_hears_only_what_it_stands_for() -> None:
    world = at_work(consultants=("judge", "tester"))
    say(world, "tests", EXPECTED)
    collected(world)
    tried(world, FAILS)
    attempt = world.task(1).attempts[0]
    assert questions(world.state, world.task(1), attempt) == (FAILS,)
    say(world, "judge", Judgement(success=True, reason="it does", answers=(PlannedFor(1),)))
    (reason,) = attempt.reasons
    assert attempt.outcome == "returned"
    assert "it stands for 'It is 1.'" in reason
    assert "secret" not in reason
    assert "try.py" not in reason


def test_a_judge_who_quotes_a_test_tells_the_agent_only_what_it_stands_for() -> None:
    world = at_work(consultants=("judge", "tester"))
    hidden = Example(
        command="python3 seen_by_nobody.py",
        file="seen_by_nobody.py",
        text="from tax import gross\nassert gross(1234) == 'twelve'\n",
        sentence="It is 1.",
    )
    say(world, "tests", Examples((hidden,)))
    collected(world)
    tried(world, FAILS)
    answer = Judgement(
        success=False,
        reason="seen_by_nobody.py wants something else",
        missing=("gross(1234) must be right", "the page is not there"),
        should_continue=True,
        objections=(Remark("it has to give twelve"),),
    )
    say(world, "judge", answer)
    reasons = " ".join(world.task(1).attempts[0].reasons)
    assert "it stands for 'It is 1.'" in reasons
    assert "the page is not there" in reasons
    for secret in ("seen_by_nobody", "1234", "twelve"):
        assert secret not in reasons


def test_the_inputs_of_a_judge_come_after_the_tests() -> None:
    world = at_work(consultants=("judge", "tester"), judge_inputs=True)
    say(world, "tests", EXPECTED)
    collected(world)
    tried(world, PASSES)
    say(world, "examples", EXPECTED)
    tried(world, PASSES)
    say(world, "judge", YES)
    world.finish(1)
    assert purposes(world) == ["tests", "examples", "judge"]


def test_what_came_of_other_runs_is_told_twice_and_no_word_about_the_tests() -> None:
    world = at_work(limits=Limits(attempts=3, jobs=2))
    collected(world)
    proved = f.WorkProved("task-1", 1, Proofs())
    world.tell(proved)
    assert world.task(1).attempts[0].phase == "trying"
    world.tell(proved)
    assert world.task(1).attempts[0].phase == "trying"


@pytest.mark.parametrize("useless", ["none", "unreadable", "crashes"])
@pytest.mark.parametrize("first", ["the work", "its tests"])
def test_work_goes_on_without_tests_that_can_be_used(useless: str, first: str) -> None:
    world = at_work()
    if first == "the work":
        collected(world)
    if useless == "none":
        say(world, "tests", NO_TESTS)
    elif useless == "unreadable":
        mumble(world, "tests", times=2)
    else:
        for _ in range(2):
            world.tell(answered(asked(world, "tests").id, "error", problem="it crashed"))
    if first == "its tests":
        collected(world)
    assert world.due(do.Prove, 1).examples == world.task(1).attempts[0].tests
    tried(world)
    world.finish(1)


def test_the_next_attempt_is_tried_with_the_same_tests_and_nobody_writes_them_again() -> None:
    world = at_work(consultants=("judge", "tester"))
    first = asked(world, "tests").id
    say(world, "tests", EXPECTED)
    collected(world)
    tried(world, FAILS)
    say(world, "judge", Judgement(success=True, reason="it does", answers=(PlannedFor(1),)))
    collected(world, tree="another tree")
    assert world.due(do.Prove, 1).examples == first
    tried(world, PASSES, attempt=2)
    say(world, "judge", YES)
    world.finish(1)
    assert purposes(world).count("tests") == 1


def test_a_tester_is_stopped_with_the_attempt_that_it_writes_for() -> None:
    world = at_work()
    tester = asked(world, "tests").id
    world.tell(agent_ended("task-1", 1, "error", detail="it crashed"))
    assert world.task(1).attempts[0].outcome == "failed"
    assert f"StopAgent:{tester}" in world.state.due


@pytest.mark.parametrize("kind", ["documentation", "investigation"])
def test_nobody_writes_tests_for_what_does_nothing(kind: TaskType) -> None:
    world = led(task(1, type=kind), consultants=("tester",))
    world.advance(1, do.RunAgent)
    assert not world.state.asked_runs


def test_without_a_tester_nothing_waits() -> None:
    world = at_work(consultants=())
    collected(world)
    world.finish(1)
    assert not world.state.asked_runs


def test_the_evidence_says_who_wrote_tests_and_for_how_much() -> None:
    world = at_work()
    say(world, "tests", EXPECTED)
    collected(world)
    tried(world, PASSES)
    attempt = world.task(1).attempts[0]
    (item,) = [item for item in evidence_of(world.state, world.task(1), attempt) if item.claim == WRITTEN]
    assert "wrote 1 in" in item.found
    assert item.command == "teamlead logs task-1-tester"

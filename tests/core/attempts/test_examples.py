"""What a judge thinks of before it sees the work: what becomes of it, and that nothing may."""

from typing import Any

import pytest
from tests.core.leading import NO, YES, asked, collected, led, mumble, say
from tests.core.support import EXPECTED, World, task
from tests.core.told import answered, check_ended

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Examples, Judgement, PlannedFor
from teamlead.core.attempts.examples import WORK_GIVES_THEM
from teamlead.core.attempts.proof import evidence_of, questions
from teamlead.core.evidence.values import Evidence, Proofs
from teamlead.core.model import Limits, TaskType

NONE = Examples(())
GIVES = Evidence("example", "proven", WORK_GIVES_THEM, "`python3 try.py`: it gives 1")
DIFFERS = Evidence(
    "example", "flagged", WORK_GIVES_THEM, "`python3 try.py`: it gives 2", question="Which is right?"
)


def judged(*, number: int = 1, **fields: Any) -> World:
    """The work of task 1 is done, and its judge is to think of inputs first."""
    limits = Limits(attempts=3, retry_delay=0.0, proof_times=0.0)
    given: dict[str, Any] = {
        "limits": limits,
        "judge_inputs": True,
        "judged": "all",
        "consultants": ("judge",),
    }
    world = led(task(number), **given | fields)
    collected(world, tree="a tree")
    return world


def tried(world: World, *found: Evidence, attempt: int = 1) -> None:
    live = world.task(1).live
    assert live is not None
    world.tell(f.WorkProved("task-1", attempt, Proofs(found, runs=len(found)), live.trying))


def purposes(world: World) -> list[str]:
    return [run.purpose for run in world.state.asked_runs]


def test_a_judge_is_asked_on_the_base_before_it_is_asked_about_the_work() -> None:
    world = judged()
    thinking = asked(world, "examples")
    assert thinking.role == "judge"
    assert thinking.commit == world.task(1).attempts[0].base != world.task(1).attempts[0].work.commit
    say(world, "examples", EXPECTED)
    assert world.due(do.Prove, 1).examples == thinking.id
    tried(world, GIVES)
    assert asked(world, "judge").commit == world.task(1).attempts[0].work.commit
    say(world, "judge", YES)
    world.finish(1)
    assert purposes(world) == ["examples", "judge"]


def test_what_agrees_and_what_differs_is_evidence() -> None:
    world = judged()
    say(world, "examples", EXPECTED)
    tried(world, GIVES, DIFFERS)
    attempt = world.task(1).attempts[0]
    assert [item for item in evidence_of(world.state, world.task(1), attempt) if item.kind == "example"] == [
        GIVES,
        DIFFERS,
    ]
    assert questions(world.state, world.task(1), attempt) == (DIFFERS,)


def test_work_goes_back_where_its_judge_holds_to_what_it_expected() -> None:
    world = judged()
    say(world, "examples", EXPECTED)
    tried(world, DIFFERS)
    say(world, "judge", Judgement(success=True, reason="it does", answers=(PlannedFor(1),)))
    (reason,) = world.task(1).attempts[0].reasons
    assert world.task(1).attempts[0].outcome == "returned"
    assert "`python3 try.py`: it gives 2" in reason


def test_work_is_accepted_where_its_judge_says_that_the_work_is_right() -> None:
    world = judged()
    say(world, "examples", EXPECTED)
    tried(world, DIFFERS)
    say(world, "judge", Judgement(success=True, reason="it does", answers=(PlannedFor(1, "It is 2."),)))
    world.finish(1)
    assert world.task(1).attempts[0].outcome == "accepted"


@pytest.mark.parametrize("useless", ["none", "unreadable", "crashes"])
def test_work_is_judged_all_the_same_without_any_that_can_be_used_and_the_evidence_says_so(
    useless: str,
) -> None:
    world = judged()
    if useless == "none":
        say(world, "examples", NONE)
    elif useless == "unreadable":
        mumble(world, "examples", times=2)
    else:
        for _ in range(2):
            world.tell(answered(asked(world, "examples").id, "error", problem="it crashed"))
    (item,) = evidence_of(world.state, world.task(1), world.task(1).attempts[0])[-1:]
    assert (item.kind, item.verdict) == ("example", "unknown")
    assert item.found.startswith("nothing was tried: ")
    assert not world.state.open
    say(world, "judge", YES)
    world.finish(1)
    assert len(world.task(1).attempts) == 1


def test_an_agent_that_was_told_which_inputs_differ_is_tried_with_others_next() -> None:
    world = judged()
    first = asked(world, "examples").id
    say(world, "examples", EXPECTED)
    tried(world, DIFFERS)
    say(world, "judge", NO)
    collected(world, tree="another tree")
    again = asked(world, "examples")
    assert (again.attempt, again.id != first) == (2, True)
    say(world, "examples", EXPECTED)
    assert world.due(do.Prove, 1).examples == again.id


def test_the_next_attempt_is_tried_with_the_same_inputs_and_no_model_is_asked_for_them_again() -> None:
    world = judged()
    first = asked(world, "examples").id
    say(world, "examples", EXPECTED)
    tried(world, GIVES)
    say(world, "judge", NO)
    collected(world, tree="another tree")
    assert world.due(do.Prove, 1) == do.Prove("task-1", 2, "task-1@2", first)
    tried(world, GIVES, attempt=2)
    say(world, "judge", YES)
    world.finish(1)
    assert purposes(world) == ["examples", "judge", "judge"]


def test_that_a_judge_thought_of_nothing_holds_for_the_next_attempt_too() -> None:
    world = judged()
    say(world, "examples", NONE)
    say(world, "judge", NO)
    collected(world, tree="another tree")
    assert purposes(world) == ["examples", "judge", "judge"]


def test_who_is_told_something_new_about_the_task_thinks_of_other_inputs() -> None:
    world = judged()
    say(world, "examples", EXPECTED)
    tried(world, DIFFERS)
    world.tell(f.Tell("task-1", "A negative price is refused."))
    say(world, "judge", NO)
    collected(world, tree="another tree")
    assert asked(world, "examples").attempt == 2


def test_after_runs_on_variants_the_same_inputs_are_tried_on_the_next_attempt() -> None:
    limits = Limits(attempts=3, retry_delay=0.0, proof_times=2.0)
    spec = task(1, checks=("make test",))
    world = led(spec, consultants=("judge",), judged="all", judge_inputs=True, limits=limits)
    for attempt in (1, 2):
        collected(world, tree=f"tree {attempt}")
        world.tell(check_ended("task-1", attempt, "make test", 0))
        assert world.due(do.Prove, 1).examples == ""
        tried(world, Evidence("proof", "proven", "x", f"as before {attempt}"), attempt=attempt)
        if attempt == 1:
            say(world, "examples", EXPECTED)
        assert world.due(do.Prove, 1).examples
        tried(world, GIVES, attempt=attempt)
        say(world, "judge", YES if attempt == 2 else NO)
    world.finish(1)
    (accepted,) = [each for each in world.task(1).attempts if each.outcome == "accepted"]
    assert accepted.proofs is not None
    assert [item.kind for item in accepted.proofs.evidence] == ["proof", "example"]


@pytest.mark.parametrize(
    "fields",
    [{"judge_inputs": False}, {"consultants": ()}, {"judged": "acceptance"}],
    ids=["switched off", "no judge", "not judged"],
)
def test_nobody_thinks_of_inputs_where_that_is_off_or_nobody_judges(fields: dict[str, Any]) -> None:
    assert "examples" not in purposes(judged(**fields))


@pytest.mark.parametrize("kind", ["documentation", "investigation"])
def test_nobody_thinks_of_inputs_for_what_does_nothing(kind: TaskType) -> None:
    world = led(task(1, type=kind), consultants=("judge",), judged="all", judge_inputs=True)
    collected(world, tree="a tree")
    assert purposes(world) == ["judge"]


def test_work_that_waits_for_inputs_is_accepted_where_its_judge_is_taken_away() -> None:
    world = judged(consultants=("judge", "planner"))
    say(world, "examples", NONE)
    mumble(world, "judge", times=2)
    (question,) = world.state.open
    world.tell(f.Resolve(question, "without"))
    world.finish(1)


def test_an_answer_that_comes_after_the_attempt_has_ended_is_nothing() -> None:
    world = judged()
    run = asked(world, "examples").id
    world.tell(f.SkipTask("task-1", "not needed"))
    world.tell(answered(run, "ok", EXPECTED))
    assert not [effect for effect in world.state.due.values() if isinstance(effect, do.Prove)]


def test_the_attempt_is_before_its_judge_all_the_time() -> None:
    world = judged()
    phases = [world.task(1).attempts[0].phase]
    say(world, "examples", EXPECTED)
    phases.append(world.task(1).attempts[0].phase)
    tried(world, GIVES)
    phases.append(world.task(1).attempts[0].phase)
    assert phases == ["judging", "trying", "judging"]

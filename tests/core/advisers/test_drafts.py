"""A planning: what a planner proposes is checked, scored, bettered once, and accepted by who has the word."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.core.leading import mumble, options, question, say, text
from tests.core.support import DRAFTS, SOUND, World, planning, session, task
from tests.core.told import agent_ended, answered

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.advisers.drafts import conversation
from teamlead.core.answers import Answer, Criterion, Draft, Quality
from teamlead.core.model import Limits, Said
from teamlead.core.runs import RunEnd
from teamlead.core.step import Turn

GOOD, TWO, WRONG, _, ASKS = DRAFTS


def led(*, discuss: bool = False, attempts: int = 5, **fields: Any) -> World:
    return World(planning(Limits(attempts=attempts), auto_approve=not discuss, **fields))


def propose(world: World, draft: Answer | None = GOOD, **fields: Any) -> Turn:
    return world.tell(answered(world.due(do.RunAgent).run, "ok", draft, **fields))


def score(world: World, points: int) -> Turn:
    """So many of a hundred criteria are met."""
    criteria = tuple(Criterion(f"c{n}", met=n < points, why="look") for n in range(100))
    return say(world, "quality", Quality(criteria))


def test_a_good_plan_is_done_with_its_review_and_so_is_its_session() -> None:
    world = led()
    assert world.due(do.RunAgent).run == "task-1-1", "no copy is prepared: it borrows one"
    propose(world)
    score(world, 85)
    assert world.task(1).accepted is world.task(1).attempts[0]
    assert (world.state.phase, world.task(1).attempts[0].score) == ("DONE", 85)
    assert not world.state.due


@pytest.mark.parametrize(
    ("points", "taken"), [((84, 70), 1), ((60, 84), 2), ((60, 0), 1), ((70, 70), 1), ((0, 0, 60, 70), 4)]
)
def test_a_fair_plan_is_bettered_once_and_the_better_of_the_two_is_taken(
    points: tuple[int, ...], taken: int
) -> None:
    world = led()
    for each in points:
        propose(world)
        score(world, each)
    accepted = world.task(1).accepted
    assert accepted is not None
    assert accepted.number == taken


def test_a_fair_plan_is_taken_where_the_next_is_refused_or_its_agent_fails() -> None:
    for end in (answered("task-1-2", "ok", WRONG), agent_ended("task-1", 2, "error", detail="no more")):
        world = led()
        propose(world)
        score(world, 70)
        world.tell(end)
        assert world.task(1).accepted is world.task(1).attempts[0]


@given(st.lists(st.none() | st.integers(0, 100), max_size=8), st.integers(1, 5))
def test_planning_ends_and_takes_nothing_below_its_measure(scores: list[int | None], attempts: int) -> None:
    world = led(attempts=attempts)
    for points in [*scores, *[None] * attempts]:
        if world.state.open or world.state.final:
            break
        propose(world, WRONG if points is None else GOOD)
        if points is not None:
            score(world, points)
    tried = world.task(1).attempts
    assert len(tried) <= attempts
    usable = [each.score for each in tried if each.score is not None and each.score >= 60]
    accepted = world.task(1).accepted
    assert (accepted.score if accepted else None) == max(usable, default=None)
    assert bool(world.state.open) == (not usable)


def test_what_code_finds_wrong_goes_back_unseen_by_the_review() -> None:
    world = led()
    propose(world, WRONG)
    assert not world.state.advising
    assert world.task(1).attempts[0].reasons[0].startswith("task-1 has no description")
    assert world.due(do.RunAgent).run == "task-1-2"


def test_an_interpreted_document_gets_no_marks_and_may_be_large() -> None:
    world = led(source_type="plan-document")
    many = Draft(tuple(replace(SOUND, id=f"task-{n}") for n in range(1, 8)))
    propose(world, many)
    assert (world.state.phase, world.task(1).attempts[0].score) == ("DONE", None)
    assert world.state.warnings == ["there are 7 tasks, more than 5: join or leave out some"]


def test_no_usable_plan_is_a_question_that_a_word_of_advice_answers() -> None:
    world = led(attempts=2)
    propose(world, None, problem="no JSON")
    propose(world, WRONG)
    assert "no usable plan after 2 attempts. Still wrong with the last:\n- task-1 has no" in text(world)
    assert options(world) == ("retry", "stop")
    refused = world.tell(f.Resolve("esc-1", "accept")).refusals
    assert "there is no plan that can be used" in str(refused[0])
    world.tell(f.Resolve("esc-1", "smaller ones"))
    assert world.due(do.RunAgent).run == "task-1-3"
    assert conversation(world.state)[-1] == Said("user", "smaller ones")


def test_a_review_that_cannot_be_read_never_passes_for_a_good_one() -> None:
    world = led(attempts=1)
    propose(world)
    mumble(world, "quality", times=1)
    assert "the review of the plan cannot be read: no JSON" in text(world)
    assert world.task(1).accepted is None


def test_an_agent_that_fails_is_a_question_at_once() -> None:
    world = led()
    world.tell(agent_ended("task-1", 1, "error", detail="it crashed"))
    assert "scripted gave no answer (error): it crashed" in text(world)


def test_a_limit_is_waited_for_and_counts_no_failure() -> None:
    world = led()
    world.tell(f.RunOver("task-1-1", RunEnd("limit", detail="429", reset_at=world.now + 60)))
    assert "scripted" in world.state.holds
    world.now += 61
    world.tell()
    assert world.due(do.RunAgent).run == "task-1-2"
    assert world.task(1).failures == 0


def test_each_question_of_the_planner_is_one_of_its_own_and_it_goes_on_when_all_are_answered() -> None:
    world = led()
    propose(world, ASKS)
    assert [record.question.text for record in world.state.open.values() if record.question] == list(
        ASKS.questions
    )
    world.tell(f.Resolve("esc-1", "the first"))
    assert world.task(1).state == "BLOCKED"
    world.tell(f.Resolve("esc-2", "here"))
    assert world.due(do.RunAgent).run == "task-1-2"
    assert [said.who for said in conversation(world.state)] == ["user", "planner", "user"]
    said = conversation(world.state, after=1)
    assert [each.text for each in said] == [
        "About:\n> Which one?\nAnswer:\n> the first\n\nAbout:\n> Where?\nAnswer:\n> here"
    ]


def test_the_next_word_answers_all_that_is_asked() -> None:
    world = led()
    propose(world, ASKS)
    world.tell(f.Revise("the first, here"))
    assert not world.state.open
    assert conversation(world.state)[-1] == Said("user", "the first, here")
    assert world.due(do.RunAgent).run == "task-1-2"


def test_who_discusses_a_plan_accepts_it_or_says_what_shall_be_different() -> None:
    world = led(discuss=True)
    propose(world)
    score(world, 100)
    assert (question(world).kind, options(world)) == ("proposal", ("accept", "retry", "stop"))
    assert text(world).startswith("a plan is proposed, scored 100 of 100.")
    assert world.task(1).accepted is None
    world.tell(f.Resolve("esc-1", "two of them"))
    propose(world, TWO)
    score(world, 90)
    world.tell(f.Resolve("esc-2", "accept"))
    accepted = world.task(1).accepted
    assert accepted is not None
    assert (accepted.number, world.state.phase) == (2, "DONE")


def test_a_proposal_stands_until_a_better_one_is_there() -> None:
    world = led(discuss=True, attempts=1)
    propose(world)
    score(world, 100)
    world.tell(f.Resolve("esc-1", "worse, please"))
    propose(world, WRONG)
    assert "The plan stays as it was." in text(world)
    world.tell(f.Resolve("esc-2", "accept"))
    assert world.task(1).accepted is world.task(1).attempts[0]


def test_a_word_ends_the_planner_that_is_at_work_and_is_in_its_next_prompt() -> None:
    world = led()
    world.tell(f.Revise("without a reset", discuss=True))
    world.answer(world.due(do.StopAgent))
    assert world.due(do.RunAgent).run == "task-1-2"
    propose(world)
    score(world, 100)
    assert question(world).kind == "proposal", "from now on a person wants to accept it"


def test_who_has_waited_long_enough_comes_back_to_the_proposal_before() -> None:
    world = led(discuss=True)
    propose(world)
    score(world, 100)
    world.tell(f.Resolve("esc-1", "two of them"))
    world.tell(f.Revise("", discuss=True))
    world.answer(world.due(do.StopAgent))
    world.tell(f.Resolve(question(world).id, "accept"))
    assert world.task(1).accepted is world.task(1).attempts[0]


@pytest.mark.parametrize("word", ["", "  "])
def test_nothing_said_is_refused(word: str) -> None:
    assert led().tell(f.Revise(word)).refusals


def test_sessions_that_carry_out_a_plan_have_no_planner_to_talk_to() -> None:
    world = World(session(task(1)))
    assert "makes no plan" in str(world.tell(f.Revise("go on")).refusals[0])
    assert world.tell(f.PlanWritten("plan.md", "abc")).events == []


def test_a_planning_has_no_other_task() -> None:
    assert "makes a plan" in str(led().tell(f.AddTasks((task(2),))).refusals[0])


def test_stop_ends_the_planning_without_a_plan() -> None:
    world = led(discuss=True)
    propose(world)
    score(world, 100)
    world.tell(f.Resolve("esc-1", "stop"))
    assert (world.state.phase, world.task(1).accepted) == ("FAILED", None)


def test_where_the_plan_stands_is_known_afterwards() -> None:
    world = led()
    propose(world)
    score(world, 100)
    assert world.tell(f.PlanWritten("/a/plan.md", "abc")).events == [e.PlanFiled("/a/plan.md", "abc")]
    assert world.state.plan_file == ("/a/plan.md", "abc")

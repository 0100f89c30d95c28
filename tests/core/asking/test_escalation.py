"""How often a person is asked, and what the answers do."""

import pytest
from tests.core.support import World, session, settle, task
from tests.core.told import agent_ended

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Limits, Question
from teamlead.errors import NotFound, Refused, TeamleadError

ONE_ATTEMPT = Limits(attempts=1, jobs=1)


def failing(count: int, limits: Limits = ONE_ATTEMPT) -> World:
    """As many tasks, each failed once and blocked; another is done after each, so that the plan goes on."""
    done = range(count + 1, 2 * count + 1)
    order = [task(n) for pair in zip(range(1, count + 1), done, strict=True) for n in pair]
    world = World(session(*order, limits=limits))
    for number, other in zip(range(1, count + 1), done, strict=True):
        fail(world, number)
        world.finish(other)
    return world


def fail(world: World, number: int, detail: str = "") -> None:
    """In a way of its own, unless another is given."""
    world.advance(number, do.RunAgent)
    attempt = len(world.task(number).attempts)
    detail = detail or f"it crashed{'!' * number}"
    world.tell(agent_ended(f"task-{number}", attempt, "error", detail=detail))


def kinds(world: World) -> list[str]:
    return [record.kind for record in world.state.open.values()]


def refusal(world: World, fact: f.AnyFact) -> TeamleadError:
    turn = world.tell(fact)
    assert turn.events == []
    return turn.refusals[0]


def test_ten_questions_are_asked_without_asking_whether_to_go_on() -> None:
    world = failing(10)
    assert kinds(world) == ["failed"] * 10
    assert not world.state.held


def test_the_eleventh_is_held_and_the_person_is_asked_about_the_limit_once() -> None:
    world = failing(12)
    assert kinds(world) == ["failed"] * 10 + ["limit"]
    assert [record.asker.task for record in world.state.held.values()] == ["task-11", "task-12"]
    (limit,) = [record for record in world.state.open.values() if record.kind == "limit"]
    assert limit.question is not None
    assert "You were asked 10 times" in limit.question.text
    assert limit.question.options == ("more", "stop")


def test_more_releases_what_was_held() -> None:
    world = failing(12)
    world.tell(f.Resolve("esc-12", "more"))
    assert kinds(world) == ["failed"] * 12
    assert not world.state.held
    assert world.state.questions_allowed == 20
    world.tell(f.Resolve("esc-13", "skip"))
    assert world.task(12).state == "SKIPPED"


def test_after_more_the_next_ten_are_asked_and_then_the_limit_again() -> None:
    world = failing(12)
    world.tell(f.Resolve("esc-12", "more"))
    for number in range(31, 40):
        world.tell(f.AddTasks((task(number), task(number + 10))))
        fail(world, number)
        world.finish(number + 10)
    assert world.state.counted_questions == 20
    assert kinds(world).count("limit") == 1
    assert list(world.state.held) == ["esc-22"]


def test_more_than_ten_held_questions_ask_about_the_limit_again() -> None:
    world = failing(23)
    assert len(world.state.held) == 13
    world.tell(f.Resolve("esc-12", "more"))
    assert [record.asker.task for record in world.state.held.values()] == ["task-21", "task-22", "task-23"]
    (limit,) = [record for record in world.state.open.values() if record.kind == "limit"]
    assert limit.question is not None
    assert "You were asked 20 times" in limit.question.text
    world.tell(f.Resolve(limit.id, "more"))
    assert not world.state.held
    settle(world)
    assert world.state.phase == "DONE"


def test_the_question_about_the_limit_goes_with_the_last_held_question() -> None:
    world = failing(11)
    world.tell(f.SkipTask("task-11", "not needed"))
    assert not world.state.held
    assert "limit" not in kinds(world)


def test_with_a_held_question_left_the_limit_is_still_asked_about() -> None:
    world = failing(12)
    world.tell(f.SkipTask("task-11", "not needed"))
    assert len(world.state.held) == 1
    assert kinds(world).count("limit") == 1


def test_stop_at_the_limit_fails_the_session_and_withdraws_everything() -> None:
    world = failing(12)
    world.tell(f.Resolve("esc-12", "stop"))
    assert world.state.phase == "FAILED"
    assert not world.state.open
    assert not world.state.held
    assert {r.state for r in world.state.escalations.values()} == {"resolved", "withdrawn"}
    assert world.state.escalations["esc-12"].state == "resolved"


def test_anything_else_at_the_limit_is_refused_and_says_what_is_understood() -> None:
    world = failing(11)
    error = refusal(world, f.Resolve("esc-12", "skip"))
    assert isinstance(error, Refused)
    assert "'more' or 'stop'" in str(error)


def test_a_held_question_cannot_be_answered_before_the_limit_is() -> None:
    world = failing(11)
    assert "held until" in str(refusal(world, f.Resolve("esc-11", "retry")))


def test_what_agents_ask_of_their_own_accord_does_not_count() -> None:
    world = World(session(*(task(n) for n in range(1, 14)), limits=Limits(jobs=1, questions=1, attempts=1)))
    for number in range(1, 13):
        world.advance(number, do.RunAgent)
        world.tell(agent_ended(f"task-{number}", 1, "ok", question=Question("Which?")))
    assert kinds(world) == ["question"] * 12
    assert world.state.counted_questions == 0
    fail(world, 13)
    assert kinds(world)[-1] == "failed"


def test_an_agents_question_is_asked_although_the_limit_is_reached() -> None:
    world = World(session(task(1), task(2), task(3), limits=Limits(jobs=1, questions=1, attempts=1)))
    fail(world, 1)
    fail(world, 2)
    assert kinds(world) == ["failed", "limit"]
    world.advance(3, do.RunAgent)
    world.tell(agent_ended("task-3", 1, "ok", question=Question("Which?")))
    assert kinds(world) == ["failed", "limit", "question"]


def test_a_limit_of_no_questions_asks_about_the_limit_at_once() -> None:
    world = failing(1, Limits(attempts=1, questions=0))
    assert kinds(world) == ["limit"]
    world.tell(f.Resolve("esc-2", "more"))
    assert kinds(world) == ["failed"]


@pytest.mark.parametrize("word", ["stop", " STOP "])
def test_stop_as_an_answer_fails_the_session(word: str) -> None:
    world = failing(2)
    world.tell(f.Resolve("esc-1", word, by="ann"))
    assert world.state.phase == "FAILED"
    assert world.state.phases[-1].reason == "stopped by ann at esc-1"
    assert world.state.escalations["esc-2"].state == "withdrawn"


def test_stop_asks_who_is_at_work_to_leave_and_lets_through_what_is_being_merged() -> None:
    world = World(session(task(1), task(2), task(3), limits=Limits(jobs=3, attempts=1)))
    world.advance(2, do.Integrate)
    world.advance(3, do.RunAgent)
    fail(world, 1)
    world.tell(f.Resolve("esc-1", "stop"))
    assert sorted(type(effect).__name__ for effect in world.state.due.values()) == [
        "AwaitAnswer",
        "Deliver",
        "Integrate",
        "Release",
        "RunAgent",
    ]
    world.answer(world.due(do.Integrate))
    world.answer(world.due(do.RunAgent))
    assert world.task(2).state == "DONE"
    assert world.task(3).state == "CANCELLED"


def test_an_unknown_question_cannot_be_answered() -> None:
    world = failing(1)
    error = refusal(world, f.Resolve("esc-9", "retry"))
    assert isinstance(error, NotFound)
    assert "'esc-9'" in str(error)


def test_a_question_cannot_be_answered_twice() -> None:
    world = failing(1)
    world.tell(f.Resolve("esc-1", "retry"))
    assert "resolved already: retry" in str(refusal(world, f.Resolve("esc-1", "retry")))


def test_a_withdrawn_question_cannot_be_answered() -> None:
    world = failing(1)
    world.tell(f.SkipTask("task-1", "not needed"))
    assert "withdrawn already" in str(refusal(world, f.Resolve("esc-1", "retry")))


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_an_empty_answer_is_refused(text: str) -> None:
    assert "empty answer" in str(refusal(failing(1), f.Resolve("esc-1", text)))


def test_who_answered_what_and_when_is_kept() -> None:
    world = failing(1)
    raised = world.now
    world.now += 60
    world.tell(f.Resolve("esc-1", " use the other one ", by="ann"))
    record = world.state.escalations["esc-1"]
    assert (record.raised_at, record.resolved_at) == (raised, world.now)
    assert (record.state, record.resolution, record.by) == ("resolved", "use the other one", "ann")

"""What tasks meet in the same way: one cause, one question, one hold."""

import pytest
from tests.core.leading import asked, collected, led, mumble, question, say
from tests.core.support import World, session, settle, task
from tests.core.told import agent_ended, check_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.answers import Proposal
from teamlead.core.causes import cause_of
from teamlead.core.evidence.values import BaseRun
from teamlead.core.model import Limits
from teamlead.core.reports import DifficultyFeedback

ONCE = Limits(attempts=1, retry_delay=0.0)
MISSING = "'claude' is not installed"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("output in '/logs/task-1-2-setup.log':\nsome", "output in '/logs/task-12-1-setup.log':\nothers"),
        ("attempt 1 gave up", "attempt 3 gave up"),
        ("pid 48211 died after 12.5 s", "pid 991822 died after 0.7 s"),
        ("at 3f9a7c21d0", "at 00aa11bb22cc"),
        ("  it   crashed ", "it crashed"),
    ],
)
def test_what_differs_from_task_to_task_is_no_part_of_the_cause(one: str, other: str) -> None:
    assert cause_of(one) == cause_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("exit code 1", "exit code 127"), ("no such file", "no such command")]
)
def test_another_way_to_fail_is_another_cause(one: str, other: str) -> None:
    assert cause_of(one) != cause_of(other)


def test_the_same_of_another_thing_is_another_cause() -> None:
    assert cause_of("it crashed", "claude").name != cause_of("it crashed", "codex").name


# One question


def fails(world: World, number: int, detail: str = MISSING) -> None:
    world.advance(number, do.RunAgent)
    attempt = len(world.task(number).attempts)
    world.tell(agent_ended(f"task-{number}", attempt, "error", detail=detail))


def failed(*numbers: int, of: int = 4, limits: Limits = ONCE, **fields: object) -> World:
    """These fail in the same way, one after the other; all are at work by then that may be."""
    world = World(session(*(task(n) for n in range(1, of + 1)), limits=limits, **fields))
    for number in numbers:
        world.advance(number, do.RunAgent)
    for number in numbers:
        fails(world, number)
    return world


def open_questions(world: World) -> list[tuple[str, list[str]]]:
    return [(record.kind, list(record.tasks)) for record in world.state.open.values()]


def test_what_fails_in_the_same_way_for_several_tasks_is_asked_once() -> None:
    world = failed(1, 2, 3)
    assert open_questions(world) == [("failed", ["task-1", "task-2", "task-3"])]
    assert [world.task(n).blocked for n in (1, 2, 3)] == ["FAILED"] * 3
    reasons = [each.reason for each in question(world).tasks.values()]
    assert reasons[1].startswith("task-2 (Title 2) failed once")


def test_what_fails_in_ways_of_their_own_is_asked_about_each() -> None:
    world = failed()
    fails(world, 1, "it crashed")
    fails(world, 2, "it hung")
    assert open_questions(world) == [("failed", ["task-1"]), ("failed", ["task-2"])]
    assert not world.state.holds


def test_a_time_out_is_a_matter_of_its_task() -> None:
    world = failed()
    for number in (1, 2):
        world.advance(number, do.RunAgent)
        world.tell(agent_ended(f"task-{number}", 1, "timeout", detail="it still ran"))
    assert open_questions(world) == [("failed", ["task-1"]), ("failed", ["task-2"])]


def test_work_that_is_refused_in_the_same_words_is_each_tasks_own() -> None:
    world = failed()
    for number in (1, 2):
        collected(world, number, commit="")
    assert open_questions(world) == [("failed", ["task-1"]), ("failed", ["task-2"])]


def test_limits_count_questions_and_not_tasks() -> None:
    world = failed(limits=Limits(attempts=1, retry_delay=0.0, questions=1))
    for number in (1, 2, 3, 4):
        world.advance(number, do.RunAgent)
    for number in (1, 2, 3):
        fails(world, number)
    assert world.state.counted_questions == 1
    assert not world.state.held
    fails(world, 4, "it crashed")
    assert [list(record.tasks) for record in world.state.held.values()] == [["task-4"]]


def test_a_question_that_is_held_back_is_joined_too() -> None:
    world = failed(limits=Limits(attempts=1, retry_delay=0.0, questions=0))
    fails(world, 1)
    fails(world, 2)
    assert [list(record.tasks) for record in world.state.held.values()] == [["task-1", "task-2"]]
    world.tell(f.Resolve("esc-2", "more"))
    assert open_questions(world) == [("failed", ["task-1", "task-2"])]


def test_an_answer_reaches_all_its_tasks() -> None:
    world = failed(1, 2)
    world.tell(f.Resolve("esc-1", "install it first"))
    assert [world.task(n).guidance[-1][1] for n in (1, 2)] == ["install it first"] * 2
    assert not world.state.open
    assert world.state.escalations["esc-1"].resolution == "install it first"


def test_an_answer_for_some_leaves_the_question_open_for_the_others() -> None:
    world = failed(1, 2, 3)
    world.tell(f.Resolve("esc-1", "skip", tasks=("task-1", "task-3")))
    assert [world.task(n).state for n in (1, 2, 3)] == ["SKIPPED", "BLOCKED", "SKIPPED"]
    assert open_questions(world) == [("failed", ["task-2"])]
    record = question(world)
    assert record.question is not None
    assert record.question.text.startswith("task-2 (Title 2) failed once")
    assert record.reason.startswith("task-2")
    ((_, part),) = record.parts
    assert (part.tasks, part.resolution, part.by) == (("task-1", "task-3"), "skip", "user")
    world.tell(f.Resolve("esc-1", "retry"))
    assert world.task(2).live is not None


@pytest.mark.parametrize(
    ("tasks", "told"),
    [(("task-4",), "is not about task-4: it is about task-1, task-2"), (("task-9",), "not about task-9")],
)
def test_an_answer_for_a_task_that_was_not_asked_about_is_refused(tasks: tuple[str, ...], told: str) -> None:
    world = failed(1, 2)
    turn = world.tell(f.Resolve("esc-1", "retry", tasks=tasks))
    assert (turn.events, told in str(turn.refusals[0])) == ([], True)


def test_stop_is_for_the_whole_session() -> None:
    world = failed(1, 2)
    turn = world.tell(f.Resolve("esc-1", "stop", tasks=("task-1",)))
    assert "decided for all at once: task-1, task-2" in str(turn.refusals[0])


def test_what_concerns_all_is_not_answered_for_some() -> None:
    world = World(session(task(1), task(2), checks=("make lint",), limits=Limits(attempts=1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "denied", detail="401"))
    turn = world.tell(f.Resolve("esc-1", "retry", tasks=("task-1",)))
    assert "esc-1 is not about task-1: it is about the session as a whole" in str(turn.refusals[0])


def test_a_task_that_is_settled_leaves_the_question_and_the_last_withdraws_it() -> None:
    world = failed(1, 2, 3)
    world.tell(f.SkipTask("task-1", "not needed"))
    assert open_questions(world) == [("failed", ["task-2", "task-3"])]
    world.tell(f.RetryTask("task-2"))
    world.tell(f.SkipTask("task-3", "not needed"))
    record = world.state.escalations["esc-1"]
    assert (record.state, record.resolution, list(record.tasks)) == (
        "withdrawn",
        "task-3 was skipped",
        ["task-3"],
    )


def test_an_equal_question_that_comes_after_the_answer_is_another_one() -> None:
    world = failed(1, 2)
    world.tell(f.Resolve("esc-1", "retry"))
    fails(world, 1)
    assert [record.id for record in world.state.open.values()] == ["esc-2"]


def test_who_wants_to_change_the_same_is_asked_about_once_in_whatever_words() -> None:
    world = World(session(task(1), task(2), task(3), limits=ONCE, autonomy=2))
    for number, paths in ((1, ("docs/", "b.md")), (2, ("b.md", "docs/")), (3, ("c.md",))):
        world.advance(number, do.RunAgent)
        feedback = DifficultyFeedback(f"reason {number}", (), "scope", "escalate", paths=paths)
        world.tell(f.FeedbackGiven(f"task-{number}", 1, feedback))
    assert open_questions(world) == [("scope", ["task-1", "task-2"]), ("scope", ["task-3"])]
    world.tell(f.Resolve("esc-1", "allow"))
    assert [world.task(n).spec.scope for n in (1, 2)] == [("**", "docs/", "b.md"), ("**", "b.md", "docs/")]
    assert [world.task(n).guidance[-1][0].startswith(f"reason {n}") for n in (1, 2)] == [True, True]
    letters = [message.recipient for message in world.state.messages.values()]
    assert letters == ["task-1", "task-2"]


def test_a_task_that_asks_for_the_same_again_joins_its_own_question() -> None:
    world = World(session(task(1), limits=Limits(retry_delay=0.0), autonomy=2))
    wish = DifficultyFeedback("docs, too", (), "scope", "escalate", paths=("docs/",))
    world.advance(1, do.RunAgent)
    world.tell(f.FeedbackGiven("task-1", 1, wish))
    world.tell(agent_ended("task-1", 1, "error", detail="it crashed"))
    world.advance(1, do.RunAgent)
    world.tell(f.FeedbackGiven("task-1", 2, wish))
    assert open_questions(world) == [("scope", ["task-1"])]
    assert [attempt.questions for attempt in world.task(1).attempts] == [("esc-1",), ("esc-1",)]


# One hold


def test_with_the_second_task_the_agent_is_on_hold_until_the_answer() -> None:
    world = failed(1, of=4, limits=Limits(attempts=1, jobs=1, retry_delay=0.0))
    assert not world.state.holds
    fails(world, 2)
    hold = world.state.holds["scripted"]
    assert (hold.until, "for task-1 and task-2" in hold.reason) == (None, True)
    assert (world.task(3).live, world.state.startable) == (None, False)
    world.tell(f.Resolve("esc-1", "retry"))
    assert not world.state.holds
    world.finish(1, 2, 3, 4)


def test_an_agent_that_worked_in_between_is_not_held() -> None:
    world = failed(1, of=3, limits=Limits(attempts=1, jobs=1, retry_delay=0.0))
    world.finish(2)
    fails(world, 3)
    assert open_questions(world) == [("failed", ["task-1", "task-3"])]
    assert not world.state.holds


def test_another_agent_goes_on() -> None:
    tasks = (task(1), task(2), task(3, agent="codex"), task(4))
    world = World(session(*tasks, limits=Limits(attempts=1, jobs=1, retry_delay=0.0)))
    fails(world, 1)
    fails(world, 2)
    assert (world.task(3).live is not None, world.task(4).live) == (True, None)


def test_who_tries_again_has_the_agent_and_is_held_again_if_it_fails() -> None:
    world = failed(1, 2, of=3, limits=Limits(attempts=1, jobs=2, retry_delay=0.0))
    world.tell(f.Resolve("esc-1", "retry", tasks=("task-2",)))
    assert not world.state.holds
    assert world.task(2).live is not None
    fails(world, 2)
    assert list(world.state.holds) == ["scripted"]
    assert open_questions(world) == [("failed", ["task-1", "task-2"])]


def test_a_hold_goes_with_the_last_task_of_its_question() -> None:
    world = failed(1, 2, of=3, limits=Limits(attempts=1, jobs=1, retry_delay=0.0))
    world.tell(f.SkipTask("task-1", "not needed"))
    assert world.task(3).live is None
    world.tell(f.SkipTask("task-2", "not needed"))
    assert not world.state.holds
    assert world.task(3).live is not None


def test_a_release_answers_the_question() -> None:
    world = failed(1, 2)
    world.tell(f.ReleaseAgent("scripted"))
    assert world.state.escalations["esc-1"].resolution == "retry"
    assert not world.state.holds
    assert [world.task(n).blocked for n in (1, 2)] == [None, None]


def test_a_release_before_the_limit_is_answered_leaves_the_question_held() -> None:
    world = failed(1, limits=Limits(attempts=1, retry_delay=0.0, questions=0, jobs=1))
    fails(world, 2)
    assert list(world.state.held) == ["esc-1"]
    assert world.task(3).live is None
    world.tell(f.ReleaseAgent("scripted"))
    assert world.task(3).live is not None
    assert list(world.state.held) == ["esc-1"]


def test_no_planner_is_asked_to_cut_anew_what_another_task_met() -> None:
    world = led(*(task(n) for n in (1, 2, 3)), consultants=("planner",), limits=ONCE)
    fails(world, 1)
    assert asked(world, "replan").task == "task-1"
    fails(world, 2)
    assert open_questions(world) == [("failed", ["task-2"])]
    say(world, "replan", Proposal((), "", ("Red or blue?",)))
    assert open_questions(world) == [("failed", ["task-2", "task-1"])]


def test_what_tasks_meet_together_says_nothing_about_the_plan() -> None:
    world = failed(1, 2, 3, 4, limits=Limits(attempts=1, jobs=4, retry_delay=0.0))
    assert open_questions(world) == [("failed", [f"task-{n}" for n in (1, 2, 3, 4)])]
    assert not world.state.halts


def test_an_environment_that_makes_no_copies_is_held_for_all_agents() -> None:
    tasks = (task(1), task(2), task(3, agent="codex"))
    world = World(session(*tasks, limits=Limits(attempts=1, jobs=1, retry_delay=0.0)))
    for number in (1, 2):
        problem = f"'npm ci' ended with 1; output in '/logs/task-{number}-1.log':\nno network"
        world.tell(f.EffectFailed(f"task-{number}", 1, "preparing the working copy", problem))
    assert list(world.state.holds) == ["environment"]
    assert (world.task(3).live, world.state.under_way) == (None, False)
    world.tell(f.Resolve("esc-1", "retry"))
    world.finish(1, 2, 3)


def test_a_merge_that_fails_for_several_is_asked_once_and_holds_nothing() -> None:
    world = failed()
    for number in (1, 2):
        world.advance(number, do.Integrate)
        world.tell(f.EffectFailed(f"task-{number}", 1, "merging", "no space left"))
    assert open_questions(world) == [("failed", ["task-1", "task-2"])]
    assert not world.state.holds


def test_a_planner_without_a_usable_answer_for_two_tasks_is_held_with_one_question() -> None:
    tasks = [task(n) for n in (1, 2, 3)]
    world = led(*tasks, consultants=("planner",), limits=Limits(attempts=1, jobs=3, retry_delay=0.0))
    for number in (1, 2):
        fails(world, number, f"it crashed{'!' * number}")
        mumble(world, "replan")
    assert open_questions(world) == [("failed", ["task-1", "task-2"])]
    assert list(world.state.holds) == ["planner"]
    world.finish(3)
    world.tell(f.Resolve("esc-2", "retry"))
    assert not world.state.holds
    settle(world)


def no_program(world: World, number: int, command: str, base: BaseRun | None = None) -> None:
    world.advance(number, do.Check)
    world.tell(check_ended(f"task-{number}", 1, command, 127, base=base))


def test_a_check_of_all_tasks_that_cannot_be_run_stops_the_rest() -> None:
    limits = Limits(attempts=1, jobs=1, retry_delay=0.0)
    world = World(session(*(task(n) for n in range(1, 9)), checks=("pytest",), limits=limits))
    no_program(world, 1, "pytest")
    no_program(world, 2, "pytest")
    assert open_questions(world) == [("failed", ["task-1", "task-2"])]
    assert list(world.state.holds) == ["`pytest`"]
    assert not world.state.startable
    world.finish(3)
    assert world.task(8).attempts == []
    world.tell(f.Resolve("esc-1", "retry"))
    settle(world)


def test_a_check_of_their_own_that_cannot_be_run_is_asked_once_and_holds_nothing() -> None:
    world = World(session(task(1, checks=("make it",)), task(2, checks=("make it",)), task(3), limits=ONCE))
    no_program(world, 1, "make it")
    no_program(world, 2, "make it", BaseRun(127))
    assert open_questions(world) == [("failed", ["task-1", "task-2"])]
    assert not world.state.holds


def test_a_program_that_is_gone_since_the_base_is_the_works_own_fault() -> None:
    world = World(session(task(1), task(2), checks=("./run",), limits=ONCE))
    no_program(world, 1, "./run", BaseRun(0))
    no_program(world, 2, "./run", BaseRun(0))
    assert open_questions(world) == [("failed", ["task-1"]), ("failed", ["task-2"])]


def test_the_hold_and_its_question_are_there_after_a_restart() -> None:
    world = failed(1, 2, 3)
    world.check_replay()
    joined = [event.task.task for _, event in world.log if isinstance(event, e.EscalationJoined)]
    assert joined == ["task-2", "task-3"]

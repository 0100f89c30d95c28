"""The routing table: whom the lead turns to, row by row, how often, and who comes next."""

from typing import Any

import pytest
from tests.core.leading import (
    EVERYBODY,
    ONE_ATTEMPT,
    STEPS,
    SURE,
    asked,
    crash,
    led,
    mumble,
    options,
    question,
    records,
    report,
    say,
    text,
)
from tests.core.support import World, task

from teamlead.core import facts as f
from teamlead.core.answers import Analysis
from teamlead.core.asking.difficulties import route
from teamlead.core.asking.routing import PRIORITY
from teamlead.core.model import Limits
from teamlead.core.reports import DifficultyFeedback

ADVISERS = ("logicValidator", "externalAdvisor", "user")
ROUTES = {
    ("technical", None): ("technical", ADVISERS),
    ("ambiguity", None): ("question", ("user",)),
    ("scope", None): ("scope", ("user",)),
    ("dependency", None): ("dependency", ("planner", "user")),
    (None, "escalate"): ("technical", ADVISERS),
    (None, "replan"): ("technical", ("planner", *ADVISERS)),
    (None, "clarification"): ("question", ("user",)),
    ("technical", "escalate"): ("technical", ADVISERS),
    ("technical", "replan"): ("technical", ("planner", *ADVISERS)),
    ("technical", "clarification"): ("question", ("user",)),
    ("ambiguity", "escalate"): ("question", ("user",)),
    ("ambiguity", "replan"): ("question", ("user",)),
    ("ambiguity", "clarification"): ("question", ("user",)),
    ("scope", "escalate"): ("scope", ("user",)),
    ("scope", "replan"): ("scope", ("user",)),
    ("scope", "clarification"): ("scope", ("user",)),
    ("dependency", "escalate"): ("dependency", ("planner", "user")),
    ("dependency", "replan"): ("dependency", ("planner", "user")),
    ("dependency", "clarification"): ("question", ("user",)),
}


@pytest.mark.parametrize(("category", "action"), ROUTES)
def test_a_difficulty_goes_to_the_first_of_those_that_its_category_and_its_wish_name(
    category: Any, action: Any
) -> None:
    kind, targets = ROUTES[category, action]
    assert route(DifficultyFeedback("x", category=category, requested_action=action)) == (kind, targets)
    world = led()
    report(world, category=category, requested_action=action)
    assert records(world) == [(kind, targets[0], "open")]
    block = {"user": "QUESTION", "planner": "PLANNER", "logicValidator": "ADVICE"}[targets[0]]
    assert (world.task(1).state, world.task(1).blocked) == ("BLOCKED", block)


@pytest.mark.parametrize("category", ["technical", "ambiguity", "scope", "dependency", None])
def test_a_difficulty_with_which_the_agent_goes_on_concerns_nobody(category: Any) -> None:
    world = led()
    report(world, category=category, requested_action="continue")
    assert not world.state.escalations


def test_a_difficulty_of_which_nothing_is_said_but_that_it_is_there_concerns_nobody() -> None:
    world = led()
    report(world)
    assert not world.state.escalations
    assert [each.issue for each in world.task(1).attempts[0].difficulties] == ["it hangs"]


def test_users_go_before_planners_and_these_before_those_who_advise() -> None:
    assert PRIORITY == ("user", "planner", "logicValidator", "externalAdvisor")


def test_a_task_that_failed_three_times_goes_to_the_planner() -> None:
    world = led(limits=Limits(retry_delay=0.0))
    crash(world, times=2)
    assert not world.state.escalations
    crash(world)
    assert records(world) == [("failed", "planner", "open")]
    record = world.state.referred["esc-1"]
    assert (record.asker.task, record.reason) == (
        "task-1",
        "task-1 (Title 1) failed 3 times; last: the agent failed: it crashed!",
    )
    assert asked(world, "replan").about == f"> {record.reason}"
    assert not world.state.open


def test_what_is_with_a_model_is_not_for_a_person_to_resolve() -> None:
    world = led(limits=ONE_ATTEMPT)
    crash(world)
    assert "is with the planner" in str(world.tell(f.Resolve("esc-1", "retry")).refusals[0])


def replanned(count: int, replans: int = 3) -> World:
    """As many tasks failed, each after another was done, and the planner answered for each."""
    tasks = [task(n) for n in range(1, 2 * count + 1)]
    world = led(*tasks, limits=Limits(jobs=1, attempts=1, retry_delay=0.0, replans=replans))
    for number in range(1, 2 * count, 2):
        crash(world, number)
        if world.state.advising:
            say(world, "replan", STEPS)
        world.finish(number + 1)
    return world


def test_the_third_time_is_the_last_that_the_planner_is_turned_to() -> None:
    world = replanned(3)
    assert [r.target for r in world.state.escalations.values()] == ["planner"] * 3
    assert world.state.referrals == {"planner": 3}
    assert not world.state.open


def test_the_fourth_time_the_user_is_asked_and_told_why() -> None:
    world = replanned(4)
    assert question(world).kind == "failed"
    assert text(world).startswith("the planner was turned to 3 times in this session, which is the limit\n")


def advised(count: int, consultants: tuple[str, ...], **limits: int) -> World:
    """A task that reports as many technical difficulties; whoever is asked knows what to do."""
    world = led(consultants=consultants, limits=Limits(**limits))
    for _ in range(count):
        report(world, requested_action="escalate")
        for found in list(world.state.advising.values()):
            say(world, found.purpose, SURE)
    return world


def test_the_fifth_time_is_the_last_that_the_validator_is_turned_to() -> None:
    world = advised(5, EVERYBODY)
    assert world.state.referrals == {"logicValidator": 5}
    world = advised(6, EVERYBODY)
    assert world.state.referrals == {"logicValidator": 5, "externalAdvisor": 1}


def test_the_fifth_time_is_the_last_that_the_advisor_is_turned_to_and_then_the_user_is_asked() -> None:
    world = advised(10, EVERYBODY)
    assert world.state.referrals == {"logicValidator": 5, "externalAdvisor": 5}
    assert not world.state.open
    world = advised(11, EVERYBODY)
    assert text(world).startswith(
        "the validator was turned to 5 times in this session, which is the limit; "
        "the advisor was turned to 5 times in this session, which is the limit\nit hangs"
    )


def test_a_limit_of_none_turns_to_nobody() -> None:
    world = advised(1, EVERYBODY, validations=0, advices=0)
    assert [r.target for r in world.state.escalations.values()] == ["user"]


def test_without_a_validator_the_advisor_is_next() -> None:
    world = led(consultants=("advisor",))
    report(world, requested_action="escalate")
    assert records(world) == [("technical", "externalAdvisor", "open")]


def test_without_an_advisor_the_user_is_asked_and_a_warning_remains() -> None:
    world = advised(6, ("validator",))
    assert text(world).startswith("the validator was turned to 5 times in this session")
    assert "there is no advisor" in text(world)
    assert world.state.warnings == [
        "no external advisor is configured: technical difficulties go to the user"
    ]


def test_a_session_that_consults_nobody_asks_the_user_without_further_words() -> None:
    world = led(consultants=())
    report(world, requested_action="escalate")
    assert text(world).startswith("it hangs\n")
    assert options(world) == ("retry", "skip", "stop")
    assert not world.state.warnings


def test_a_planner_that_cannot_be_understood_hands_a_technical_difficulty_to_those_who_advise() -> None:
    world = led()
    report(world, requested_action="replan")
    mumble(world, "replan")
    assert records(world) == [("technical", "planner", "withdrawn"), ("technical", "logicValidator", "open")]
    assert world.task(1).blocked == "ADVICE"
    say(world, "validate", SURE)
    assert world.task(1).live is not None


def test_a_planner_that_cannot_be_understood_leaves_the_failure_to_the_user() -> None:
    world = led(limits=ONE_ATTEMPT)
    crash(world)
    mumble(world, "replan")
    assert records(world) == [("failed", "planner", "withdrawn"), ("failed", "user", "open")]
    assert text(world).startswith("the planner gave no usable answer: no JSON\ntask-1 (Title 1) failed")
    assert (world.task(1).blocked, options(world)) == ("FAILED", ("retry", "skip", "stop"))
    world.tell(f.Resolve("esc-2", "use the other file"))
    assert world.task(1).guidance[-1][1] == "use the other file"


@pytest.mark.parametrize("kind", ["technical", "dependency"])
@pytest.mark.parametrize(
    ("word", "state"), [("retry", "RUNNING"), ("try that", "RUNNING"), ("skip", "SKIPPED")]
)
def test_every_option_at_a_difficulty_does_what_it_says(kind: Any, word: str, state: str) -> None:
    world = led(consultants=())
    report(world, category=kind, requested_action="escalate")
    assert options(world) == ("retry", "skip", "stop")
    world.tell(f.Resolve("esc-1", word))
    assert world.task(1).state == state
    assert [answer for _, answer in world.task(1).guidance] == (["try that"] if word == "try that" else [])


@pytest.mark.parametrize("category", ["technical", "scope", "dependency"])
def test_stop_at_a_difficulty_ends_the_session(category: Any) -> None:
    world = led(consultants=())
    report(world, category=category, requested_action="escalate")
    world.tell(f.Resolve("esc-1", "stop"))
    assert world.state.phase == "FAILED"


def test_the_lead_s_own_questions_count_towards_what_the_user_agreed_to_and_an_agents_do_not() -> None:
    world = led(task(1), task(2), consultants=(), limits=Limits(questions=1))
    report(world, 1, category="ambiguity", requested_action="clarification")
    assert world.state.counted_questions == 0
    report(world, 2, category="scope", requested_action="escalate")
    assert world.state.counted_questions == 1


def test_a_held_question_keeps_its_task_waiting_and_is_asked_after_more() -> None:
    world = led(task(1), consultants=(), limits=Limits(questions=0))
    report(world, category="scope", requested_action="escalate")
    assert [r.kind for r in world.state.open.values()] == ["limit"]
    assert world.task(1).blocked == "QUESTION"
    world.tell(f.Resolve("esc-2", "more"))
    world.tell(f.Resolve("esc-1", "deny"))
    assert world.task(1).live is not None


def test_what_waits_with_a_model_goes_with_its_task() -> None:
    world = led()
    report(world, requested_action="escalate")
    world.tell(f.SkipTask("task-1", "not needed"))
    assert records(world) == [("technical", "logicValidator", "withdrawn")]
    assert not world.state.advising


def test_independent_tasks_go_on_while_one_waits_for_a_model() -> None:
    world = led(task(1), task(2), consultants=("validator",))
    report(world, requested_action="escalate")
    world.finish(2)
    assert world.task(1).blocked == "ADVICE"


def test_a_referral_is_one_run_of_a_model_that_may_be_asked_again_without_counting() -> None:
    world = led()
    report(world, requested_action="escalate")
    mumble(world, "validate", 2)
    say(world, "validate", Analysis("a race", "lock it", "medium"))
    assert world.state.referrals == {"logicValidator": 1}
    assert records(world) == [("technical", "logicValidator", "resolved")]

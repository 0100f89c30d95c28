"""What becomes of a model's opinion about a difficulty."""

from typing import Any

import pytest
from tests.core.leading import (
    EVERYBODY,
    SURE,
    asked,
    led,
    mumble,
    options,
    question,
    records,
    report,
    say,
    text,
)
from tests.core.support import World

from teamlead.core.answers import Analysis

UNSURE = Analysis("unclear", "try again", "low")


def stuck(consultants: tuple[str, ...] = EVERYBODY, **fields: Any) -> World:
    world = led(consultants=consultants, **fields)
    report(world, requested_action="escalate")
    return world


@pytest.mark.parametrize("confidence", ["high", "medium"])
def test_sure_advice_closes_the_record_and_goes_into_the_next_prompt(confidence: Any) -> None:
    world = stuck()
    assert (world.task(1).blocked, asked(world, "validate").about.splitlines()[0]) == ("ADVICE", "> it hangs")
    say(world, "validate", Analysis("a race", "lock it", confidence))
    record = world.state.escalations["esc-1"]
    assert (record.state, record.by, record.resolution) == ("resolved", "validator", "lock it")
    assert world.task(1).guidance[-1][1] == "lock it\n\nThe cause: a race"
    assert world.task(1).live is not None
    assert world.task(1).failures == 0


def test_advice_without_confidence_goes_to_the_advisor_with_what_was_found() -> None:
    world = stuck()
    say(world, "validate", UNSURE)
    assert records(world) == [
        ("technical", "logicValidator", "withdrawn"),
        ("technical", "externalAdvisor", "open"),
    ]
    assert world.task(1).blocked == "ADVICE"
    assert "What the validator takes for the cause:\n> unclear\n" in asked(world, "advise").about
    say(world, "advise", SURE)
    assert world.state.escalations["esc-2"].by == "advisor"
    assert world.task(1).live is not None


@pytest.mark.parametrize(("purpose", "before"), [("validate", ()), ("advise", ("validate",))])
def test_whoever_is_not_sure_last_leaves_it_to_the_user(purpose: Any, before: tuple[Any, ...]) -> None:
    world = stuck(("validator",) if not before else EVERYBODY)
    for each in (*before, purpose):
        say(world, each, UNSURE)
    assert (question(world).kind, list(question(world).tasks)) == ("technical", ["task-1"])
    role = "validator" if not before else "advisor"
    assert text(world).startswith(f"the {role} is not sure")
    assert (world.task(1).blocked, options(world)) == ("QUESTION", ("retry", "skip", "stop"))


def test_a_validator_that_cannot_be_understood_is_followed_by_the_advisor_and_that_by_the_user() -> None:
    world = stuck()
    mumble(world, "validate")
    mumble(world, "advise")
    assert [r.target for r in world.state.escalations.values()] == [
        "logicValidator",
        "externalAdvisor",
        "user",
    ]
    assert text(world).startswith("the advisor gave no usable answer: no JSON\nit hangs")


@pytest.mark.parametrize("purpose", ["validate", "advise"])
def test_a_decision_that_is_the_users_is_asked_of_the_user_whoever_comes_next(purpose: Any) -> None:
    world = stuck()
    if purpose == "advise":
        say(world, "validate", UNSURE)
    say(world, purpose, Analysis("two ways", "choose", "high", requires_user_decision=True))
    role = {"validate": "validator", "advise": "advisor"}[purpose]
    assert text(world).startswith(f"the {role} leaves the decision to you\n> it hangs\n")
    assert question(world).kind == "technical"


def test_a_contradiction_that_the_validator_finds_is_for_the_user() -> None:
    world = stuck()
    say(world, "validate", Analysis("both", "choose", "high", contradiction="fast and complete"))
    assert question(world).kind == "contradiction"
    assert "requirements that contradict each other: fast and complete" in text(world)
    assert options(world) == ("retry", "skip", "stop")

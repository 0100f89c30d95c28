"""Sessions with models to consult, and what these say."""

from typing import Any

from tests.core.support import World, session, task
from tests.core.told import agent_ended, answered, work_found

from teamlead.core import effects as do
from teamlead.core.answers import Analysis, Answer, Judgement, Proposal
from teamlead.core.model import Limits, TaskSpec
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.runs import Purpose, Run
from teamlead.core.state.records import Escalation
from teamlead.core.step import Turn

EVERYBODY = ("judge", "planner", "validator", "advisor")
ONE_ATTEMPT = Limits(attempts=1, retry_delay=0.0)

YES = Judgement(success=True, reason="it does")
NO = Judgement(success=False, reason="not all of it", missing=("the page",), should_continue=True)
STEPS = Proposal(
    (TaskSpec("task-1", "A step"), TaskSpec("task-2", "The rest", depends_on=("task-1",))),
    reason="it was too large",
)
SURE = Analysis("a race", "lock it", "high")


def led(*tasks: TaskSpec, consultants: tuple[str, ...] = EVERYBODY, **fields: Any) -> World:
    return World(session(*(tasks or (task(1),)), consultants=consultants, **fields))


def asked(world: World, purpose: Purpose) -> Run:
    """The one model that is asked this now."""
    (found,) = [found for found in world.state.advising.values() if found.purpose == purpose]
    return found


def say(world: World, purpose: Purpose, answer: Answer) -> Turn:
    return world.tell(answered(asked(world, purpose).id, "ok", answer))


def mumble(world: World, purpose: Purpose, times: int = 3, problem: str = "no JSON") -> Turn:
    """Nothing that can be read, as often as it is asked."""
    for _ in range(times):
        turn = world.tell(answered(asked(world, purpose).id, "ok", problem=problem))
    return turn


def crash(world: World, number: int = 1, times: int = 1) -> None:
    """In a way of its own."""
    for _ in range(times):
        world.advance(number, do.RunAgent)
        attempt = len(world.task(number).attempts)
        world.tell(agent_ended(f"task-{number}", attempt, "error", detail=f"it crashed{'!' * number}"))


def replan(world: World, number: int, *steps: TaskSpec, reason: str = "better") -> Turn:
    """A task that may fail once does, and the planner puts these in its place."""
    crash(world, number)
    return say(world, "replan", Proposal(steps, reason))


def collected(world: World, number: int = 1, **fields: Any) -> Turn:
    """The agent has ended, and this is what it left."""
    world.advance(number, do.Collect)
    attempt = len(world.task(number).attempts)
    return world.tell(
        work_found(f"task-{number}", attempt, **{"commit": f"task-{number}@{attempt}"} | fields)
    )


def report(world: World, number: int = 1, **fields: Any) -> None:
    """The agent reports a difficulty with its last words."""
    feedback = DifficultyFeedback("it hangs", **fields)
    collected(world, number, commit="", feedback=feedback)


def records(world: World) -> list[tuple[str, str, str]]:
    return [(r.kind, r.target, r.state) for r in world.state.escalations.values()]


def question(world: World) -> Escalation:
    """The one open question to the user."""
    (record,) = world.state.open.values()
    return record


def text(world: World) -> str:
    record = question(world)
    assert record.question is not None
    return record.question.text


def options(world: World) -> tuple[str, ...]:
    record = question(world)
    assert record.question is not None
    return record.question.options

"""What simulated models answer."""

from random import Random

from tests.simulation.plans import random_task

from teamlead.core.answers import (
    Analysis,
    Answer,
    Completion,
    Criterion,
    Draft,
    Example,
    Examples,
    Judgement,
    Proposal,
    Quality,
    Remark,
)
from teamlead.core.model import TaskSpec
from teamlead.core.runs import Purpose

MET, UNMET = Criterion("all of it", met=True), Criterion("all of it", met=False, why="the page")
SOUND = TaskSpec("task-1", "Do it", "All of it.", scope=("src/",), acceptance=("a.txt holds 1",))
EXPECTED = Examples((Example(command="python3 try.py", output="1", sentence="a.txt holds 1"),))
FINE = Judgement(success=True, reason="it does")
REFUSALS = (
    Judgement(success=False, reason="not all of it", missing=("the page",), should_continue=True),
    Judgement(success=False, reason="not all of it", should_continue=True),
    Judgement(success=False, reason="too large", should_replan=True),
    Judgement(success=False, reason="it was there", already_satisfied=True),
    Judgement(success=False, reason="both cannot be", contradictions=("a and not a",)),
    Judgement(success=False, reason="who knows"),
    Judgement(success=True, reason="it is there", objections=(Remark("nothing reads it", "a.py:1"),)),
)
COMPLETE = Completion(fulfilled=True, reason="all is there")
SURE = Analysis("a race", "lock it", "high")
DOUBTS = (
    Analysis("unclear", "try", "low"),
    Analysis("a race", "lock it", "medium"),
    Analysis("both", "choose", "high", requires_user_decision=True),
    Analysis("both", "choose", "high", contradiction="a and not a"),
)


def wise(random: Random, purpose: Purpose) -> Answer:
    match purpose:
        case "judge":
            return FINE
        case "tests" | "examples":
            return EXPECTED
        case "replan" | "review":
            return Proposal(_tasks(random), "smaller steps")
        case "complete":
            return COMPLETE
        case "validate" | "advise":
            return SURE
        case "quality":
            return Quality((MET,))
        case "work":
            return Draft((SOUND,), random.choice(("", "A title")), words="one task")


def contrary(random: Random, purpose: Purpose) -> Answer:
    match purpose:
        case "judge":
            return random.choice(REFUSALS)
        case "tests" | "examples":
            return Examples(())
        case "replan" | "review":
            return random.choice(
                (Proposal(()), Proposal(_tangled(random)), Proposal((), questions=("why?",)))
            )
        case "complete":
            tasks = random.choice(((), _tasks(random), _tangled(random)))
            return Completion(fulfilled=False, reason="no docs", missing=("docs",), tasks=tasks)
        case "validate" | "advise":
            return random.choice(DOUBTS)
        case "quality":
            return random.choice((Quality((UNMET,)), Quality((MET, MET, UNMET)), Quality((MET, UNMET))))
        case "work":
            return random.choice(
                (
                    Draft(_tangled(random), words="tangled"),
                    Draft((SOUND,), problems=("its form",), words="its form"),
                    Draft(questions=("Which one?",), words="a question"),
                    Draft(questions=("Which one?", "Where?"), words="two questions"),
                )
            )


def _tasks(random: Random) -> tuple[TaskSpec, ...]:
    first = random_task(random, 1, ())
    return random.choice(((first,), (first, random_task(random, 2, ("task-1",)))))


def _tangled(random: Random) -> tuple[TaskSpec, ...]:
    """Nobody can carry it out."""
    return random.choice(
        (
            (random_task(random, 1, ("task-2",)), random_task(random, 2, ("task-1",))),
            (random_task(random, 1, ()), random_task(random, 1, ())),
            (random_task(random, 1, ("task-77",)),),
        )
    )

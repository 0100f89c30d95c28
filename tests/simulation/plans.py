"""Random sessions of about ten tasks: shapes, scopes, checks and limits."""

from random import Random

from msgspec.structs import replace

from teamlead.core.model import (
    JUDGED,
    Budget,
    Limits,
    Plan,
    RoleSettings,
    Said,
    SessionSpec,
    TaskSpec,
    TaskType,
    ToolPolicy,
)
from teamlead.core.pipeline import pipelines

SCOPE = ("src/",)
TYPES: tuple[TaskType, ...] = ("implementation",) * 6 + ("documentation", "integration", "investigation")
CHECKS: tuple[tuple[str, ...], ...] = ((), (), ("make test",), ("make test", "make lint"))
AGENTS = ("", "", "", "other", "claude")
NO_BUDGET = Budget()
CONSULTANTS = (
    (),
    ("judge",),
    ("judge", "planner"),
    ("planner", "validator"),
    ("judge", "planner", "validator", "advisor"),
)
BUDGETS = (NO_BUDGET,) * 6 + (Budget(cost_usd=5.0), Budget(tokens=900, turns=20))


PLANNINGS = 12
"""One session of so many makes a plan."""
PREFLIGHTS = 6
"""In one of so many, checks are tried before agents start."""
TESTERS = 6
"""In one of so many, somebody writes tests who sees only the task."""
INPUTS = 3
"""In one of so many, judges think of inputs before they see the work."""


def session_of(seed: int, random: Random) -> SessionSpec:
    """By the seed, so that others are as they were without plannings."""
    spec = random_planning(random) if seed % PLANNINGS == 5 else random_session(random)
    testers = ("tester",) if seed % TESTERS == 2 else ()
    return replace(
        spec,
        preflight=seed % PREFLIGHTS == 3,
        judge_inputs=seed % INPUTS == 1,
        consultants=(*spec.consultants, *testers),
    )


def random_session(random: Random) -> SessionSpec:
    count = random.choice((9, 10, 10, 11))
    shape = random.choice((_chain, _fan, _layers, _anything))
    tasks = [random_task(random, number, shape(random, number)) for number in range(1, count + 1)]
    if random.random() < 0.25:
        places = sorted(random.choice((1, 2, 3)) for _ in tasks)
        tasks = [replace(each, stage=f"stage {place}") for each, place in zip(tasks, places, strict=True)]
    limits = Limits(
        jobs=random.choice((1, 2, 3, 4)),
        attempts=random.choice((1, 2, 3)),
        conflict_reruns=random.choice((0, 1)),
        retry_delay=random.choice((0.0, 2.0, 40.0)),
        questions=random.choice((0, 1, 3, 10)),
        replans=random.choice((0, 1, 3)),
        validations=random.choice((0, 1, 5)),
        advices=random.choice((0, 1, 5)),
        proof_times=random.choice((0.0, 2.0)),
    )
    return SessionSpec(
        "s-1",
        Plan("A plan", "Do it", tuple(tasks)),
        "base",
        "main",
        "simulated",
        limits,
        pipelines.pipeline_of(tasks),
        checks=random.choice(((), (), ("make lint",))),
        auto_approve=random.random() < 0.3,
        stop_on_escalation=random.random() < 0.15,
        autonomy=random.choice((1, 1, 2)),
        budget=random.choice(BUDGETS),
        roles=(
            RoleSettings("worker", budget=random.choice(BUDGETS)),
            # Tasks that are added in mid-session are of this role, and their agents change files as all do.
            RoleSettings("code-explorer", policy=ToolPolicy()),
            *(
                RoleSettings(name, agent=random.choice(AGENTS), budget=random.choice(BUDGETS))
                for name in ("judge", "planner", "validator", "advisor")
            ),
        ),
        consultants=random.choice(CONSULTANTS),
        judged=random.choice(JUDGED),
    )


def random_planning(random: Random) -> SessionSpec:
    """A session that makes a plan, of an instruction or of a document."""
    spec = TaskSpec(
        "task-1", "Make the plan", role="planner", scope=(), type="investigation", delivers="plan"
    )
    plan = Plan(
        "A plan",
        "",
        (spec,),
        instruction="Do it",
        source_type=random.choice(("planner-session", "planner-session", "plan-document")),
        conversation=(Said("user", "Do it"),),
    )
    limits = Limits(jobs=random.choice((1, 2)), attempts=random.choice((1, 2, 3, 5)))
    return SessionSpec(
        "plan-1",
        plan,
        "base",
        "main",
        "simulated",
        limits,
        pipeline=pipelines.PLANNING,
        auto_approve=random.random() < 0.5,
        budget=random.choice(BUDGETS),
        roles=(RoleSettings("planner", agent=random.choice(AGENTS), budget=random.choice(BUDGETS)),),
    )


def random_task(random: Random, number: int, depends_on: tuple[str, ...]) -> TaskSpec:
    return TaskSpec(
        f"task-{number}",
        f"Title {number}",
        scope=SCOPE,
        acceptance=random.choice(((), ("it does",))),
        checks=random.choice(CHECKS),
        depends_on=depends_on,
        type=random.choice(TYPES),
        agent=random.choice(AGENTS),
        budget=random.choice(BUDGETS) if random.random() < 0.1 else NO_BUDGET,
    )


def _chain(random: Random, number: int) -> tuple[str, ...]:
    return (f"task-{number - 1}",) if number > 1 and random.random() < 0.9 else ()


def _fan(random: Random, number: int) -> tuple[str, ...]:
    return ("task-1",) if number > 1 else ()


def _layers(random: Random, number: int) -> tuple[str, ...]:
    first = (number - 1) // 3 * 3
    return tuple(f"task-{earlier}" for earlier in range(max(1, first - 2), first + 1))


def _anything(random: Random, number: int) -> tuple[str, ...]:
    earlier = random.sample(range(1, number), min(number - 1, random.choice((0, 1, 1, 2, 3))))
    return tuple(f"task-{name}" for name in earlier)

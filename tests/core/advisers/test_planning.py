"""A breakdown is used only if code finds nothing wrong with it and its review scores enough."""

import pytest
from msgspec.structs import replace

from teamlead.core.advisers.planning import excesses, faults, score, shortcomings
from teamlead.core.answers import Criterion, Quality
from teamlead.core.model import Limits, TaskSpec

GOOD = TaskSpec(
    "task-1", "Add the login form", "A form.", scope=("src/",), acceptance=("a user can sign in",), hours=2.0
)


def made(*names: str, **values: object) -> list[TaskSpec]:
    return [replace(GOOD, id=name, **values) for name in names or ("task-1",)]


def test_a_sound_breakdown_has_no_fault() -> None:
    assert faults([GOOD, replace(GOOD, id="task-2", depends_on=("task-1",))]) == ()


@pytest.mark.parametrize(
    ("tasks", "fault"),
    [
        ([], "there are no tasks"),
        (made("task-0"), "'task-0' is not a task id"),
        (made("one"), "'one' is not a task id"),
        (made("task-01"), "'task-01' is not a task id"),
        (made("task-1", "task-1"), "task-1 is there already"),
        (made(depends_on=("task-2",)), "task-1 depends on task-2, which does not exist"),
        (made(depends_on=("task-1",)), "these tasks wait for each other: task-1 → task-1"),
        (
            [*made("task-1", depends_on=("task-2",)), *made("task-2", depends_on=("task-1",))],
            "these tasks wait for each other",
        ),
        (made(title=" "), "task-1 has no summary"),
        (made(title="x" * 51), "the summary of task-1 has 51 characters, more than 50"),
        (made(description=""), "task-1 has no description"),
        (made(type="cooking"), "task-1 has the unknown type 'cooking'"),
        (made(scope=()), "task-1 has no scope"),
        (made(scope=(" ",)), "task-1 has no scope"),
        (made(hours=0.4), "task-1 takes 0.4 h: use 0.5 to 8"),
        (made(hours=8.5), "task-1 takes 8.5 h: use 0.5 to 8"),
        (made(hours=float("nan")), "task-1 takes nan h"),
        (made(acceptance=()), "nobody could test whether task-1 is done"),
        (made(acceptance=("  ",)), "nobody could test"),
        (made(checks=("make\nmake test",)), "a check of task-1 has several lines"),
        (made(agent="command:sh"), "that is the user's choice"),
        (made(arguments=("--dangerous",)), "that is the user's choice"),
    ],
)
def test_each_fault_is_named(tasks: list[TaskSpec], fault: str) -> None:
    found = faults(tasks)
    assert len(found) == 1
    assert fault in found[0]


def test_several_faults_are_all_named_together() -> None:
    broken = replace(GOOD, title="", scope=(), acceptance=(), hours=9.0, depends_on=("task-9",))
    assert len(faults([broken, replace(GOOD, id="task-2", type="none")])) == 6


@pytest.mark.parametrize(
    "vague",
    [
        "It works.",
        "done",
        "The feature is implemented correctly",
        "正しく動作する",
        "実装されたこと",
        "제대로 동작한다",
        "OK!",
    ],
)
def test_vague_words_alone_are_no_acceptance(vague: str) -> None:
    assert faults(made(acceptance=(vague,)))
    assert not faults(made(acceptance=(vague, "GET /login answers with 200")))
    assert not faults(made(acceptance=(vague,), checks=("make test",)))


@pytest.mark.parametrize(
    "testable",
    [
        "`make test` passes",
        "the page shows the user's name",
        "ログイン画面が表示される",
        "404 for a wrong path",
    ],
)
def test_what_one_can_see_is_acceptance(testable: str) -> None:
    assert not faults(made(acceptance=(testable,)))


def test_the_bounds_of_a_planners_plan_are_exact() -> None:
    limits = Limits()
    five = made(*(f"task-{number}" for number in range(1, 6)), hours=4.0)
    assert excesses(five, limits) == ()
    assert excesses([*five, replace(GOOD, id="task-6", hours=4.5)], limits) == (
        "there are 6 tasks, more than 5: join or leave out some",
        "task-6 takes 4.5 h, more than 4: split it",
    )
    assert excesses(five, Limits(planned_tasks=4, planned_hours=8.0))[0].startswith(
        "there are 5 tasks, more than 4"
    )


def criteria(met: int, of: int) -> tuple[Criterion, ...]:
    return tuple(Criterion(f"c{number}", number < met, "because") for number in range(of))


@pytest.mark.parametrize(
    ("critical", "important", "nice", "points"),
    [
        ((3, 3), (2, 2), (1, 1), 100),
        ((3, 3), (0, 2), (0, 1), 70),
        ((0, 3), (2, 2), (1, 1), 30),
        ((3, 3), (1, 2), (0, 1), 80),
        ((2, 4), (2, 2), (1, 1), 65),
        ((1, 1), (0, 0), (0, 0), 100),
        ((1, 2), (1, 1), (0, 0), 61),
        ((2, 3), (0, 1), (0, 1), 46),
    ],
)
def test_criteria_count_by_their_weight(
    critical: tuple[int, int], important: tuple[int, int], nice: tuple[int, int], points: int
) -> None:
    assert score(Quality(criteria(*critical), criteria(*important), criteria(*nice))) == points


def test_a_verdict_without_critical_criteria_has_no_score() -> None:
    assert score(Quality((), criteria(1, 1))) is None


def test_what_is_not_met_is_told_with_its_reason() -> None:
    quality = Quality(criteria(1, 2), criteria(1, 1), (Criterion("short", met=False),))
    assert shortcomings(quality) == ("critical: c1 (because)", "nice: short")

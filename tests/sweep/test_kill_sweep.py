"""A leader that is killed anywhere: the next one goes on as if nothing had happened.

Real git, SQLite and processes, through the command line. The plan has seven tasks: a diamond, a retry, a
conflict, and one that a judge refuses and a planner replaces. Then the planner looks at all of it, and the
approval comes. Smaller plans have a question, one that two tasks share, and a task that is done again. After
each kill the person does what people do: they resume, and answer or approve again.
TEAMLEAD_TEST_SIZE multiplies what is tried: from 10 on, every point of the plan's life.
"""

import os
import random
from pathlib import Path

import pytest
from tests.sweep.sweeping import Life, Verdict, distinct, disturbed, killed, share_of, spread, undisturbed
from tests.sweep.world import BUILT_ON_PLAN, LEAVING_PLAN, SHARED_PLAN, SMALL_PLAN

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
SHARES = 16
START, RESOLVE, RESUME, WISH = range(4)
RETRY, RUN_AGAIN = 1, 2

pytestmark = pytest.mark.timeout(300 * (1 + SIZE))


@pytest.fixture(scope="session")
def life(template: Path) -> Life:
    return undisturbed(template)


@pytest.fixture(scope="session")
def small_lives(template: Path) -> dict[str, Life]:
    """By what the person does at the end."""
    wishes = ("approve", "reject", "cancel")
    return {wish: undisturbed(template, plan=SMALL_PLAN, wish=wish) for wish in wishes}


@pytest.fixture(scope="session")
def shared_life(template: Path) -> Life:
    """Two tasks with one question, answered for one of them and then for the other."""
    return undisturbed(template, plan=SHARED_PLAN, options=("--attempts", "1"))


def require_none(verdicts: list[Verdict], *, struck: bool = True) -> None:
    bad = [verdict.problems for verdict in verdicts if verdict.problems]
    assert not bad, f"{len(bad)} of {len(verdicts)} went wrong; the first:\n" + "\n".join(bad[0])
    if struck:
        # Some points come in one life and not in another; where none was met, nothing was tried.
        assert 2 * sum(verdict.struck > 0 for verdict in verdicts) >= len(verdicts)


def test_an_undisturbed_life_has_all_that_is_to_be_disturbed(life: Life) -> None:
    assert life.result.phase == "DONE"
    assert life.outcomes == {"accepted": 7, "refused": 2, "conflict": 1}
    assert len(life.result.merged) == 1 + 7
    assert life.result.answers == 1
    assert life.result.approvals == 1
    reached = {point.partition("#")[0] for points in life.points for point in points}
    assert {
        "git merge: before",
        "private git directory: made",
        "journal commit: before",
        "inbox put: after",
    } <= reached


@pytest.mark.parametrize("share", range(SHARES))
def test_a_leader_killed_at_any_point_is_as_if_it_had_not_been(life: Life, share: int) -> None:
    points = share_of(spread(distinct(life.points[START]), 2 * SIZE), share, SHARES)
    require_none([killed(life, START, point) for point in points])


@pytest.mark.parametrize(
    "point", ["attempt mark: after", "start sh: after", "file result.json: before", "file result.json: after"]
)
def test_a_leader_killed_while_a_model_is_consulted_asks_it_anew_or_has_its_answer(
    life: Life, point: str
) -> None:
    consulted = [number for number, name in enumerate(life.runs, 1) if name.endswith(("judge", "planner"))]
    # Each of two pieces of work is judged, and before that its judge thinks of inputs.
    assert len(consulted) == 6
    require_none([killed(life, START, f"{point}#{number}") for number in consulted])


@pytest.mark.parametrize("wish", ["approve", "reject", "cancel"])
def test_a_decision_killed_at_any_point_is_carried_out_once(small_lives: dict[str, Life], wish: str) -> None:
    life = small_lives[wish]
    require_none([killed(life, WISH, point) for point in distinct(life.points[WISH])])


def test_an_answer_killed_at_any_point_is_taken_once(small_lives: dict[str, Life]) -> None:
    life = small_lives["approve"]
    require_none([killed(life, RESOLVE, point) for point in distinct(life.points[RESOLVE])])


def test_a_question_about_two_tasks_is_one_wherever_its_leader_is_killed(shared_life: Life) -> None:
    life = shared_life
    assert (life.result.answers, life.outcomes) == (2, {"failed": 2, "accepted": 2})
    written = ("journal commit", "file result.json")
    points = [point for point in distinct(life.points[START]) if point.startswith(written)]
    require_none([killed(life, START, point) for point in points])


def test_an_answer_for_one_of_two_tasks_is_taken_once_wherever_it_is_killed(shared_life: Life) -> None:
    life = shared_life
    written = ("journal commit", "inbox")
    points = [point for point in distinct(life.points[RESOLVE]) if point.startswith(written)]
    require_none([killed(life, RESOLVE, point) for point in points])


@pytest.fixture(scope="session")
def reopened_life(template: Path) -> Life:
    """A done task is done again, and with it those that were built on it."""
    return undisturbed(template, plan=BUILT_ON_PLAN, again="31")


def test_an_undisturbed_task_that_is_done_again_takes_along_what_was_built_on_it(reopened_life: Life) -> None:
    assert reopened_life.result.reopened == ("task-31", "task-32", "task-33")
    # The last one runs, and changes nothing.
    assert reopened_life.runs == ["task-31", "task-32", "task-33"] * 2
    assert len(reopened_life.result.merged) == 1 + 3 + 2


@pytest.mark.parametrize("share", range(2))
@pytest.mark.parametrize("act", [RETRY, RUN_AGAIN])
def test_a_task_done_again_takes_along_what_was_built_on_it_wherever_it_is_killed(
    reopened_life: Life, act: int, share: int
) -> None:
    points = share_of(spread(distinct(reopened_life.points[act]), SIZE + 1), share, 2)
    require_none([killed(reopened_life, act, point) for point in points])


@pytest.fixture(scope="session")
def leaving_life(template: Path) -> Life:
    """A person ends it all while two agents are at work: one hears nothing, one ends its turn."""
    return undisturbed(template, plan=LEAVING_PLAN)


def test_an_undisturbed_team_leaves_in_order(leaving_life: Life) -> None:
    assert leaving_life.result.phase == "CANCELLED"
    assert leaving_life.outcomes == {"stopped": 2}
    assert sorted(leaving_life.runs) == ["task-41", "task-42"]


def test_a_team_leaves_with_the_same_end_wherever_its_leader_is_killed(leaving_life: Life) -> None:
    written = ("journal commit", "file result.json", "git worktree", "git update-ref")
    points = [point for point in distinct(leaving_life.points[START]) if point.startswith(written)]
    require_none([killed(leaving_life, START, point) for point in spread(points, 8 * SIZE)])


@pytest.fixture(scope="session")
def planning_life(template: Path) -> Life:
    """A plan is made, by a planner that asks first."""
    return undisturbed(template, plan="")


def test_an_undisturbed_planning_asks_and_comes_to_its_plan(planning_life: Life) -> None:
    assert planning_life.result.phase == "DONE"
    assert planning_life.outcomes == {"asked": 1, "accepted": 1}
    assert planning_life.runs == ["task-1", "task-1", "task-1-planner"]
    assert planning_life.result.answers == 1


@pytest.mark.parametrize("share", range(4))
@pytest.mark.parametrize("act", [START, RESOLVE, RESUME])
def test_a_planning_killed_at_any_point_is_as_if_it_had_not_been(
    planning_life: Life, act: int, share: int
) -> None:
    points = share_of(spread(distinct(planning_life.points[act]), SIZE + 1), share, 4)
    require_none([killed(planning_life, act, point) for point in points])


@pytest.mark.parametrize("seed", range(5 * SIZE))
def test_a_leader_killed_again_and_again_gets_there(life: Life, seed: int) -> None:
    chance = random.Random(seed)
    faults = {START: f"kill {chance.choice(life.points[START])}"}
    for act in range(1, chance.randint(3, 6)):
        name = chance.choice(life.points[START]).partition("#")[0]
        faults[act] = f"kill {name}#{chance.randint(1, 3)}"
    require_none([disturbed(life, faults)])


@pytest.mark.parametrize("seed", range(5 * SIZE))
def test_a_git_command_that_outlives_its_leader_does_no_harm(life: Life, seed: int) -> None:
    commands = [point for point in life.points[START] if point.startswith("git ") and ": before#" in point]
    point = random.Random(seed).choice(commands)
    require_none([disturbed(life, {START: f"orphan {point}"})], struck=False)


@pytest.mark.parametrize("seed", range(3 * SIZE))
def test_a_session_that_is_cancelled_after_a_crash_loses_nothing(life: Life, seed: int) -> None:
    chance = random.Random(seed)
    faults = {
        START: f"kill {chance.choice(life.points[START])}",
        1: f"kill {chance.choice(life.points[1])}",
    }
    require_none([disturbed(life, faults, same_end=False, gives_up=True)])


@pytest.mark.parametrize("seed", range(3 * SIZE))
def test_a_leader_that_is_told_to_end_at_any_point_is_resumed(life: Life, seed: int) -> None:
    point = random.Random(seed).choice(life.points[START])
    require_none([disturbed(life, {START: f"term {point}"})], struck=False)

"""Conflicts that are foreseen: what is looked at, and who is told."""

from typing import Any

import pytest
from tests.core.support import World, session, task

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Limits
from teamlead.core.team.radar import MOST_PATHS, MOST_TOLD, Pair, pairs

ONE, OTHER = ("task-1", 1), ("task-2", 1)


def team(*scopes: str, **fields: Any) -> World:
    """All at work."""
    tasks = (task(number, scope=(scope,), **fields) for number, scope in enumerate(scopes or ("**",) * 3, 1))
    world = World(session(*tasks, limits=Limits(jobs=3)))
    for number in range(1, len(world.state.tasks) + 1):
        world.advance(number, do.RunAgent)
    return world


def seen(world: World, *paths: str, one: tuple[str, int] = ONE, other: tuple[str, int] = OTHER) -> list[str]:
    """To whom letters go because of it."""
    turn = world.tell(f.ConflictSeen(*one, *other, paths))
    return [event.recipient for event in turn.events if isinstance(event, e.MessageSent)]


def test_both_are_told_of_each_other_and_of_the_paths() -> None:
    world = team()
    assert seen(world, "src/a.py", "src/b.py") == ["task-1", "task-2"]
    first, second = world.state.messages.values()
    assert (first.sender, second.sender) == ("lead", "lead")
    assert "task-2 (Title 2) changes the same parts of src/a.py, src/b.py as you do" in first.text
    assert "task-1 (Title 1) changes" in second.text
    assert [effect.task for effect in world.state.due.values() if isinstance(effect, do.Deliver)] == [
        "task-1",
        "task-2",
    ]


def test_the_same_is_said_once_and_what_is_over_is_not_said() -> None:
    world = team()
    assert seen(world, "a")
    assert seen(world, "a") == []
    since = world.state.foreseen["task-1", "task-2"].since
    world.now += 5
    assert seen(world, "a", "b") == ["task-1", "task-2"]
    assert seen(world, "b") == []
    assert world.state.foreseen["task-1", "task-2"].since == since
    assert seen(world) == []
    assert world.state.foreseen["task-1", "task-2"].paths == ()


def test_two_are_told_so_many_times_and_then_only_status_follows() -> None:
    world = team()
    told = [seen(world, f"file-{number}") for number in range(MOST_TOLD + 2)]
    assert [bool(each) for each in told] == [True] * MOST_TOLD + [False] * 2
    assert world.state.foreseen["task-1", "task-2"].paths == (f"file-{MOST_TOLD + 1}",)


def test_who_has_ended_its_work_is_not_told_and_the_other_is() -> None:
    world = team(checks=("make test",))
    world.advance(1, do.Check)
    assert seen(world, "a") == ["task-2"]


def test_merged_work_has_nobody_to_tell_but_the_one_that_is_at_work() -> None:
    world = team()
    assert seen(world, "a", other=("", 0)) == ["task-1"]
    (message,) = world.state.messages.values()
    assert message.text.startswith("What was merged since you began changes the same parts of a as you do")


@pytest.mark.parametrize(
    ("one", "other"),
    [(("task-1", 2), OTHER), (ONE, ("task-2", 2)), (ONE, ("task-9", 1)), (("task-9", 1), OTHER)],
)
def test_what_is_said_of_another_attempt_means_nothing(one: tuple[str, int], other: tuple[str, int]) -> None:
    world = team()
    turn = world.tell(f.ConflictSeen(*one, *other, ("a",)))
    assert turn.events == []


def test_nobody_is_told_when_neither_works_any_more() -> None:
    world = team(checks=("make test",))
    world.advance(1, do.Check)
    world.advance(2, do.Check)
    assert world.tell(f.ConflictSeen(*ONE, *OTHER, ("a",))).events == []


def test_the_end_of_an_attempt_ends_what_was_foreseen_of_it() -> None:
    world = team()
    seen(world, "a")
    seen(world, "b", one=OTHER, other=("task-3", 1))
    world.finish(1)
    assert list(world.state.foreseen) == [("task-2", "task-3")]


def test_of_very_many_paths_the_first_are_kept_and_the_rest_is_no_news() -> None:
    world = team()
    paths = [f"file-{number:03}" for number in range(MOST_PATHS + 5)]
    assert seen(world, *paths)
    assert len(world.state.foreseen["task-1", "task-2"].paths) == MOST_PATHS
    assert world.tell(f.ConflictSeen(*ONE, *OTHER, tuple(paths[:-1]))).events == []


def test_only_pairs_that_may_change_the_same_path_are_looked_at() -> None:
    world = team("src/", "docs/", "src/app.py")
    assert pairs(world.state) == [Pair("task-1", 1, "task-3", 1)]


def test_one_that_ended_is_looked_at_until_it_is_merged_and_then_what_was_merged() -> None:
    world = team(checks=("make test",))
    world.advance(1, do.Check)
    world.advance(2, do.Check)
    assert pairs(world.state) == [Pair("task-1", 1, "task-3", 1), Pair("task-2", 1, "task-3", 1)]
    world.finish(1)
    assert pairs(world.state) == [Pair("task-2", 1, "task-3", 1), Pair("task-3", 1)]


def test_investigations_are_not_looked_at_since_they_do_not_merge() -> None:
    assert pairs(team(type="investigation").state) == []

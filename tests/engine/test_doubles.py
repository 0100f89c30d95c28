"""The doubles these tests stand on: virtual time, and a history without git."""

import asyncio
import itertools
import time
from pathlib import Path

import pytest

from teamlead.errors import MergeConflict, Refused
from teamlead.ports.workspace import Applied
from teamlead.testing.checker import CheckCall, FakeChecker
from teamlead.testing.clock import DAY, FakeClock, Stuck, VirtualLoop, run_virtual
from teamlead.testing.workspace import FakeWorkspace

# Time


def test_days_of_sleep_pass_in_order_and_at_their_moments() -> None:
    clock = FakeClock(start=5000.0)
    woken: list[tuple[str, float]] = []

    async def sleeper(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        woken.append((name, clock.now() - 5000.0))

    async def story() -> None:
        await asyncio.gather(sleeper("late", 9 * DAY), sleeper("early", 0.001), sleeper("later", 9 * DAY))

    run_virtual(story(), clock)
    assert [name for name, _ in woken] == ["early", "late", "later"]
    assert [moment for _, moment in woken] == pytest.approx([0.001, 9 * DAY, 9 * DAY], abs=1e-5)


def test_virtual_time_goes_on_where_the_last_loop_left_it() -> None:
    clock = FakeClock()
    run_virtual(asyncio.sleep(10), clock)
    clock.advance(5)
    run_virtual(asyncio.sleep(10), clock)
    assert clock.passed() == pytest.approx(25)


def test_a_jump_of_the_wall_clock_moves_no_timer() -> None:
    clock = FakeClock()

    async def story() -> None:
        asyncio.get_running_loop().call_later(1, clock.jump, -DAY)
        await asyncio.sleep(10)

    run_virtual(story(), clock)
    assert clock.passed() == pytest.approx(10)
    assert clock.now() == pytest.approx(1_000_000 + 10 - DAY)


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="jump"):
        FakeClock().advance(-1)


def test_what_waits_for_ever_is_found_out() -> None:
    with pytest.raises(Stuck, match="no timer"):
        run_virtual(asyncio.Event().wait(), FakeClock())


def test_what_polls_for_ever_is_found_out() -> None:
    async def polls() -> None:
        for seconds in itertools.repeat(60):
            await asyncio.sleep(seconds)

    with pytest.raises(Stuck, match="longest time"):
        run_virtual(polls(), FakeClock(), most=DAY)


def test_a_time_out_runs_in_virtual_time() -> None:
    clock = FakeClock()

    async def story() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), timeout=3600)

    run_virtual(story(), clock)
    assert clock.passed() == pytest.approx(3600)


def test_an_error_in_a_callback_is_not_overlooked() -> None:
    def fails() -> None:
        raise RuntimeError("in a callback")

    async def story() -> None:
        asyncio.get_running_loop().call_later(1, fails)
        await asyncio.sleep(2)

    with pytest.raises(RuntimeError, match="in a callback"):
        run_virtual(story(), FakeClock())


def test_the_loop_tells_the_time_that_passed() -> None:
    loop = VirtualLoop(FakeClock())
    try:
        assert loop.time() == 0
        loop.run_until_complete(asyncio.sleep(7))
        assert loop.time() == pytest.approx(7)
        assert loop.time() != pytest.approx(time.monotonic())
    finally:
        loop.close()


# History


def run_on(workspace: FakeWorkspace, task: str, files: dict[str, str], *bases: str) -> str:
    async def story() -> str:
        copy = await workspace.prepare(task, 1, bases, "", fresh=False)
        for path, text in files.items():
            workspace.write(task, path, text)
        return (await workspace.collect(task, 1, copy.base, task, "")).commit

    return asyncio.run(story())


@pytest.fixture(params=["in memory", "on disk"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> FakeWorkspace:
    folder = tmp_path / "copies" if request.param == "on disk" else None
    return FakeWorkspace({"a.txt": "a\n", "b.txt": "b\n"}, folder=folder)


def test_a_join_may_change_what_both_its_sides_brought(workspace: FakeWorkspace) -> None:
    """Integration and join have two nearest commits in common, neither of which knows the other's work."""
    left = run_on(workspace, "task-1", {"a.txt": "left\n"}, "base")
    right = run_on(workspace, "task-2", {"b.txt": "right\n"}, "base")
    join = run_on(workspace, "task-3", {"a.txt": "both\n", "b.txt": "both\n"}, left, right)
    for name, commit in [("task-2", right), ("task-1", left), ("task-3", join)]:
        asyncio.run(workspace.integrate(name, commit, name))
    assert workspace.files(workspace.integration) == {"a.txt": "both\n", "b.txt": "both\n"}


def test_the_same_work_has_the_same_name_in_another_world() -> None:
    names = {run_on(FakeWorkspace({"a.txt": "a"}), "task-1", {"b.txt": "b"}, "base") for _ in range(2)}
    assert len(names) == 1


def test_bases_that_conflict_give_way_to_a_fallback_that_holds_them(workspace: FakeWorkspace) -> None:
    left = run_on(workspace, "task-1", {"a.txt": "left\n"}, "base")
    right = run_on(workspace, "task-2", {"a.txt": "right\n"}, "base")
    again = run_on(workspace, "task-3", {"a.txt": "both\n"}, left)
    tip = workspace.history.merge(again, left, "holds one", ("", ""))
    with pytest.raises(MergeConflict):
        asyncio.run(workspace.prepare("task-4", 1, [left, right], tip, fresh=True))
    resolved = workspace.history.add(workspace.history.commits[tip]._replace(parents=(tip, right)))
    copy = asyncio.run(workspace.prepare("task-4", 1, [left, right], resolved, fresh=True))
    assert copy.base == resolved


def test_a_fresh_copy_keeps_what_it_takes_the_place_of(workspace: FakeWorkspace) -> None:
    run_on(workspace, "task-1", {"c.txt": "collected"}, "base")
    workspace.write("task-1", "d.txt", "not collected")
    asyncio.run(workspace.prepare("task-1", 2, ["base"], "", fresh=True))
    assert workspace.read("task-1", "d.txt") == ""
    assert [workspace.files(commit)["d.txt"] for commit in workspace.kept] == ["not collected"]


def apply(workspace: FakeWorkspace, commit: str, *, squash: bool = False) -> Applied:
    return asyncio.run(workspace.apply(commit, "main", squash=squash, sign=False, message="Approve"))


@pytest.mark.parametrize("squash", [False, True])
def test_work_is_brought_to_a_branch_that_moved(workspace: FakeWorkspace, squash: bool) -> None:
    work = run_on(workspace, "task-1", {"c.txt": "new\n"}, "base")
    moved = workspace.user_commits("main", {"a.txt": "the user's\n"})
    applied = apply(workspace, work, squash=squash)
    assert applied.before == moved
    assert workspace.files(applied.commit) == {"a.txt": "the user's\n", "b.txt": "b\n", "c.txt": "new\n"}
    assert (work in workspace.history.commits[applied.commit].parents) == (not squash)
    assert apply(workspace, work, squash=squash) == applied
    assert workspace.branches["main"] == applied.commit


def test_work_that_conflicts_with_the_branch_or_has_none_is_refused(workspace: FakeWorkspace) -> None:
    work = run_on(workspace, "task-1", {"a.txt": "new\n"}, "base")
    moved = workspace.user_commits("main", {"a.txt": "the user's\n"})
    with pytest.raises(MergeConflict):
        apply(workspace, work)
    assert workspace.branches == {"main": moved}
    workspace.branches.clear()
    with pytest.raises(Refused):
        apply(workspace, work)


def test_a_symbolic_link_is_seen_as_one_and_comes_back(tmp_path: Path) -> None:
    workspace = FakeWorkspace({"a.txt": "a\n"}, folder=tmp_path)

    async def story() -> None:
        copy = await workspace.prepare("task-1", 1, ["base"], "", fresh=False)
        (copy.path / "link").symlink_to("a.txt")
        work = await workspace.collect("task-1", 1, "base", "Title", "")
        assert [(change.path, change.after) for change in work.changes] == [("link", "120000")]
        again = await workspace.prepare("task-2", 1, [work.commit], "", fresh=False)
        assert (again.path / "link").readlink() == Path("a.txt")

    asyncio.run(story())


# Checks


def test_a_checker_answers_as_it_was_told_and_remembers() -> None:
    async def answer(call: CheckCall) -> int | None:
        await asyncio.sleep(10)
        return {"passes": 0, "fails": 2}.get(call.command)

    checker, clock = FakeChecker(answer), FakeClock()

    async def story() -> list[int | None]:
        return [
            (await checker.check(command, Path("/copy"), Path("/log"), 60, 3)).exit_code
            for command in ("passes", "fails", "hangs")
        ]

    assert run_virtual(story(), clock) == [0, 2, None]
    assert checker.calls[1] == CheckCall("fails", Path("/copy"), 3)

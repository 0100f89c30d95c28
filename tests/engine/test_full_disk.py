"""A disk that takes nothing more is nobody's failure: the leader stops in order, and the next one goes on."""

from typing import Any

import pytest
from tests.engine.support import World, task
from tests.engine.test_errors import STEPS, breaking

from teamlead.core import events as e
from teamlead.core.facts import Approve, SkipTask
from teamlead.core.model import Limits
from teamlead.core.runs import RunEnd
from teamlead.engine.live_runs import Runs
from teamlead.errors import DiskUnusable, Failed, StorageFailed
from teamlead.ports.checking import CheckEnd
from teamlead.ports.journal import Commit
from teamlead.ports.runner import RunSpec
from teamlead.testing.journal import MemoryJournal
from teamlead.testing.trials import FakeTrials

FULL = DiskUnusable("the disk is full", remedy="free some space")


class Space:
    """As much as the test says."""

    def __init__(self) -> None:
        self.left = True

    def require(self) -> None:
        if not self.left:
            raise FULL


def failures(world: World) -> int:
    return sum(task.failures for task in world.state().tasks.values())


def stopped_in_order(world: World) -> bool:
    state = world.state()
    return state.leader == "" and state.stopped_because == FULL.message


@pytest.mark.parametrize("step", [*STEPS, "release"])
def test_whatever_meets_a_full_disk_the_leader_stops_in_order_and_the_next_goes_on(step: str) -> None:
    world = breaking(step, FULL, times=1)
    with pytest.raises(DiskUnusable, match="the disk is full"):
        world.lead()
    assert all(run.done for run in world.runner._runs.values())
    assert stopped_in_order(world)
    assert failures(world) == 0

    world.inbox.put(SkipTask("task-2", "not needed"))
    assert world.lead() == "waiting"
    assert world.states() == {"task-1": "DONE", "task-2": "SKIPPED"}
    assert failures(world) == 0
    assert world.merged()["task-1.txt"] == "made by task-1\n"


@pytest.mark.parametrize("step", STEPS)
def test_an_error_that_is_not_the_disk_is_still_a_failed_attempt(step: str) -> None:
    """The control: what the test above counts would be seen."""
    world = breaking(step, Failed("something else"), times=1)
    world.inbox.put(SkipTask("task-2", "not needed"))
    assert world.lead() == "waiting"
    assert world.state().tasks["task-1"].attempts[0].outcome == "failed"


class FullFor(MemoryJournal):
    """Takes nothing more once the disk is full."""

    full = False

    async def commit(self, commit: Commit) -> None:
        if self.full:
            self._failed = True
            raise DiskUnusable("the journal cannot grow")
        await super().commit(commit)


def test_a_leader_that_cannot_write_its_last_word_ends_with_the_first_reason() -> None:
    world = breaking("collect", FULL, times=1)
    journal = FullFor()
    world.journal = journal
    world.open(journal)
    before = world.workspace.before

    def fill(call: object) -> None:
        assert before is not None
        try:
            before(call)  # type: ignore[arg-type]
        except DiskUnusable:
            journal.full = True
            raise

    world.workspace.before = fill
    with pytest.raises(DiskUnusable, match="the disk is full"):
        world.lead()
    assert all(run.done for run in world.runner._runs.values())
    assert world.state().leader == "somebody"

    journal.full = journal._failed = False
    world.inbox.put(SkipTask("task-2", "not needed"))
    assert world.lead() == "waiting"
    assert world.states()["task-1"] == "DONE"
    assert failures(world) == 0


def test_a_commit_that_meets_a_full_disk_is_told_as_that() -> None:
    world = World(task(1))
    journal = FullFor()
    world.journal = journal
    world.open(journal)
    journal.full = True
    with pytest.raises(StorageFailed, match="the journal cannot grow"):
        world.lead()


def test_nothing_starts_where_too_little_is_free() -> None:
    world, space = World(task(1), task(2)), Space()
    space.left = False
    with pytest.raises(DiskUnusable, match="the disk is full"):
        world.lead(require_disk_space=space.require)
    assert world.started() == []
    assert not [call for call in world.workspace.calls if call.method == "prepare"]
    assert stopped_in_order(world)
    assert world.lead(require_disk_space=Space().require) == "waiting"
    assert set(world.states().values()) == {"DONE"}


def test_an_agent_that_fails_while_the_disk_is_full_is_not_to_blame() -> None:
    space = Space()

    def work(spec: RunSpec) -> RunEnd:
        if spec.attempt == 1:
            space.left = False
            return RunEnd("error", detail="cannot write main.c")
        return world.write(spec)

    world = World(task(1), work=work, limits=Limits(attempts=1))
    with pytest.raises(DiskUnusable, match="the disk is full"):
        world.lead(require_disk_space=space.require)
    assert failures(world) == 0
    assert world.state().tasks["task-1"].attempts[0].outcome == "interrupted"
    assert "cannot write main.c" in world.state().tasks["task-1"].attempts[0].reasons[0]
    space.left = True
    assert world.lead(require_disk_space=space.require) == "waiting"
    assert world.states() == {"task-1": "DONE"}


def test_a_check_that_fails_while_the_disk_is_full_runs_again() -> None:
    space = Space()
    codes = iter([1])

    def check(_: object) -> int:
        code = next(codes, 0)
        space.left = code == 0
        return code

    world = World(task(1, checks=("make",)), answer=check, limits=Limits(attempts=1))
    with pytest.raises(DiskUnusable, match="the disk is full"):
        world.lead(require_disk_space=space.require)
    space.left = True
    assert world.lead(require_disk_space=space.require) == "waiting"
    assert (world.states(), failures(world)) == ({"task-1": "DONE"}, 0)
    assert world.started() == [("task-1", 1)]


class FullOnce(FakeTrials):
    """There is no space for the first clean copy."""

    full = True

    async def run(self, *given: Any, **named: Any) -> CheckEnd:
        if self.full:
            self.full = False
            raise FULL
        return await super().run(*given, **named)


@pytest.mark.parametrize("code", [1, 0], ids=["on the base", "on the merged work"])
def test_a_clean_copy_that_meets_a_full_disk_is_asked_for_again(code: int) -> None:
    world = World(task(1), checks=("make",), answer=lambda _: code)
    trials = FullOnce(world.workspace, world.checker)
    with pytest.raises(DiskUnusable, match="the disk is full"):
        world.lead(trials=trials)
    assert stopped_in_order(world)

    assert world.lead(trials=trials) == "waiting"
    assert (world.states(), failures(world)) == ({"task-1": "DONE"}, 0)
    assert (world.state().phase, world.state().open) == ("AWAITING_APPROVAL", {})


def test_an_approval_that_meets_a_full_disk_says_so_and_may_be_asked_for_again() -> None:
    world = World(task(1))
    world.lead()
    times = [1]

    def before(call: object) -> None:
        if getattr(call, "method", "") == "apply" and times:
            times.pop()
            raise FULL

    world.workspace.before = before
    world.inbox.put(Approve(world.workspace.integration))
    assert world.lead(staffed=False) == "waiting"
    assert "the disk is full" in world.state().approval_refused
    world.inbox.put(Approve(world.workspace.integration))
    assert world.lead(staffed=False) == "finished"
    assert len(world.events(e.ApprovalApplied)) == 1


def test_a_planted_bug_that_blames_the_agent_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Runs, "_unless_disk_full", lambda _, end: end)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        test_an_agent_that_fails_while_the_disk_is_full_is_not_to_blame()

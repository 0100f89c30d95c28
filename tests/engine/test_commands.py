"""What other processes ask through the inbox, with and without a leader that runs agents."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from tests.engine.support import Gate, Killed, Line, SlowJournal, World, surviving, task

from teamlead.core import events as e
from teamlead.core.facts import Approve, Cancel, CommandUnreadable, Reject, Resolve, RetryTask
from teamlead.core.model import Limits, Question
from teamlead.core.runs import RunEnd
from teamlead.engine.leader import Leader
from teamlead.errors import StorageFailed
from teamlead.ports.journal import Outcome
from teamlead.ports.runner import RunSpec
from teamlead.testing.journal import MemoryInbox
from teamlead.testing.workspace import Call


def asking(**fields: Any) -> World:
    """Its only task asks for a colour first."""

    def work(spec: RunSpec) -> RunEnd:
        world.write(spec)
        return RunEnd("ok") if 'answers": ["' in spec.prompt else RunEnd("ok", question=Question("Colour?"))

    world = World(task(1), work=work, **fields)
    return world


def test_a_command_is_applied_and_acknowledged_while_the_leader_runs() -> None:
    world = asking()

    async def story() -> str:
        leading = asyncio.create_task(world.leader(linger=True).run("somebody", 1))
        await asyncio.sleep(100)
        command = world.inbox.put(Resolve("esc-1", "blue"))
        await asyncio.sleep(100)
        assert world.journal.outcomes[command] == Outcome(command, accepted=True, message="")
        world.inbox.put(Approve(world.workspace.integration))
        return await leading

    assert world.play(story()) == "finished"
    assert world.inbox.take() == []
    assert "task-1.txt" in world.delivered()


def test_a_command_that_nobody_can_read_is_answered_and_told_and_the_others_are_applied() -> None:
    world = asking()
    world.lead()
    unread = world.inbox.put(CommandUnreadable("a command could not be carried out: it is no JSON"))
    answered = world.inbox.put(Resolve("esc-1", "blue"))
    world.lead()
    outcome = world.journal.outcomes[unread]
    assert (outcome.accepted, outcome.exit_code, outcome.message) == (
        False,
        1,
        "a command could not be carried out: it is no JSON",
    )
    assert world.journal.outcomes[answered].accepted
    assert world.state().warnings == ["a command could not be carried out: it is no JSON"]
    assert world.inbox.take() == []


def test_a_refused_command_gets_its_refusal_and_changes_nothing() -> None:
    world = asking()
    world.lead()
    before = world.states()
    command = world.inbox.put(Resolve("esc-9", "blue"))
    world.lead()
    outcome = world.journal.outcomes[command]
    assert (outcome.accepted, outcome.exit_code) == (False, 4)
    assert "esc-9" in outcome.message
    assert world.states() == before
    assert world.inbox.take() == []


def test_commands_that_come_together_are_answered_one_by_one_in_their_order() -> None:
    world = asking()
    world.lead()
    first, second = world.inbox.put(Cancel("enough")), world.inbox.put(Resolve("esc-1", "blue"))
    assert world.lead() == "finished"
    assert world.journal.outcomes[first].accepted
    assert not world.journal.outcomes[second].accepted


def test_a_command_is_applied_once_wherever_its_leader_dies() -> None:
    async def led(world: World, line: Line) -> str:
        return await Leader(world.state(), line.parts(world.parts())).run("somebody", 1)

    async def story(world: World, step: int) -> bool:
        """Whether the leader died."""
        await led(world, Line())
        command = world.inbox.put(Resolve("esc-1", "blue"))
        died = True
        with suppress(Killed):
            await led(world, Line(cut_at=step))
            died = False
        await led(world, Line())
        assert world.journal.outcomes[command].accepted
        assert len(world.events(e.EscalationResolved)) == 1
        assert world.inbox.take() == []
        assert world.state().phase == "AWAITING_APPROVAL"
        return died

    step = 1
    while (world := asking()).play(story(world, step)):
        step += 1
    assert step > 20


class HeldInbox(MemoryInbox):
    """Somebody else holds its file when it comes to dropping."""

    def drop(self, commands: Any) -> None:
        pass

    def changed(self) -> bool:
        return True


def test_a_command_that_stays_in_the_inbox_is_not_applied_again() -> None:
    world = asking()
    world.lead()
    world.inbox = HeldInbox()
    world.inbox.put(Resolve("esc-1", "blue"))
    world.lead()
    world.lead()
    assert len(world.events(e.EscalationResolved)) == 1
    assert len(world.journal.outcomes) == 1


def test_a_command_that_waits_for_the_disk_is_not_taken_again() -> None:
    world = asking()
    world.lead()
    world.journal = surviving(world.journal, kind=SlowJournal)

    async def story() -> str:
        first = world.inbox.put(Resolve("esc-1", "blue"))
        leading = asyncio.create_task(world.leader(inbox_every=0.1).run("somebody", 1))
        await asyncio.sleep(0.2)
        assert first not in world.journal.outcomes
        world.inbox.put(Resolve("esc-9", "blue"))
        return await leading

    assert world.play(story()) == "waiting"
    assert [outcome.accepted for outcome in world.journal.outcomes.values()] == [True, False]


def test_without_staff_a_command_is_applied_and_no_agent_starts() -> None:
    world = asking()
    world.lead()
    agents = world.started()
    command = world.inbox.put(Resolve("esc-1", "blue"))
    assert world.lead(staffed=False) == "waiting"
    assert world.journal.outcomes[command].accepted
    assert world.started() == agents
    assert world.states() == {"task-1": "READY"}
    assert world.state().leader == ""
    world.lead()
    assert world.states() == {"task-1": "DONE"}


@pytest.mark.parametrize(("command", "phase"), [("approve", "APPROVED"), ("reject", "REJECTED")])
def test_without_staff_a_session_can_be_brought_to_its_end(command: str, phase: str) -> None:
    world = World(task(1))
    world.lead()
    world.inbox.put(Approve(world.workspace.integration) if command == "approve" else Reject("no"))
    assert world.lead(staffed=False) == "finished"
    assert [event.phase for event in world.events(e.PhaseChanged)][-2:] == [phase, "DONE"]
    assert ("task-1.txt" in world.delivered()) == (phase == "APPROVED")


async def killed_at(world: World, gate: Gate, after: float = 0.0) -> None:
    """A leader that dies when something reaches the gate, or that many seconds later.

    At once, the journal does not know yet what may wait for the disk.
    """
    line = Line()
    leading = asyncio.create_task(Leader(world.state(), line.parts(world.parts())).run("the dead", 1))
    await gate.reached.wait()
    await asyncio.sleep(after)
    line.cut()
    leading.cancel()
    await asyncio.wait([leading])
    world.workspace.before = None


def test_a_command_finds_out_that_the_leader_died() -> None:
    gate = Gate()

    async def hangs(_: RunSpec) -> RunEnd:
        await gate.passed()
        raise AssertionError

    async def story() -> str:
        await killed_at(world, gate)
        assert world.state().leader == "the dead"
        calls = list(world.workspace.calls)
        world.inbox.put(Resolve("esc-1", "blue"))
        end = await world.leader(staffed=False).run("somebody", 2)
        assert world.workspace.calls == [*calls, Call("merged", "task-1", 1)], "it only looks"
        assert not gate.given_up.is_set()
        return end

    world = World(task(1), work=hangs)
    assert world.play(story()) == "waiting"
    assert world.state().leader == ""
    assert len(world.events(e.LeaderStopped)) == 1


@pytest.mark.parametrize("after", [0.0, 1.0])
def test_cancelling_after_the_leader_died_ends_the_agents_it_left(after: float) -> None:
    gate = Gate()

    async def hangs(_: RunSpec) -> RunEnd:
        await gate.passed()
        raise AssertionError

    async def story() -> str:
        await killed_at(world, gate, after)
        world.inbox.put(Cancel("enough"))
        end = await world.leader(staffed=False).run("somebody", 2)
        assert gate.given_up.is_set()
        return end

    world = World(task(1), work=hangs)
    assert world.play(story()) == "finished"
    assert world.states() == {"task-1": "CANCELLED"}
    assert world.workspace.calls[-1].method == "release"


def test_cancelling_after_the_leader_died_lets_a_merge_through() -> None:
    gate = Gate()

    async def story() -> str:
        await killed_at(world, gate, after=1.0)
        world.inbox.put(Cancel("enough"))
        return await world.leader(staffed=False).run("somebody", 2)

    world = World(task(1), task(2, 1))
    world.workspace.before = gate.before("integrate", "task-1")
    assert world.play(story()) == "finished"
    assert world.state().phase == "CANCELLED"
    assert world.states() == {"task-1": "DONE", "task-2": "CANCELLED"}
    assert not world.state().active
    assert "task-1.txt" in world.merged()


def test_a_leader_ends_rather_than_going_deaf_when_its_inbox_cannot_be_read() -> None:
    class Broken(MemoryInbox):
        def changed(self) -> bool:
            if world.clock.passed() > 50:
                raise StorageFailed("the inbox cannot be read")
            return False

    world = asking()
    world.inbox = Broken()
    with pytest.raises(StorageFailed, match="inbox"):
        world.lead(linger=True)


def test_an_approval_asked_for_again_while_the_last_one_fails_is_carried_out() -> None:
    """The same effect with the same key becomes due in the very turn that ends it."""
    world = World(task(1), limits=Limits(jobs=1))
    world.lead()
    branch = world.workspace.branches.pop("main")

    async def story() -> str:
        leader = world.leader(linger=True)

        gate = Gate()
        world.workspace.before = lambda call: gate.passed() if call.method == "apply" else None
        leading = asyncio.create_task(leader.run("somebody", 2))
        leader.offer(Approve(world.workspace.integration))
        await gate.reached.wait()
        gate.opened.set()
        # In the same turn as the answer that the branch is gone, and after it: the leader hears it last.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        leader.offer(Approve(world.workspace.integration))
        world.workspace.branches["main"] = branch
        world.workspace.before = lambda _: asyncio.sleep(5)
        return await leading

    assert world.play(story()) == "finished"
    assert "task-1.txt" in world.delivered()


def test_a_task_reopened_while_its_copy_is_removed_waits_for_its_new_one() -> None:
    def work(spec: RunSpec) -> RunEnd:
        world.workspace.write(spec.task, "a.txt", f"attempt {spec.attempt}")
        return RunEnd("ok")

    gate, world = Gate(), World(task(1), work=work)

    def prepared() -> list[int]:
        return [call.attempt for call in world.workspace.calls if call[:2] == ("prepare", "task-1")]

    async def story() -> None:
        leading = asyncio.create_task(world.leader().run("somebody", 1))
        await gate.reached.wait()
        world.inbox.put(RetryTask("task-1", "it broke something"))
        await asyncio.sleep(100)
        assert world.state().active["task-1"].number == 2
        assert prepared() == [1]
        gate.opened.set()
        await leading

    world.workspace.before = gate.before("release", "task-1")
    world.play(story())
    assert prepared() == [1, 2]
    assert world.states() == {"task-1": "DONE"}
    assert [call.method for call in world.workspace.calls].count("release") == 2
    assert not world.state().copies

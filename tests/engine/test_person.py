"""A person is asked when nothing can move without them, or when an agent at work waits for their word."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace
from tests.engine.support import Gate, World, task

from teamlead.core import events as e
from teamlead.core.facts import Approve, Command, PermissionAsked, PermissionLapsed, Resolve
from teamlead.core.model import Question
from teamlead.core.runs import RunEnd
from teamlead.core.state.team_state import TeamState
from teamlead.engine.leader import Leader
from teamlead.ports.runner import RunSpec


def asking(**fields: Any) -> World:
    """task-1 asks at once; task-2 works for a while."""

    async def work(spec: RunSpec) -> RunEnd:
        if spec.task == "task-1" and 'answers": []' in spec.prompt:
            return RunEnd("ok", question=Question("Which colour?"))
        await asyncio.sleep(100)
        return world.write(spec)

    world = World(task(1), task(2), work=work, **fields)
    return world


class Person:
    def __init__(self, world: World, *answers: Command | None) -> None:
        self.asked: list[tuple[float, list[str]]] = []
        self._world = world
        self._answers = list(answers)

    async def __call__(self, state: TeamState) -> Command | None:
        self.asked.append((self._world.clock.passed(), list(state.open)))
        answer = self._answers.pop(0)
        # Whoever approves has the work before them.
        return replace(answer, commit=state.integration_tip) if isinstance(answer, Approve) else answer


def test_a_person_is_asked_when_everything_else_is_done() -> None:
    world = asking()
    person = Person(world, Resolve("esc-1", "blue"), Approve(""))
    assert world.lead(person=person) == "finished"
    assert [open_ for _, open_ in person.asked] == [["esc-1"], []]
    assert [moment for moment, _ in person.asked] == pytest.approx([100, 200], abs=1)


def test_a_person_who_decides_later_is_asked_once() -> None:
    world = asking()
    person = Person(world, None)
    assert world.lead(person=person) == "waiting"
    assert len(person.asked) == 1


def test_with_nobody_there_the_leader_leaves() -> None:
    world = asking()
    assert world.lead() == "waiting"
    assert world.state().stopped_because == "nothing can move without a person"
    assert list(world.state().open) == ["esc-1"]


def test_a_person_whose_answer_is_refused_is_asked_again() -> None:
    world = asking()
    person = Person(world, Resolve("esc-7", "blue"), Resolve("esc-1", "blue"), Approve(""))
    assert world.lead(person=person) == "finished"
    assert len(person.asked) == 3


def test_an_answer_from_elsewhere_takes_the_question_back() -> None:
    gate, world = Gate(), asking()

    async def thinks(state: TeamState) -> Command | None:
        if state.open:
            await gate.passed()
        return None

    async def story() -> str:
        leading = asyncio.create_task(world.leader(person=thinks).run("somebody", 1))
        await gate.reached.wait()
        assert world.clock.passed() >= 100
        world.inbox.put(Resolve("esc-1", "blue"))
        return await leading

    assert world.play(story()) == "waiting"
    assert gate.given_up.is_set()
    assert world.states() == {"task-1": "DONE", "task-2": "DONE"}


def test_stopping_takes_the_question_back() -> None:
    gate, world = Gate(), asking()

    async def thinks(_: TeamState) -> Command | None:
        await gate.passed()
        return None

    async def story() -> str:
        leader = world.leader(person=thinks)
        leading = asyncio.create_task(leader.run("somebody", 1))
        await gate.reached.wait()
        leader.stop("ctrl-c")
        return await leading

    assert world.play(story()) == "interrupted"
    assert gate.given_up.is_set()


@pytest.mark.parametrize("decides_later", [False, True])
def test_a_leader_that_lingers_stays_for_days(decides_later: bool) -> None:
    world = asking()
    days = 3 * 24 * 3600.0

    async def story() -> str:
        person = Person(world, None) if decides_later else None
        leading = asyncio.create_task(world.leader(linger=True, person=person).run("somebody", 1))
        await asyncio.sleep(days)
        world.inbox.put(Resolve("esc-1", "blue"))
        await asyncio.sleep(days)
        world.inbox.put(Approve(world.workspace.integration))
        return await leading

    assert world.play(story()) == "finished"
    assert world.times(e.TaskDone, "task-1") == pytest.approx([days + 100], abs=20)


def test_a_person_is_asked_at_once_when_an_agent_at_work_waits_for_their_word() -> None:
    world = World(task(1), task(2))
    permitted = asyncio.Event()
    leader: list[Leader] = []

    async def work(spec: RunSpec) -> RunEnd:
        if spec.task == "task-1":
            await leader[0].put(PermissionAsked("task-1", 1, Question("May it?"), "call-1"))
            await permitted.wait()
        else:
            await asyncio.sleep(100)
        return world.write(spec)

    def observe(_: object, state: TeamState) -> None:
        if state.escalations and not state.open:
            permitted.set()

    world.runner._work = work
    person = Person(world, Resolve("esc-1", "allow"), Approve(""))
    leader.append(world.leader(person=person, observe=observe))
    assert world.play(leader[0].run("somebody", 1)) == "finished"
    assert [open_ for _, open_ in person.asked] == [["esc-1"], []]
    assert [moment for moment, _ in person.asked] == pytest.approx([0, 100], abs=1)


def test_a_question_that_lapses_is_taken_back_from_the_person() -> None:
    world = World(task(1))
    leader: list[Leader] = []
    gate = Gate()

    async def work(spec: RunSpec) -> RunEnd:
        await leader[0].put(PermissionAsked("task-1", 1, Question("May it?"), "call-1"))
        await gate.reached.wait()
        await leader[0].put(PermissionLapsed("task-1", 1, "esc-1"))
        return world.write(spec)

    async def thinks(state: TeamState) -> Command | None:
        if state.open:
            await gate.passed()
        return Approve(state.integration_tip)

    world.runner._work = work
    leader.append(world.leader(person=thinks))
    assert world.play(leader[0].run("somebody", 1)) == "finished"
    assert gate.given_up.is_set()

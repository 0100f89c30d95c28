"""A leader tells the user that they are needed, at least once, and works on whatever comes of it."""

import asyncio

from tests.engine.support import World, task

from teamlead.core import events as e
from teamlead.core.facts import Resolve
from teamlead.core.model import Question
from teamlead.core.people.notices import Notice
from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec


class Bell:
    def __init__(self, problem: str = "", seconds: float = 0.0) -> None:
        self.rung: list[tuple[str, str]] = []
        self.ringing = asyncio.Event()
        self._problem = problem
        self._seconds = seconds

    async def notify(self, way: str, notice: Notice) -> str:
        self.rung.append((way, notice.about))
        self.ringing.set()
        await asyncio.sleep(self._seconds)
        return self._problem


def asking() -> World:
    def work(spec: RunSpec) -> RunEnd:
        if 'answers": []' in spec.prompt:
            return RunEnd("ok", question=Question("Which colour?"))
        return world.write(spec)

    world = World(task(1), work=work, notify=("mail me", "desktop"))
    return world


def test_each_way_is_used_once_for_a_question() -> None:
    world, bell = asking(), Bell()
    assert world.lead(notifier=bell) == "waiting"
    assert bell.rung == [("mail me", "esc-1"), ("desktop", "esc-1")]
    assert world.events(e.PersonNotified) == [e.PersonNotified("esc-1")]


def test_another_leader_does_not_ring_again_about_an_old_question() -> None:
    world, bell = asking(), Bell()
    world.lead(notifier=bell)
    later = Bell()
    assert world.lead(notifier=later) == "waiting"
    assert later.rung == []


def test_a_leader_killed_while_it_rings_is_followed_by_one_that_rings_again() -> None:
    world, bell = asking(), Bell(seconds=3600)

    async def killed() -> None:
        leading = asyncio.ensure_future(world.leader(notifier=bell).run("somebody", 1))
        await bell.ringing.wait()
        leading.cancel()
        await asyncio.gather(leading, return_exceptions=True)

    world.play(killed())
    assert world.events(e.PersonNotified) == []
    again = Bell()
    assert world.lead(notifier=again) == "waiting"
    assert again.rung == [("mail me", "esc-1"), ("desktop", "esc-1")]


def test_what_is_answered_before_the_next_leader_comes_rings_no_more() -> None:
    world, bell = asking(), Bell(seconds=3600)

    async def killed() -> None:
        leading = asyncio.ensure_future(world.leader(notifier=bell).run("somebody", 1))
        await bell.ringing.wait()
        leading.cancel()
        await asyncio.gather(leading, return_exceptions=True)

    world.play(killed())
    world.inbox.put(Resolve("esc-1", "blue"))
    again = Bell()
    world.lead(notifier=again)
    assert [about for _, about in again.rung if about == "esc-1"] == []
    assert [about.partition(":")[0] for _, about in again.rung] == ["approval", "approval"]


def test_a_bell_that_fails_is_noted_and_fails_nothing() -> None:
    world, bell = asking(), Bell(problem="no such command")
    assert world.lead(notifier=bell) == "waiting"
    assert world.events(e.PersonNotified) == [e.PersonNotified("esc-1", "no such command; no such command")]
    world.inbox.put(Resolve("esc-1", "blue"))
    world.lead(notifier=bell)
    assert world.states() == {"task-1": "DONE"}


def test_work_goes_on_while_a_bell_rings() -> None:
    world, bell = asking(), Bell(seconds=30)
    world.lead(notifier=bell)
    (raised,) = world.times(e.EscalationRaised)
    assert bell.rung[0] == ("mail me", "esc-1")
    assert world.times(e.PersonNotified)[0] - raised == 60.0

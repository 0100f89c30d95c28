"""Who answers in a rehearsal, where no person is."""

import asyncio

from tests.core.support import World, session, task

from teamlead.core import facts as f
from teamlead.core.asking.escalation import OPTIONS
from teamlead.core.model import Question
from teamlead.wiring.rehearsing import STAND_IN, _stand_in


def at_work() -> World:
    world = World(session(task(1)))
    world.tell(f.CopyReady("task-1", 1, "base"))
    return world


def test_a_call_that_a_person_must_allow_is_allowed() -> None:
    world = at_work()
    world.tell(f.PermissionAsked("task-1", 1, Question("May it?", OPTIONS["permission"]), "call-1"))
    assert asyncio.run(_stand_in(world.state)) == f.Resolve("esc-1", "allow", by=STAND_IN)


def test_a_question_gets_its_first_option() -> None:
    world = at_work()
    world.tell(f.Asked("task-1", 1, Question("Which?", ("red", "blue")), "call-1"))
    assert asyncio.run(_stand_in(world.state)) == f.Resolve("esc-1", "red", by=STAND_IN)


def test_with_nothing_open_nothing_is_said() -> None:
    assert asyncio.run(_stand_in(at_work().state)) is None

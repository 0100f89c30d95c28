"""A person is told that they are needed: about what, and about what not."""

from tests.core.leading import crash
from tests.core.support import World, session, task

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Limits
from teamlead.core.people.notices import notice

ONCE = Limits(attempts=1, jobs=1, questions=1)


def world(*numbers: int, **fields: object) -> World:
    return World(session(*(task(n) for n in numbers), limits=ONCE, notify=("desktop",), **fields))


def wanted(world: World) -> list[str]:
    return [effect.about for effect in world.state.due.values() if isinstance(effect, do.Notify)]


def test_a_question_is_told_once() -> None:
    found = world(1)
    crash(found, 1)
    assert wanted(found) == ["esc-1"]
    found.tell(f.Notified("esc-1"))
    assert wanted(found) == []
    assert found.tell(f.Notified("esc-1")).events == []
    found.tell(f.LeaderLeft("bye"))
    found.tell(f.LeaderArrived(2, "another"))
    assert wanted(found) == []


def test_what_was_answered_meanwhile_is_not_told() -> None:
    found = world(1)
    crash(found, 1)
    found.tell(f.Resolve("esc-1", "retry"))
    assert wanted(found) == []
    assert notice(found.state, "esc-1") is None


def test_a_question_that_is_held_back_is_told_when_it_is_asked() -> None:
    found = world(1, 2)
    crash(found, 1)
    crash(found, 2)
    assert wanted(found) == ["esc-1", "esc-3"]
    found.tell(f.Resolve("esc-3", "more"))
    assert wanted(found) == ["esc-1", "esc-2"]


def test_finished_work_that_waits_for_approval_is_told() -> None:
    found = world(1)
    found.finish(1)
    (about,) = wanted(found)
    assert about == f"approval:{found.state.integration_tip}"
    told = notice(found.state, about)
    assert told is not None
    assert "waits for your approval" in told.message
    found.tell(found.approval())
    assert wanted(found) == []


def test_work_that_is_approved_by_itself_needs_nobody_unless_it_cannot_be() -> None:
    found = world(1, auto_approve=True)
    found.finish(1)
    assert wanted(found) == []
    found.tell(f.ApprovalImpossible("the branch has moved"))
    assert wanted(found) == [f"approval:{found.state.integration_tip}"]


def test_a_session_that_failed_is_told_also_after_its_end() -> None:
    found = world(1)
    crash(found, 1)
    found.tell(f.Resolve("esc-1", "stop"))
    assert wanted(found) == ["failed"]
    turn = found.tell(f.Notified("failed", "no such command"))
    assert turn.events == [e.PersonNotified("failed", "no such command")]
    assert found.state.notices == {"failed": "no such command"}


def test_nobody_is_told_where_nobody_wants_to_be() -> None:
    found = World(session(task(1), limits=ONCE))
    crash(found, 1)
    assert wanted(found) == []


def test_a_notice_says_what_is_asked_and_how_to_answer() -> None:
    found = world(1)
    crash(found, 1)
    told = notice(found.state, "esc-1")
    assert told is not None
    assert (told.session, told.about, told.task) == ("s-1", "esc-1", "task-1")
    assert told.message.startswith("esc-1 about task-1: task-1 (Title 1) failed")
    assert "Options: retry, skip, stop" in told.message
    assert told.message.endswith("teamlead resolve s-1 --escalation-id esc-1")

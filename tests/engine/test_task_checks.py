"""Of a check that passes it is asked whether it sees what was changed."""

import pytest
from tests.engine.support import World, task

from teamlead.core.runs import RunEnd
from teamlead.errors import Failed
from teamlead.testing.checker import CheckCall

UNSEEN = ("src/a.py",)


class Control:
    """Implements `ports.checking.NegativeControl`."""

    def __init__(self, *, fails: bool = False) -> None:
        self.asked: list[tuple[str, str]] = []
        self._fails = fails

    async def unseen(self, command: str, base: str, commit: str, timeout: float) -> tuple[str, ...]:  # noqa: ASYNC109 - the port's
        self.asked.append((command, base))
        if self._fails:
            raise Failed("no clean copy can be made")
        return UNSEEN


def unseen(world: World) -> list[tuple[str, ...]]:
    return [check.unseen for check in world.state().tasks["task-1"].attempts[-1].checks]


def test_a_check_that_does_not_see_the_change_is_remembered_and_refuses_nothing() -> None:
    world, control = World(task(1, checks=("make",))), Control()
    world.lead(control=control)
    assert control.asked == [("make", "base")]
    assert unseen(world) == [UNSEEN]
    assert world.state().tasks["task-1"].state == "DONE"


@pytest.mark.parametrize(("own", "outcome"), [(True, "refused"), (False, "failed")])
def test_a_failure_that_may_be_an_old_one_is_not_held_against_the_work_where_that_cannot_be_tried(
    own: bool, outcome: str
) -> None:
    """The task's own check has to pass, whatever was before."""
    own_checks, common = (("make",), ()) if own else ((), ("make",))
    world = World(task(1, checks=own_checks), answer=fails_on_work, checks=common)
    world.lead()
    first = world.state().tasks["task-1"].attempts[0]
    assert first.outcome == outcome
    told = "it fails, and what the work started from could not be tried"
    assert (told in first.reasons[0]) is not own


def fails_on_work(call: CheckCall) -> int:
    if call.cwd.name.startswith("trial-"):
        raise Failed("no clean copy can be made")
    return 1


def test_a_check_that_fails_is_not_asked_about() -> None:
    world, control = World(task(1, checks=("make",)), answer=lambda _: 1), Control()
    world.lead(control=control)
    assert control.asked == []


def test_nothing_is_asked_where_nothing_was_changed() -> None:
    world, control = World(task(1, checks=("make",), type="investigation")), Control()
    world.runner._work = lambda _: RunEnd("ok", "looked at it", tool_calls=3)
    world.lead(control=control)
    assert (control.asked, unseen(world)) == ([], [()])


def test_what_cannot_be_tried_says_nothing_against_the_check() -> None:
    world = World(task(1, checks=("make",)))
    world.lead(control=Control(fails=True))
    assert unseen(world) == [()]
    assert world.state().tasks["task-1"].state == "DONE"

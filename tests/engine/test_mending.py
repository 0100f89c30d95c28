"""A leader looks at the user's repository when it comes, after attempts, before approval, and at its end."""

from tests.engine.support import World, task

from teamlead.core import events as e
from teamlead.core.facts import Approve, Mend
from teamlead.core.model import Trespass
from teamlead.core.runs import RunEnd
from teamlead.errors import GitFailed
from teamlead.ports.runner import RunSpec
from teamlead.testing.workspace import Call

HOOK = Trespass("hooks/pre-push", "hooks/pre-push was changed")


def trespassing() -> World:
    def work(spec: RunSpec) -> RunEnd:
        world.workspace.open_trespasses[HOOK.item] = HOOK
        return world.write(spec)

    world = World(task(1), work=work, auto_approve=True)
    return world


def at_the_last_moment(call: Call, world: World) -> None:
    """Whatever ran last, such as a check, did it."""
    if call.method == "integrate":
        world.workspace.open_trespasses[HOOK.item] = HOOK


def test_a_trespass_is_in_the_journal_before_the_work_beside_it_and_holds_the_approval_up() -> None:
    world = trespassing()
    assert world.lead() == "waiting"
    kinds = [type(recorded.event) for recorded in world.journal.events]
    assert kinds.index(e.TrespassFound) < kinds.index(e.WorkCollected)
    assert "task-1.txt" not in world.delivered()


def test_a_leader_that_comes_finds_it_put_right_and_goes_on() -> None:
    world = trespassing()
    world.lead()
    world.workspace.open_trespasses.clear()
    assert world.lead() == "finished"
    assert [event.how for event in world.events(e.TrespassSettled)] == ["gone"]
    assert "task-1.txt" in world.delivered()


def test_a_command_that_mends_brings_what_was_approved_in_advance_to_the_branch() -> None:
    world = trespassing()
    world.lead()
    world.workspace.open_trespasses.clear()
    world.inbox.put(Mend(put_back=(HOOK.item,)))
    assert world.lead(staffed=False) == "finished"
    assert [(event.how, event.by) for event in world.events(e.TrespassSettled)] == [("put back", "user")]
    assert "task-1.txt" in world.delivered()


def test_what_came_after_the_last_look_is_found_before_the_work_is_applied() -> None:
    world = World(task(1), auto_approve=True)
    world.workspace.before = lambda call: at_the_last_moment(call, world)
    assert world.lead() == "waiting"
    assert [event.trespass for event in world.events(e.TrespassFound)] == [HOOK]
    assert "task-1.txt" not in world.delivered()


def test_nothing_is_applied_where_nobody_can_look() -> None:
    def fails(call: Call) -> None:
        if call.method == "look":
            raise GitFailed("git would not look")

    world = World(task(1))
    world.workspace.before = fails
    assert world.lead() == "waiting"
    assert world.states() == {"task-1": "DONE"}
    world.inbox.put(Approve(world.workspace.integration))
    world.lead(staffed=False)
    assert world.state().approval_refused == "git would not look"
    assert "task-1.txt" not in world.delivered()

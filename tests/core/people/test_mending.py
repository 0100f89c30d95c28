"""What was changed in the user's repository is told until it is put right, and holds approval up."""

from tests.core.support import World, session, task

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Trespass
from teamlead.core.people.mending import TRESPASSED
from teamlead.core.step import Turn

HOOK = Trespass("hooks/pre-push", "hooks/pre-push was changed", ("task-1 (attempt 1)",))
MAIN = Trespass("refs/heads/main", "refs/heads/main was moved from a to b")


def finished(*, auto_approve: bool = False) -> World:
    world = World(session(task(1), auto_approve=auto_approve))
    world.tell(f.RepositoryLooked((HOOK, MAIN)))
    world.finish(1)
    assert world.state.phase == "AWAITING_APPROVAL"
    return world


def events(turn: Turn) -> list[e.AnyEvent]:
    return turn.events


def test_what_is_found_is_told_once() -> None:
    world = World(session(task(1)))
    assert events(world.tell(f.RepositoryLooked((HOOK,)))) == [e.TrespassFound(HOOK)]
    assert events(world.tell(f.RepositoryLooked((HOOK, MAIN)))) == [e.TrespassFound(MAIN)]
    assert events(world.tell(f.RepositoryLooked((HOOK, MAIN)))) == []
    assert list(world.state.trespasses.values()) == [HOOK, MAIN]


def test_what_is_not_there_any_more_when_somebody_looks_is_settled() -> None:
    world = finished()
    assert events(world.tell(f.RepositoryLooked((MAIN,)))) == [e.TrespassSettled("hooks/pre-push", "gone")]


def test_nothing_is_approved_while_something_is_open() -> None:
    world = finished()
    refused = world.tell(world.approval()).refusals[0]
    assert (refused.exit_code, refused.message) == (5, f"{TRESPASSED}: {HOOK.told}; {MAIN.told}")
    assert refused.remedy == f"look and decide: teamlead mend {world.state.session.id}"
    world.tell(f.Mend(put_back=(HOOK.item,)))
    assert world.tell(world.approval()).refusals
    settled = world.tell(f.Mend(accepted=(MAIN.item,), by="ann"))
    assert events(settled) == [e.TrespassSettled(MAIN.item, "accepted", "ann")]
    assert not world.tell(world.approval()).refusals
    assert world.due(do.ApplyWork)


def test_an_approval_given_in_advance_waits_until_everything_is_settled_and_then_is_carried_out() -> None:
    world = finished(auto_approve=True)
    assert not world.state.due
    world.tell(f.Mend(put_back=(HOOK.item, MAIN.item)))
    world.answer(world.due(do.ApplyWork))
    assert world.state.phase == "DONE"


def test_what_is_found_at_the_last_moment_stops_an_approval_that_goes_on_once_it_is_settled() -> None:
    world = World(session(task(1), auto_approve=True))
    world.finish(1)
    assert world.due(do.ApplyWork)
    world.tell(f.RepositoryLooked((HOOK,)))
    world.tell(f.ApprovalImpossible(f"{TRESPASSED}: {HOOK.told}"))
    assert not world.state.due
    world.tell(f.Mend(gone=(HOOK.item,)))
    assert world.due(do.ApplyWork)


def test_what_is_mended_and_was_not_open_is_no_news() -> None:
    world = finished()
    assert events(world.tell(f.Mend(put_back=("shallow",), accepted=("v1",), gone=("HEAD",)))) == []


def test_it_is_told_after_the_end_of_a_session_too() -> None:
    world = finished()
    world.tell(f.Cancel("enough"))
    assert events(world.tell(f.RepositoryLooked((MAIN,)))) == [e.TrespassSettled("hooks/pre-push", "gone")]
    assert events(world.tell(f.Mend(put_back=(MAIN.item,)))) == [
        e.TrespassSettled(MAIN.item, "put back", "user")
    ]

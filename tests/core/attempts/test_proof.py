"""All that speaks for and against a piece of work, as one list."""

import pytest
from tests.core.support import World, session, task
from tests.core.told import agent_ended, check_ended, work_found

from teamlead.core import effects as do
from teamlead.core.attempts.proof import evidence_of, flagged
from teamlead.core.evidence.values import CHECKS_PROVE_IT, Evidence, RoomKind, SuiteDelta, SuiteRun
from teamlead.core.model import Limits

FLAGGED = Evidence("claims", "flagged", "files", "b.py is said to be changed, and is not")


def items(world: World) -> dict[str, Evidence]:
    known = world.task(1)
    return {item.kind: item for item in evidence_of(world.state, known, known.attempts[-1])}


def test_nothing_speaks_for_an_attempt_whose_agent_has_not_ended() -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    assert items(world) == {}


def test_accepted_work_is_proven_each_item_with_the_command_that_repeats_it() -> None:
    world = World(session(task(1, checks=("make",), scope=("src/",))))
    world.finish(1)
    found = items(world)
    assert list(found) == ["activity", "change", "scope", "check", "proof", "merged"]
    assert [item.verdict for item in found.values()] == ["unknown", *["proven"] * 3, "unknown", "proven"]
    assert found["change"].command == "git diff --stat base task-1@1"
    assert found["change"].found == "1 file, +3 -1: src/task-1.py"
    assert found["check"].command == "git worktree add --detach DIR task-1@1 && cd DIR && make"
    branch = "teamlead/s-1/integration"
    assert found["merged"].command == f"git merge-base --is-ancestor task-1@1 {branch}"


@pytest.mark.parametrize(("checks", "told"), [(("make",), True), ((), False)])
def test_that_further_runs_are_switched_off_is_told_where_checks_would_be_run_again(
    checks: tuple[str, ...], *, told: bool
) -> None:
    world = World(session(task(1, checks=checks), limits=Limits(proof_times=0.0)))
    world.finish(1)
    item = Evidence("proof", "unknown", CHECKS_PROVE_IT, "further runs are switched off (`proof_times = 0`)")
    assert items(world).get("proof") == (item if told else None)


def test_where_further_runs_are_made_none_is_told_to_be_switched_off() -> None:
    world = World(session(task(1, checks=("make",)), limits=Limits(proof_times=2.0)))
    world.advance(1, do.Prove)
    assert "proof" not in items(world)


@pytest.mark.parametrize(
    ("room", "told"),
    [
        ("none", ("it ran without a room",)),
        ("landlock", ("it ran without a full room, held by landlock alone",)),
        ("bubblewrap", ()),
        ("strict", ()),
        ("", ()),
    ],
)
def test_a_check_without_a_full_room_is_told_as_such(room: RoomKind, told: tuple[str, ...]) -> None:
    world = World(session(task(1, checks=("make",))))
    world.advance(1, do.Check)
    world.tell(check_ended("task-1", 1, "make", 0, room=room))
    assert items(world)["check"].details == told


def test_what_was_refused_is_among_it_in_place_of_the_proof() -> None:
    world = World(session(task(1, scope=("src/",))))
    world.advance(1, do.Collect)
    world.answer(world.due(do.Collect), 2)
    known = world.task(1)
    found = evidence_of(world.state, known, known.attempts[0])
    assert [(item.kind, item.verdict) for item in found] == [
        ("activity", "unknown"),
        ("change", "proven"),
        ("scope", "refused"),
    ]
    assert "elsewhere.py" in found[-1].found


def test_work_without_a_change_is_proven_by_what_its_agent_did() -> None:
    world = World(session(task(1, type="investigation")))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", tool_calls=7))
    world.tell(work_found("task-1", 1, ""))
    assert items(world)["activity"].found == "7 calls of tools"
    assert items(world)["change"].claim == "it needs no change"
    assert "merged" not in items(world)


@pytest.mark.parametrize(
    ("calls", "found"),
    [(0, ("flagged", "no tool was used, and nothing was changed")), (1, ("proven", "1 call of tools"))],
)
def test_an_agent_that_used_no_tool_and_changed_nothing_has_not_been_seen_at_work(
    calls: int, found: tuple[str, str]
) -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", tool_calls=calls))
    world.tell(work_found("task-1", 1, ""))
    known = world.task(1)
    activity = evidence_of(world.state, known, known.attempts[0])[0]
    assert (activity.verdict, activity.found) == found


def test_what_somebody_should_look_at_is_what_is_flagged_or_was_waived() -> None:
    world = World(session(task(1, checks=("make",))))
    world.advance(1, do.Collect)
    world.tell(work_found("task-1", 1, "c", evidence=(FLAGGED,)))
    flaky = SuiteDelta(flaky=("t",))
    world.tell(check_ended("task-1", 1, "make", 0, suite=SuiteRun("go", 1, 0, 0), delta=flaky))
    known = world.task(1)
    found = flagged(evidence_of(world.state, known, known.attempts[0]))
    assert [(item.kind, item.verdict) for item in found] == [("claims", "flagged"), ("check", "flagged")]


def test_what_a_judge_said_is_no_proof_and_names_where_to_read_it() -> None:
    world = World(session(task(1, acceptance=("it does",)), consultants=("judge",)))
    world.advance(1)
    world.answer(world.due(do.RunAgent), 1)
    turned_down = evidence_of(world.state, world.task(1), world.task(1).attempts[0])
    (item,) = (item for item in turned_down if item.kind == "judge")
    assert (item.verdict, item.claim, item.details) == ("objected", "it does", ("the page",))
    assert item.found == "a model judged that it does not: not all"
    assert item.command == "teamlead logs task-1-judge"
    world.advance(1)
    world.answer(world.due(do.RunAgent))
    accepted = evidence_of(world.state, world.task(1), world.task(1).attempts[1])
    assert [item.verdict for item in accepted if item.kind == "judge"] == ["unknown"]

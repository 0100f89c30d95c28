"""The checks of the whole plan: when they run, and what follows from them."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.core.support import World, session, task
from tests.core.told import check_ended

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.evidence.bisection import Command, Culprit, WholeCheck
from teamlead.core.model import TaskSpec
from teamlead.core.pipeline import whole_plan
from teamlead.core.state.team_state import session_state
from teamlead.errors import Refused

LINT = "make lint"
PASSED = WholeCheck(LINT, "passed", "it passes")
UNKNOWN = WholeCheck(LINT, "unknown", "it could not be tried")


def broken(*numbers: int) -> WholeCheck:
    culprits = tuple(Culprit(f"task-{number}", f"tip of {number}", ("test_a",)) for number in numbers)
    return WholeCheck(LINT, "broken", "it fails", culprits, "the last lines")


def merged(*tasks: TaskSpec, **fields: Any) -> World:
    """All of them are done, and their work is merged."""
    world = World(session(*(tasks or (task(1), task(2))), **({"checks": (LINT,)} | fields)))
    world.finish(*range(1, len(tasks or (1, 2)) + 1))
    return world


def end(world: World, *checks: WholeCheck) -> list[e.AnyEvent]:
    return world.tell(f.WholeEnded(world.state.integration_tip, checks)).events


def finish_again(world: World, *numbers: int) -> None:
    for number in numbers:
        world.advance(number)


def reopened(world: World) -> list[str]:
    return [event.task for _, event in world.log if isinstance(event, e.TaskReopened)]


def test_they_run_when_every_task_is_settled_and_before_approval_is_asked() -> None:
    world = merged()
    assert world.due(do.CheckWhole) == do.CheckWhole(world.state.integration_tip)
    assert (world.state.phase, session_state(world.state)) == ("REVIEWING", "REVIEWING")
    with pytest.raises(Refused, match="the checks of the whole plan come first"):
        whole_approval(world)
    end(world, PASSED)
    assert (world.state.phase, session_state(world.state)) == ("AWAITING_APPROVAL", "COMPLETED")


def whole_approval(world: World) -> None:
    turn = world.tell(world.approval())
    raise turn.refusals[0]


@pytest.mark.parametrize(
    "tasks",
    [
        (task(1),),
        (task(1, type="investigation", checks=(LINT,)),),
    ],
    ids=["no checks", "the checks of what is not merged"],
)
def test_without_checks_nothing_runs(tasks: tuple[TaskSpec, ...]) -> None:
    world = merged(*tasks, checks=())
    assert world.state.phase in {"AWAITING_APPROVAL", "DONE"}
    assert world.state.whole is None


def test_where_nothing_is_merged_nothing_runs() -> None:
    world = World(session(task(1, type="integration"), checks=(LINT,)))
    world.advance(1, do.Collect)
    world.answer(world.due(do.Collect), 1)
    world.advance(1)
    assert (world.state.phase, world.state.whole) == ("DONE", None)


def test_each_command_runs_once_and_counts_from_the_first_merge_that_promised_it() -> None:
    world = World(session(task(1), task(2, checks=("b", LINT)), task(3, checks=("b",)), checks=(LINT,)))
    world.finish(1, 3, 2)
    assert [merge.task for merge in world.state.merges] == ["task-1", "task-3", "task-2"]
    assert whole_plan.commands(world.state) == (Command(LINT, 3), Command("b", 2))


HIDDEN = "sh /home/ada/oracle.sh"


def broken_in_secret() -> tuple[World, WholeCheck]:
    world = merged(task(1), task(2, hidden_checks=(HIDDEN,)), checks=())
    culprits = (Culprit("task-2", "tip of 2", ("test_oracle",)),)
    return world, WholeCheck(
        HIDDEN, "broken", "the oracle wants 5", culprits, "oracle: 5", "/logs/oracle.txt"
    )


def test_hidden_checks_run_on_the_merged_work_and_no_agent_is_told_more_than_that_one_fails() -> None:
    world, check = broken_in_secret()
    assert whole_plan.commands(world.state) == (Command(HIDDEN, 2),)
    world.tell(f.TrialBegun(world.state.integration_tip, HIDDEN, "on the merged work"))
    assert world.state.trying == "a hidden check on the merged work"

    end(world, check)

    assert reopened(world) == ["task-2"]
    told = world.task(2).guidance[-1][1]
    assert "a hidden check fails on the merged work of all tasks since yours was merged (tip of 2)" in told
    assert "oracle" not in told


def test_a_question_about_a_hidden_check_does_not_tell_it_and_its_evidence_does() -> None:
    world, check = broken_in_secret()
    end(world, check)
    finish_again(world, 2)
    end(world, check)

    (asked,) = world.state.open.values()
    told = str(asked.question)
    assert "a hidden check, since the work of task-2 was merged" in told
    assert "oracle" not in told + asked.reason + asked.cause
    for spec in (None, world.task(2).spec):
        (item,) = whole_plan.evidence(world.state, spec)
        assert item.hidden
        assert HIDDEN in item.claim
    advised = whole_plan.reason(world.state, (check,), "task-2")
    assert "oracle" not in advised


def test_what_a_task_broke_goes_back_to_it_with_the_evidence() -> None:
    world = merged()
    end(world, broken(2))
    assert world.state.phase == "EXECUTING"
    assert reopened(world) == ["task-2"]
    told = world.task(2).guidance[-1][1]
    for part in (LINT, "tip of 2", "test_a", "the last lines"):
        assert part in told
    assert world.due(do.PrepareCopy, 2).bases == (world.state.merges[-1].tip,)


def test_several_culprits_go_back_at_once() -> None:
    world = merged()
    end(world, broken(1, 2))
    assert reopened(world) == ["task-1", "task-2"]


def test_the_mended_work_is_checked_again() -> None:
    world = merged()
    end(world, broken(2))
    finish_again(world, 2)
    assert isinstance(world.due(do.CheckWhole), do.CheckWhole)
    end(world, PASSED)
    assert world.state.phase == "AWAITING_APPROVAL"


def twice_broken() -> World:
    world = merged()
    end(world, broken(2))
    finish_again(world, 2)
    end(world, broken(2))
    return world


def test_what_was_sent_back_once_in_vain_is_asked_about() -> None:
    world = twice_broken()
    (record,) = world.state.open.values()
    assert (record.kind, list(record.tasks)) == ("whole", ["task-2"])
    assert record.question is not None
    assert record.question.options == ("retry", "accept", "stop")
    assert (world.state.phase, session_state(world.state)) == ("REVIEWING", "ESCALATING")


def test_what_could_not_be_tried_is_not_said_not_to_hold() -> None:
    world = merged()
    end(world, UNKNOWN)
    (record,) = world.state.open.values()
    assert record.reason == f"nobody knows whether the merged work holds: `{LINT}`: it could not be tried"
    answer(world, "retry")
    end(world, UNKNOWN, WholeCheck("make", "unexplained", "it fails"))
    (record,) = world.state.open.values()
    assert record.reason == (
        "the merged work does not hold: `make`: it fails; "
        f"nobody knows whether the merged work holds: `{LINT}`: it could not be tried"
    )


def answer(world: World, text: str) -> list[e.AnyEvent]:
    return world.tell(f.Resolve(next(iter(world.state.open)), text)).events


def test_an_accepted_failure_goes_on_to_approval_and_is_shown() -> None:
    world = twice_broken()
    answer(world, "accept")
    assert world.state.phase == "AWAITING_APPROVAL"
    (item,) = whole_plan.evidence(world.state)
    assert (item.verdict, item.kind) == ("flagged", "whole")
    assert "accepted by user" in item.found


def test_a_check_that_did_not_see_a_change_proves_nothing_of_all_of_them() -> None:
    world = World(session(task(1), checks=(LINT,)))
    world.advance(1, do.Check)
    world.tell(check_ended("task-1", 1, LINT, 0, unseen=("src/a.py",)))
    world.advance(1)
    checked = next(event for event in end(world, PASSED) if isinstance(event, e.WholeChecked))
    (item,) = whole_plan.evidence(world.state)
    assert item.verdict == "flagged"
    assert item.found == "it passes, but not proven: this check does not see what was changed"
    assert checked.checks[0].found == item.found
    assert item.details == ("in a clean copy it passed with garbage in src/a.py, too",)


def test_what_the_merged_work_was_checked_in_is_told() -> None:
    world = merged()
    end(world, replace(PASSED, room="none"))
    (item,) = whole_plan.evidence(world.state)
    assert item.details == ("it ran without a room",)
    world = merged()
    end(world, replace(PASSED, room="strict"))
    (item,) = whole_plan.evidence(world.state)
    assert item.command.startswith(f"git switch --detach {world.state.integration_tip} && ")


@pytest.mark.parametrize(("text", "told"), [("retry", ""), ("use b", "A person says: use b")])
def test_retrying_sends_it_back_with_the_advice_if_there_is_any(text: str, told: str) -> None:
    world = twice_broken()
    answer(world, text)
    assert world.state.phase == "EXECUTING"
    assert world.task(2).guidance[-1][1].endswith(told)
    assert len(world.task(2).advice) == (1 if told else 0)


def test_stopping_ends_the_session() -> None:
    world = twice_broken()
    answer(world, "stop")
    assert world.state.phase == "FAILED"


def test_what_could_not_be_tried_is_asked_about_and_tried_again() -> None:
    world = merged()
    end(world, UNKNOWN)
    with pytest.raises(Refused, match="'retry', 'accept' or 'stop'"):
        raise world.tell(f.Resolve("esc-1", "hm")).refusals[0]
    answer(world, "retry")
    assert world.due(do.CheckWhole).turn == 1
    end(world, PASSED)
    assert world.state.phase == "AWAITING_APPROVAL"


def test_a_question_about_work_that_has_changed_since_is_withdrawn() -> None:
    world = merged()
    end(world, UNKNOWN)
    world.tell(f.RetryTask("task-1", "not good"))
    finish_again(world, 1)
    assert not world.state.open
    assert world.due(do.CheckWhole).tip == world.state.integration_tip


def test_the_failure_of_a_task_that_was_skipped_after_it_was_merged_is_not_forgotten() -> None:
    world = merged(task(1), task(2, checks=("b",)), checks=())
    end(world, WholeCheck("b", "broken", "it fails", (Culprit("task-2", "tip"),)))
    world.tell(f.SkipTask("task-2", "never mind"))
    world.answer(world.due(do.StopAgent))
    assert isinstance(world.due(do.CheckWhole), do.CheckWhole)


def test_work_that_comes_meanwhile_is_checked_instead() -> None:
    world = merged()
    tip = world.state.integration_tip
    world.tell(f.AddTasks((task(3),)))
    assert world.state.phase == "EXECUTING"
    assert f"CheckWhole:{tip}:0" not in world.state.due
    assert not world.tell(f.WholeEnded(tip, (PASSED,))).events

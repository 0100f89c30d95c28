"""Models that the lead consults: asked once, in a clean copy, and never for nothing."""

import asyncio
import json

import pytest
from tests.engine.support import World, task

from teamlead.core import events as e
from teamlead.core.facts import Cancel, SkipTask
from teamlead.core.model import Limits, Usage
from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec

FINE = json.dumps({"success": True, "reason": "it does what it should"})
MORE = json.dumps({"success": False, "reason": "half of it", "shouldContinue": True})


def judged(*answers: RunEnd | str, **options: object) -> World:
    """A session of one task, whose judge answers so, one after the other."""
    left = list(answers)

    def work(spec: RunSpec) -> RunEnd:
        if spec.role != "judge":
            return world.write(spec)
        answer = left.pop(0)
        return RunEnd("ok", answer) if isinstance(answer, str) else answer

    world = World(task(1, acceptance=("it does",)), work=work, consultants=("judge",), **options)  # type: ignore[arg-type]
    return world


def consulted(world: World) -> list[RunSpec]:
    return [spec for spec in world.runner.specs if spec.role == "judge"]


def test_work_is_merged_once_the_judge_has_accepted_it() -> None:
    world = judged(FINE)
    world.lead()
    assert world.states() == {"task-1": "DONE"}
    (spec,) = consulted(world)
    assert (spec.task, spec.attempt, spec.folder.name) == ("task-1-judge", 1, "task-1-judge-1")
    assert spec.cwd.name.startswith("trial-")
    assert "what was done in task-1-1" in spec.prompt
    assert "task-1.txt" in spec.prompt
    assert world.workspace.loans == {}


def test_what_is_too_long_for_its_prompt_lies_in_the_copy_of_a_judge() -> None:
    found: list[tuple[str, str]] = []

    def work(spec: RunSpec) -> RunEnd:
        if spec.role != "judge":
            return world.write(spec)
        found.append((spec.cwd.name, world.workspace.laid_beside[spec.cwd.name]["plan.md"]))
        return RunEnd("ok", FINE)

    world = World(task(1, acceptance=("it does",)), work=work, consultants=("judge",))
    world.lead(long_texts=lambda _state, task: {"plan.md": f"all about {task.spec.id}"})
    assert found == [("trial-0", "all about task-1")]


def test_a_judge_goes_on_with_nobodys_conversation() -> None:
    def work(spec: RunSpec) -> RunEnd:
        if spec.role == "judge":
            return RunEnd("ok", answers.pop(0), conversation="the judge's own")
        world.workspace.write(spec.task, "a.txt", f"attempt {spec.attempt}\n")
        return RunEnd("ok", "done", conversation="the worker's")

    answers = [MORE, FINE]
    world = World(task(1, acceptance=("it does",)), work=work, consultants=("judge",))
    world.lead()
    assert [spec.conversation for spec in world.runner.specs] == ["", "", "the worker's", ""]
    homes = {spec.role: spec.home for spec in world.runner.specs}
    assert homes["judge"] != homes["worker"]


def test_work_that_the_judge_turns_down_goes_back_and_is_judged_anew() -> None:
    def work(spec: RunSpec) -> RunEnd:
        if spec.role == "judge":
            return RunEnd("ok", answers.pop(0))
        world.workspace.write(spec.task, "a.txt", f"attempt {spec.attempt}\n")
        return RunEnd("ok", f"attempt {spec.attempt}")

    answers = [MORE, FINE]
    world = World(task(1, acceptance=("it does",)), work=work, consultants=("judge",))
    world.lead()
    assert world.states() == {"task-1": "DONE"}
    assert [spec.task for spec in world.runner.specs] == ["task-1", "task-1-judge"] * 2
    first, _ = world.state().tasks["task-1"].attempts
    assert (first.outcome, first.reasons) == ("refused", ("half of it",))


def test_an_answer_that_cannot_be_read_is_asked_for_again_with_what_was_wrong() -> None:
    world = judged("It is fine!", FINE)
    world.lead()
    assert world.states() == {"task-1": "DONE"}
    _, second = consulted(world)
    assert second.attempt == 2
    assert "JSON" in second.prompt


def test_a_judge_whose_account_met_a_limit_is_asked_again_when_it_is_over() -> None:
    world = judged(RunEnd("limit", detail="too much"), FINE)
    world.lead()
    assert world.states() == {"task-1": "DONE"}
    first, second = world.times(e.RunStarted)
    assert second - first >= 60
    assert [event.kind for event in world.events(e.AgentHeld)] == ["fake"]


def test_what_a_judge_costs_is_counted() -> None:
    world = judged(RunEnd("ok", FINE, usage=Usage(10, 5, 0.25)))
    world.lead()
    assert world.state().usage == Usage(10, 5, 0.25)


def test_a_judge_that_a_dead_leader_left_is_ended_and_another_one_asked() -> None:
    async def work(spec: RunSpec) -> RunEnd:
        if spec.role != "judge":
            return world.write(spec)
        if spec.attempt == 1:
            asked.set()
            await asyncio.Event().wait()
        return RunEnd("ok", FINE)

    async def die() -> None:
        leading = asyncio.ensure_future(world.leader().run("the first", 1))
        await asked.wait()
        leading.cancel()
        await asyncio.gather(leading, return_exceptions=True)

    asked = asyncio.Event()
    world = World(task(1, acceptance=("it does",)), work=work, consultants=("judge",))
    world.play(die())
    world.lead()
    assert world.states() == {"task-1": "DONE"}
    assert [spec.attempt for spec in consulted(world)] == [1, 2]


@pytest.mark.parametrize("command", [SkipTask("task-1", "not needed"), Cancel("enough")])
def test_a_judge_of_work_that_nobody_wants_any_more_is_ended(command: SkipTask | Cancel) -> None:
    ended: list[str] = []

    async def work(spec: RunSpec) -> RunEnd:
        if spec.role != "judge":
            return world.write(spec)
        world.inbox.put(command)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(spec.task)
        raise AssertionError

    world = World(task(1, acceptance=("it does",)), work=work, consultants=("judge",))
    world.lead()
    assert ended == ["task-1-judge"]
    assert world.states()["task-1"] in {"SKIPPED", "CANCELLED"}
    assert world.state().advising == {}


def test_no_model_is_asked_about_what_commands_decide_or_code_refuses() -> None:
    def work(spec: RunSpec) -> RunEnd:
        assert spec.role != "judge"
        world.workspace.write(spec.task, "src/a.txt" if spec.task == "task-1" else "elsewhere.txt", "a\n")
        return RunEnd("ok", "done")

    scope = ("src/",)
    world = World(
        task(1, scope=scope, acceptance=("make test",), checks=("make test",)),
        task(2, scope=scope, acceptance=("it does",)),
        work=work,
        consultants=("judge",),
        limits=Limits(attempts=1),
    )
    world.lead()
    assert world.states() == {"task-1": "DONE", "task-2": "BLOCKED"}

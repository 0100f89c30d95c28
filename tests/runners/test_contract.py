"""What every runner does, whatever its agent. A new runner is a new entry in AGENTS."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Literal, TypeVar

import pytest

from teamlead.core.model import Question, Usage
from teamlead.errors import Refused
from teamlead.ports import RunEnd, Runner, RunSpec
from teamlead.testing.runner import FakeRunner

T = TypeVar("T")
Behaviour = Literal["done", "fail", "ask", "hang"]
MakeAgent = Callable[[Behaviour], Runner]

SCRIPTS: Mapping[Behaviour, str] = {
    "done": """{usage = {input_tokens = 5, cost_usd = 0.5}}, {write = "made.txt", text = "x"},
               {append = "made.txt", text = "y"}, {usage = {input_tokens = 7}}, {done = "made it"}""",
    "fail": '{fail = "no idea how"}',
    "ask": '{ask = "Which?", options = ["a", "b"]}',
    "hang": "{hang = true}",
}


async def fake_hang(_spec: RunSpec) -> RunEnd:
    await asyncio.Event().wait()
    raise AssertionError


FAKES: Mapping[Behaviour, Any] = {
    "done": lambda _: RunEnd("ok", "made it", usage=Usage(12, None, 0.5), tool_calls=2),
    "fail": lambda _: RunEnd("error", detail="no idea how"),
    "ask": lambda _: RunEnd("ok", question=Question("Which?", ("a", "b"))),
    "hang": fake_hang,
}

AGENTS = ("scripted", "fake")


@pytest.fixture(params=AGENTS)
def agent(request: pytest.FixtureRequest) -> MakeAgent:
    if request.param == "fake":
        return lambda behaviour: FakeRunner(FAKES[behaviour])
    scripted = request.getfixturevalue("scripted")
    return lambda behaviour: scripted(SCRIPTS[behaviour])


def run(main: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(main, 30))


async def end_of(runner: Runner, spec: RunSpec) -> RunEnd:
    return await (await runner.start(spec)).result()


def test_a_run_that_was_never_started_is_not_recalled(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    assert run(agent("done").recall(spec())) is None


def test_a_finished_run_reports_what_it_did_and_spent(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    end = run(end_of(agent("done"), spec()))
    assert end == RunEnd("ok", "made it", usage=Usage(12, None, 0.5), tool_calls=2)


def test_a_failed_run_reports_why(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    end = run(end_of(agent("fail"), spec()))
    assert (end.status, end.detail) == ("error", "no idea how")


def test_a_question_ends_the_run_well_and_is_handed_on(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    end = run(end_of(agent("ask"), spec()))
    assert (end.status, end.question) == ("ok", Question("Which?", ("a", "b")))


@pytest.mark.parametrize("behaviour", ["done", "fail", "ask"])
def test_an_ended_run_is_recalled_as_it_ended(
    agent: MakeAgent, spec: Callable[[], RunSpec], behaviour: Behaviour
) -> None:
    async def main() -> tuple[RunEnd, RunEnd | None]:
        runner = agent(behaviour)
        return await end_of(runner, spec()), await runner.recall(spec())

    end, recalled = run(main())
    assert recalled == end


def test_a_run_that_is_cancelled_is_interrupted(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    async def main() -> RunEnd:
        handle = await agent("hang").start(spec())
        await handle.cancel(0.2)
        return await handle.result()

    assert run(main()).status == "interrupted"


def test_cancelling_an_ended_run_changes_nothing(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    async def main() -> RunEnd:
        handle = await agent("done").start(spec())
        await handle.result()
        await handle.cancel(1)
        return await handle.result()

    assert run(main()).status == "ok"


def test_giving_up_waiting_does_not_end_the_run(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    async def main() -> RunEnd:
        handle = await agent("done").start(spec())
        waiting = asyncio.create_task(handle.result())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        return await handle.result()

    assert run(main()).status == "ok"


def test_the_same_attempt_is_never_started_twice(agent: MakeAgent, spec: Callable[..., RunSpec]) -> None:
    async def main() -> RunEnd:
        runner = agent("done")
        await end_of(runner, spec())
        with pytest.raises(Refused, match="started already"):
            await runner.start(spec())
        return await end_of(runner, spec(attempt=2))

    assert run(main()).status == "ok"


def test_a_run_without_a_result_is_ended_and_recalled_as_lost(
    agent: MakeAgent, spec: Callable[[], RunSpec]
) -> None:
    async def main() -> tuple[RunEnd | None, RunEnd]:
        runner = agent("hang")
        handle = await runner.start(spec())
        recalled = await runner.recall(spec())
        return recalled, await handle.result()

    recalled, end = run(main())
    assert recalled is not None
    assert recalled.status == "lost"
    assert end.status != "ok"

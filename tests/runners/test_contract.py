"""What every runner does, whatever its agent. A new runner is a new entry in AGENTS."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import pytest
from tests import programs

from teamlead.core.model import Question, Usage
from teamlead.core.runs import RunEnd
from teamlead.errors import Refused
from teamlead.ports.runner import Runner, RunSpec
from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners import attempt_folder
from teamlead.runners.acp.runner import AcpRunner
from teamlead.runners.claude.runner import ClaudeRunner
from teamlead.runners.codex.runner import CodexRunner
from teamlead.runners.script import check_script
from teamlead.runners.scripted import ScriptedRunner
from teamlead.system.run_lock import claim
from teamlead.testing.runner import FakeRunner

T = TypeVar("T")
Behaviour = Literal["done", "fail", "hang", "ask"]

DONE = """{usage = {input_tokens = 5}}, {write = "made.txt", text = "x"},
          {usage = {input_tokens = 7}}, {append = "made.txt", text = "y"},
          {usage = {input_tokens = 0}}, {done = "made it"}"""
SCRIPTS: Mapping[Behaviour, str] = {
    "done": DONE,
    "fail": '{fail = "no idea how"}',
    "hang": "{hang = true}",
    "ask": '{ask = "Which?", options = ["a", "b"]}',
}


async def fake_hang(_spec: RunSpec) -> RunEnd:
    await asyncio.Event().wait()
    raise AssertionError


FAKES: Mapping[Behaviour, Any] = {
    "done": lambda _: RunEnd("ok", "made it", usage=Usage(12, None, 0.5), tool_calls=2),
    "fail": lambda _: RunEnd("error", detail="no idea how"),
    "hang": fake_hang,
    "ask": lambda _: RunEnd("ok", question=Question("Which?", ("a", "b"))),
}


ACP: Mapping[Behaviour, Any] = {
    "done": [
        {"write": "made.txt"},
        {"write": "too.txt"},
        {"say": "made it"},
        {"answer": {"usage": {"inputTokens": 12, "outputTokens": 1, "totalTokens": 13}}},
    ],
    "fail": [{"error": [-32603, "no idea how"]}],
    "hang": [{"wait": True}],
}


class Real(NamedTuple):
    """A real program, whose model follows the script."""

    make: Callable[[], Runner]
    environment: Callable[[str], Mapping[str, str]]
    """For a model at this address."""


AGENTS: Mapping[str, Real | None] = {
    "scripted": None,
    "fake": None,
    "acp": None,
    "claude": Real(
        lambda: ClaudeRunner(programs.claude()),
        lambda url: {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none"},
    ),
    "codex": Real(
        lambda: CodexRunner(programs.codex()),
        lambda url: {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none"},
    ),
}

MakeAgent = Callable[[Behaviour], Runner]


@pytest.fixture(params=AGENTS)
def agent(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MakeAgent]:
    real = AGENTS[request.param]
    with ExitStack() as stack:

        def make(behaviour: Behaviour) -> Runner:
            if request.param == "fake":
                return FakeRunner(FAKES[behaviour])
            if request.param == "acp":
                pytest.importorskip("acp", reason="agent-client-protocol is not installed")
                program = Path(__file__).parent / "acp" / "agent.py"
                return AcpRunner([sys.executable, str(program), json.dumps({"then": ACP[behaviour]})])
            script = tmp_path / "script.toml"
            script.write_text(f"[[default]]\nsteps = [{SCRIPTS[behaviour]}]\n", encoding="utf-8")
            if real is None:
                return ScriptedRunner(script)
            model = ScriptedModel(check_script(script.read_text(), "script", "model"))
            for name, value in real.environment(stack.enter_context(model).url).items():
                monkeypatch.setenv(name, value)
            return real.make()

        yield make


@pytest.fixture
def spec(spec: Callable[..., RunSpec], tmp_path: Path) -> Callable[..., RunSpec]:
    """A scripted model knows the task by its headline."""
    given = {"prompt": "# task-1: A title\n\nDo it.", "model": "a-model", "home": tmp_path / "home"}
    return lambda **changes: spec(**{**given, **changes})


def run(main: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(main, 60))


async def end_of(runner: Runner, spec: RunSpec) -> RunEnd:
    return await (await runner.start(spec)).result()


def test_a_run_that_was_never_started_is_not_recalled(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    assert run(agent("done").recall(spec())) is None


def test_a_finished_run_reports_what_it_did_and_spent(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    end = run(end_of(agent("done"), spec()))
    assert (end.status, end.summary, end.tool_calls) == ("ok", "made it", 2)
    assert end.usage.input_tokens == 12


def test_a_failed_run_reports_why(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    end = run(end_of(agent("fail"), spec()))
    assert end.status == "error"
    assert "no idea how" in end.detail


@pytest.mark.parametrize("agent", ["scripted", "fake"], indirect=True)
def test_a_question_ends_the_run_well_and_is_handed_on(agent: MakeAgent, spec: Callable[[], RunSpec]) -> None:
    """Real programs ask their team instead, and go on."""

    async def main() -> tuple[RunEnd, RunEnd | None]:
        runner = agent("ask")
        return await end_of(runner, spec()), await runner.recall(spec())

    end, recalled = run(main())
    assert (end.status, end.question) == ("ok", Question("Which?", ("a", "b")))
    assert recalled == end


@pytest.mark.parametrize("behaviour", ["done", "fail"])
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
    agent: MakeAgent, spec: Callable[[], RunSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its warden is this process's own and does not end while it is led: nothing is gained by waiting for it.
    monkeypatch.setattr(attempt_folder, "claim", partial(claim, patience=0.1))

    async def main() -> tuple[RunEnd | None, RunEnd]:
        runner = agent("hang")
        handle = await runner.start(spec())
        recalled = await runner.recall(spec())
        return recalled, await handle.result()

    recalled, end = run(main())
    assert recalled is not None
    assert recalled.status == "lost"
    assert end.status != "ok"

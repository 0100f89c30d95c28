"""The real programs, under our runners, call the team's tools: what they say arrives, and so do answers."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests import programs
from tests.mcp.support import FakeListener, play, serving

from teamlead.core import facts as f
from teamlead.core.model import Question
from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec
from teamlead.ports.team import Letter, Team
from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.registry import runner_for
from teamlead.runners.script import check_script

SCRIPT = """
[[default]]
steps = [
  {team = "report_progress", input = {text = "I have begun"}},
  {team = "report_progress", input = {mood = "good"}},
  {ask = "Which colour?", options = ["red", "blue"]},
  {done = "it is {answer}"},
]
"""
PROMPT = "# task-1: A title\n\nThis is attempt 1.\n\nDo it."
PROGRAMS = {"claude": programs.claude, "codex": programs.codex}


@pytest.fixture(params=PROGRAMS)
def agent(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    monkeypatch.setenv(f"TEAMLEAD_{name.upper()}", str(PROGRAMS[name]()))
    # What is in the home of whoever runs the tests must make no difference.
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(variable, "none")
    return name


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Any:
    with ScriptedModel(check_script(SCRIPT, "script", "model")) as model:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.url)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{model.url}/v1")
        yield model


def spec(place: Path, team: Team) -> RunSpec:
    copy = place / "copy"
    subprocess.run(["git", "init", "--quiet", str(copy)], check=True)
    folder = place / "attempts" / "1"
    run = RunSpec(
        session="s1",
        task="task-1",
        attempt=1,
        role="worker",
        model="a-model",
        prompt=PROMPT,
        cwd=copy,
        folder=folder,
        hard_timeout=60.0,
        idle_timeout=60.0,
        slot=2,
    )
    return run._replace(home=place / "homes" / "task-1", team=team)


def test_a_real_agent_reports_is_corrected_asks_and_gets_its_answer_and_its_messages(
    agent: str, model: ScriptedModel, tmp_path: Path
) -> None:
    listener = FakeListener()

    async def scenario() -> RunEnd:
        listener.letters = [Letter("msg-1", "lead", "mind the gap")]
        async with serving(listener) as server:
            team = server.admit("task-1", 1)
            handle = await runner_for(agent).start(spec(tmp_path, team))
            while not listener.answers:
                listener.knocked.clear()
                await listener.knocked.wait()
            listener.answers["esc-1"].set_result("blue")
            return await handle.result()

    end = play(scenario())
    assert end.status == "ok"
    assert end.summary.endswith("blue")
    assert listener.facts == [
        f.Reported("task-1", 1, "I have begun"),
        f.MessagesTaken("task-1", 1, ("msg-1",)),
    ]
    assert list(listener.questions.values()) == [Question("Which colour?", ("red", "blue"))]
    heard = json.dumps(model.requests[-1].body)
    assert "mind the gap" in heard
    assert "unknown field `mood`" in heard
    assert "User's answer: blue" in heard


def test_a_real_agent_that_waits_too_long_for_its_answer_ends_its_turn(
    agent: str, model: ScriptedModel, tmp_path: Path
) -> None:
    listener = FakeListener()

    async def scenario() -> RunEnd:
        async with serving(listener, patience=0.01) as server:
            team = server.admit("task-1", 1)
            return await (await runner_for(agent).start(spec(tmp_path, team))).result()

    end = play(scenario())
    assert (end.status, listener.parked) == ("ok", ["esc-1"])
    assert end.summary.startswith("I have asked")


def test_a_token_appears_in_nothing_that_a_run_leaves_behind(
    agent: str, model: ScriptedModel, tmp_path: Path
) -> None:
    async def scenario() -> str:
        async with serving(FakeListener(), patience=0.01) as server:
            team = server.admit("task-1", 1)
            await (await runner_for(agent).start(spec(tmp_path, team))).result()
            return team.token

    token = play(scenario()).encode()
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(b"I have begun" in path.read_bytes() for path in left)
    assert [path for path in left if token in path.read_bytes()] == []


RESULT = (
    'status = "SUCCESS", summary = "It is blue.", findings = "`colour.txt:1` was empty.", '
    'references = [{item = "colour", place = "colour.txt:1", relevance = "what was asked for"}], '
    'confidence = 80, confidence_reason = "I read it", checklist = {references_valid = true, '
    "snippets_match = true, no_invented_paths = true, evidence_documented = true}"
)
HANDING_IN = f"""
[[default]]
steps = [
  {{team = "submit_result", input = {{{RESULT}}}}},
  {{team = "submit_result", input = {{{RESULT}, breakdown = {{verified = 90, inferred = 70}}}}}},
  {{done = "handed in"}},
]
"""


def test_a_real_agent_whose_result_breaks_a_rule_hears_which_and_mends_it_in_its_turn(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = FakeListener()

    async def scenario() -> RunEnd:
        async with serving(listener) as server:
            team = server.admit("task-1", 1)
            return await (await runner_for(agent).start(spec(tmp_path, team))).result()

    with ScriptedModel(check_script(HANDING_IN, "script", "model")) as model:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.url)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{model.url}/v1")
        end = play(scenario())
        heard = json.dumps(model.requests[-1].body)
    assert end.status == "ok"
    [fact] = listener.facts
    assert isinstance(fact, f.ResultSubmitted)
    assert fact.result.breakdown is not None
    assert fact.result.breakdown.mean == fact.result.confidence == 80
    assert "L1 confidence-breakdown: a confidence of 80 needs its breakdown" in heard


LEAVING = """
[[default]]
steps = [
  {team = "report_progress", input = {text = "I have begun"}},
  {team = "answer_shutdown", input = {request_id = "msg-7", approve = true, reason = "half of it is there"}},
  {done = "I leave"},
]
"""


def test_a_real_agent_that_is_asked_to_leave_hears_it_with_its_next_call_and_answers(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = FakeListener()
    listener.letters = [Letter("msg-7", "lead", "the session has ended", "shutdown_request")]

    async def scenario() -> RunEnd:
        async with serving(listener) as server:
            team = server.admit("task-1", 1)
            return await (await runner_for(agent).start(spec(tmp_path, team))).result()

    with ScriptedModel(check_script(LEAVING, "script", "model")) as model:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.url)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{model.url}/v1")
        end = play(scenario())
        heard = json.dumps(model.requests[-1].body)
    assert end.status == "ok"
    assert listener.facts == [
        f.Reported("task-1", 1, "I have begun"),
        f.MessagesTaken("task-1", 1, ("msg-7",)),
        f.ShutdownAnswered("task-1", 1, "msg-7", approve=True, reason="half of it is there"),
    ]
    assert "shutdown_request" in heard
    assert "End your turn now." in heard

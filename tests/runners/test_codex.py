"""What the real codex does under our runner, against the scripted model."""

import asyncio
import os
from pathlib import Path

import pytest
from tests.mcp.support import FakeListener, serving
from tests.runners.codex_support import PATCHING, PROMPT, Codex, codex, git, wait

from teamlead.core.facts import Reported
from teamlead.core.model import Budget, Tool, ToolPolicy, Usage
from teamlead.core.runs import RunEnd
from teamlead.errors import UsageError
from teamlead.runners.codex.runner import CodexRunner

__all__ = ["codex"]

WORK = """
{say = "Beginning"},
{write = "new/a.txt", text = "one\\n"},
{run = "echo two >> new/a.txt; exit 3"},
{usage = {input_tokens = 1234, output_tokens = 56}},
{done = "All done"},
"""
ODD_PROMPTS = [
    "-",
    "--help",
    "resume --last",
    "'single' \"double\" `back` $(touch pwned) ; | & > out \\ \\n",
    "ünïcödé 漢字 \U0001f600",
    "long " * 20_000,
]


@pytest.mark.parametrize("model", ["a-model", PATCHING])
def test_it_works_in_its_copy_and_tells_what_it_did_and_used(codex: Codex, model: str) -> None:
    end = codex.run(WORK, model=model)
    assert (end.status, end.summary, end.detail) == ("ok", "All done", "")
    assert (codex.copy / "new/a.txt").read_text() == "one\ntwo\n"
    assert (end.usage, end.tool_calls, end.turns) == (Usage(1434, 76), 2, 3)
    assert codex.events("tool_result")[-1]["exit_code"] == 3
    assert [event["text"] for event in codex.events("text")] == ["Beginning", "All done"]


def test_a_conversation_is_continued_and_its_usage_counted_once(codex: Codex) -> None:
    codex.follow('{touch = "first"}, {done = "one"}', '{touch = "second"}, {done = "two"}')
    first = codex.run()
    second = codex.run(attempt=2, conversation=first.conversation)
    assert (first.summary, second.summary) == ("one", "two")
    assert second.conversation == first.conversation
    assert (first.usage, second.usage) == (Usage(200, 20), Usage(200, 20))
    said = str(codex.asked()["input"])
    assert PROMPT.format(attempt=1) in said.replace("\\n", "\n")
    assert PROMPT.format(attempt=2) in said.replace("\\n", "\n")


def test_a_conversation_that_is_gone_is_lost(codex: Codex) -> None:
    end = codex.run('{done = "x"}', conversation="01a1e242-0a99-7962-84b3-008c6ce4f4cd")
    assert (end.status, end.conversation) == ("lost", "")


@pytest.mark.parametrize("text", ODD_PROMPTS, ids=[text[:10] for text in ODD_PROMPTS])
def test_any_prompt_arrives_intact(codex: Codex, text: str) -> None:
    prompt = f"{text}\n# task-1: {text}\n\n{text}"
    assert codex.run('{done = "read"}', prompt=prompt).summary == "read"
    assert codex.asked()["input"][-1]["content"][0]["text"] == prompt
    assert [path.name for path in codex.copy.iterdir()] == [".git"]


def test_model_effort_and_further_arguments_reach_it(codex: Codex) -> None:
    arguments = ("-c", 'model_verbosity="low"')
    codex.run('{done = "x"}', model=PATCHING, effort="high", arguments=arguments)
    asked = codex.asked()
    assert (asked["model"], asked["reasoning"]["effort"]) == (PATCHING, "high")
    assert asked["text"]["verbosity"] == "low"


@pytest.mark.parametrize("tools", [("edit", "shell"), ("read", "shell")], ids=["writes", "reads"])
def test_it_talks_to_its_team_while_it_works(codex: Codex, tools: tuple[Tool, ...]) -> None:
    codex.follow("""
        {team = "report_progress", input = {text = "half"}},
        {ask = "Which?", options = ["red", "blue"]},
        {done = "It is {answer}"},
    """)
    listener = FakeListener()

    async def main() -> RunEnd:
        async with serving(listener) as server:
            team = server.admit("task-1", 1)
            handle = await codex.runner.start(codex.spec(team=team, policy=ToolPolicy(tools=tools)))
            while not listener.answers:
                await listener.knocked.wait()
                listener.knocked.clear()
            listener.answers["esc-1"].set_result("blue")
            return await handle.result()

    end = wait(main())
    assert (end.status, end.summary.endswith("blue")) == ("ok", True)
    assert listener.facts == [Reported("task-1", 1, "half")]
    calls = [event["name"] for event in codex.events("tool_call")]
    assert calls == ["mcp__team__report_progress", "mcp__team__ask_human"]


def test_a_cancelled_run_leaves_no_process_in_mid_command(codex: Codex) -> None:
    os.mkfifo(codex.copy / "begun")
    codex.follow('{run = "echo > begun; sleep 600; touch late"}')

    async def main() -> RunEnd:
        handle = await codex.runner.start(codex.spec())
        await asyncio.to_thread((codex.copy / "begun").read_text)
        assert await handle.send("stop") is False
        await handle.cancel(4)
        return await handle.result()

    end = wait(main())
    assert (end.status, end.usage) == ("interrupted", Usage(100, 10))
    assert not (codex.copy / "late").exists()
    assert not [line for line in _command_lines() if str(codex.copy) in line]


def _command_lines() -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return found


def test_it_is_ended_when_it_has_used_up_its_budget(codex: Codex) -> None:
    endless = ", ".join(f'{{run = "touch file-{number}"}}' for number in range(100))
    end = codex.run(endless, budget=Budget(tokens=300))
    assert (end.status, "of 300 tokens" in end.detail) == ("budget", True)
    assert not (codex.copy / "file-99").exists()


def test_its_history_stays_as_it_was_and_the_lead_is_told_of_the_try(codex: Codex) -> None:
    before = git(codex.repository, "for-each-ref")
    end = codex.run('{touch = "file"}, {commit = "mine"}, {done = "done"}')
    assert (end.status, (codex.copy / "file").exists()) == ("ok", True)
    assert git(codex.repository, "for-each-ref") == before
    assert "Read-only file system" in end.denials[0]


def test_an_absent_program_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("TEAMLEAD_CODEX", raising=False)
    with pytest.raises(UsageError, match=r"no program 'codex'.*TEAMLEAD_CODEX"):
        CodexRunner().validate()
    assert not CodexRunner().capabilities.os_sandbox

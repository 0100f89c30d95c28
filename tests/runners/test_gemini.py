"""What the real gemini does under our runner, against the scripted model."""

import asyncio
import json
import os
from pathlib import Path

import pytest
from tests.mcp.support import FakeListener, serving
from tests.runners.gemini_support import PROMPT, Gemini, gemini, wait

from teamlead.core.facts import Reported
from teamlead.core.model import Budget, Tool, ToolPolicy, Usage
from teamlead.core.runs import AgentStatus, RunEnd
from teamlead.errors import Refused
from teamlead.ports.team import Team
from teamlead.runners.gemini.invocation import invocation

__all__ = ["gemini"]

pytestmark = pytest.mark.optional

WORK = """
{say = "Beginning"},
{write = "new/a.txt", text = "one\\n"},
{run = "echo two >> new/a.txt"},
{usage = {input_tokens = 1234, output_tokens = 56}},
{done = "All done"},
"""
ODD_PROMPT = """-p @/etc/passwd
# task-1: 'single' "double" `back` $(touch pwned) \\n

/help ünïcödé 漢字 \U0001f600"""


def test_it_works_in_its_copy_and_tells_what_it_did_and_used(gemini: Gemini) -> None:
    end = gemini.run(WORK)
    assert (end.status, end.summary, end.detail) == ("ok", "All done", "")
    assert (gemini.copy / "new/a.txt").read_text() == "one\ntwo\n"
    assert (end.usage, end.tool_calls, end.turns) == (Usage(1434, 76), 2, 3)


def test_a_conversation_is_continued_and_its_usage_counted_once(gemini: Gemini) -> None:
    gemini.follow('{touch = "first"}, {done = "one"}', '{touch = "second"}, {done = "two"}')
    first = gemini.run()
    second = gemini.run(attempt=2, conversation=first.conversation)
    assert (first.summary, second.summary) == ("one", "two")
    assert second.conversation == first.conversation
    assert (first.usage, second.usage) == (Usage(200, 20), Usage(200, 20))
    said = json.dumps(gemini.model.requests[-1].body["contents"])
    assert json.dumps(PROMPT.format(attempt=1)) in said
    assert json.dumps(PROMPT.format(attempt=2)) in said


def test_a_conversation_that_is_gone_is_lost(gemini: Gemini) -> None:
    end = gemini.run('{done = "x"}', conversation="01a1e242-0a99-7962-84b3-008c6ce4f4cd")
    assert (end.status, end.conversation) == ("lost", "")


def test_an_odd_prompt_arrives_intact(gemini: Gemini) -> None:
    assert gemini.run('{done = "read"}', prompt=ODD_PROMPT).summary == "read"
    parts = [part for content in gemini.model.requests[-1].body["contents"] for part in content["parts"]]
    assert ODD_PROMPT in [part.get("text") for part in parts]
    assert not list(gemini.copy.iterdir())


@pytest.mark.parametrize(
    "policy",
    [ToolPolicy(tools=("read", "search", "shell")), ToolPolicy(commands="audit")],
    ids=["without edit", "audit"],
)
def test_a_role_that_only_reads_changes_nothing(gemini: Gemini, policy: ToolPolicy) -> None:
    end = gemini.run(
        '{write = "written", text = "x"}, {run = "touch touched"}, {done = "tried"}', policy=policy
    )
    assert (end.status, end.summary) == ("ok", "tried")
    assert not list(gemini.copy.iterdir())
    assert [denial.partition(":")[0] for denial in end.denials] == ["write_file", "run_shell_command"]


def test_it_talks_to_its_team_while_it_works(gemini: Gemini) -> None:
    gemini.follow("""
        {team = "report_progress", input = {text = "half"}},
        {ask = "Which?", options = ["red", "blue"]},
        {done = "done"},
    """)
    listener = FakeListener()

    async def main() -> RunEnd:
        async with serving(listener) as server:
            team = server.admit("task-1", 1)
            tools: tuple[Tool, ...] = ("read",)
            handle = await gemini.runner.start(gemini.spec(team=team, policy=ToolPolicy(tools=tools)))
            while not listener.answers:
                await listener.knocked.wait()
                listener.knocked.clear()
            listener.answers["esc-1"].set_result("blue")
            return await handle.result()

    assert wait(main()).status == "ok"
    assert listener.facts == [Reported("task-1", 1, "half")]
    assert "blue" in gemini.events("tool_result")[-1]["output"]


def test_no_secret_is_in_its_arguments(gemini: Gemini) -> None:
    called = invocation(Path("gemini"), gemini.spec(team=Team("http://127.0.0.1:9/mcp", "the-token")))
    assert {"gm-secret", "the-token"} <= set(called.environment.values())
    assert not [word for word in called.argv if "gm-secret" in word or "the-token" in word]


@pytest.mark.parametrize("allowed", [False, True])
def test_the_settings_of_a_repository_take_effect_only_where_the_user_allows_it(
    gemini: Gemini, allowed: bool
) -> None:
    mark = gemini.place / "ran"
    hook = {"hooks": [{"type": "command", "name": "h", "command": f"touch {mark}-hook"}]}
    settings = {
        "mcpServers": {"team": {"command": "touch", "args": [f"{mark}-server"]}},
        "hooks": {"BeforeAgent": [hook]},
        "hooksConfig": {"enabled": True},
    }
    (gemini.copy / ".gemini").mkdir()
    (gemini.copy / ".gemini" / "settings.json").write_text(json.dumps(settings))
    (gemini.copy / ".env").write_text("FOREIGN=foreign\n")
    gemini.run('{run = "env > seen"}, {done = "x"}', own_settings=allowed)
    assert sorted(path.name for path in gemini.place.glob("ran*")) == (
        ["ran-hook", "ran-server"] if allowed else []
    )
    assert ("FOREIGN=foreign" in (gemini.copy / "seen").read_text()) is allowed


def test_variables_of_a_repository_which_it_would_read_are_refused(gemini: Gemini) -> None:
    (gemini.copy / ".gemini").mkdir()
    (gemini.copy / ".gemini" / ".env").write_text("FOREIGN=foreign\n")
    with pytest.raises(Refused, match=r"\.gemini/\.env"):
        gemini.run('{done = "x"}')


@pytest.mark.parametrize(
    ("step", "status", "told"),
    [
        ("{http = 401}", "denied", "401"),
        ("{http = 404}", "denied", "NOT_FOUND"),
        ("{http = 429, reset_in = 5000}", "limit", "RESOURCE_EXHAUSTED"),
        ("{http = 503}", "unavailable", "UNAVAILABLE"),
        ("{break_stream = true}", "unavailable", "terminated"),
        ('{fail = "no such field"}', "error", "no such field"),
    ],
)
def test_an_error_of_the_service_is_told_from_one_of_the_agent(
    gemini: Gemini, step: str, status: AgentStatus, told: str
) -> None:
    end = gemini.run(f'{{touch = "before"}}, {step}')
    assert (end.status, told in end.detail) == (status, True), end.detail
    assert (end.reset_at is not None) == (status == "limit")
    assert (end.usage, end.conversation != "") == (Usage(100, 10), True)


def test_a_service_that_never_answers_is_unavailable(gemini: Gemini) -> None:
    end = gemini.run("{silence = true}", idle_timeout=25.0)
    assert (end.status, end.detail) == ("unavailable", "no answer from its service for 25 s")


def test_it_is_ended_when_it_has_used_up_its_budget(gemini: Gemini) -> None:
    endless = ", ".join(f'{{run = "touch file-{number}"}}' for number in range(100))
    end = gemini.run(endless, budget=Budget(tokens=300))
    assert end.status == "budget"
    assert not (gemini.copy / "file-99").exists()


def test_a_cancelled_run_leaves_no_process_in_mid_command(gemini: Gemini) -> None:
    os.mkfifo(gemini.copy / "begun")
    gemini.follow('{run = "echo $$ > begun; sleep 600; touch late"}')

    async def main() -> tuple[RunEnd, int]:
        handle = await gemini.runner.start(gemini.spec())
        pid = int(await asyncio.to_thread((gemini.copy / "begun").read_text))
        await handle.cancel(4)
        return await handle.result(), pid

    end, pid = wait(main())
    assert end.status == "interrupted"
    assert not Path("/proc", str(pid)).exists()
    assert not (gemini.copy / "late").exists()

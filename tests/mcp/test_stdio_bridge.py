"""`teamlead mcp`: the team's tools for programs that reach MCP servers by a command only."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.support import FakeListener, call, play, serving

from teamlead.core.facts import Reported
from teamlead.mcp.http import MOST_BODY
from teamlead.ports.team import Team

TEAMLEAD = str(Path(sys.executable).with_name("teamlead"))
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
NOBODY = Team("http://127.0.0.1:1/mcp", "secret-of-the-attempt")


def environment(team: Team) -> dict[str, str]:
    return {**os.environ, "TEAMLEAD_TEAM_URL": team.url, "TEAMLEAD_TEAM_TOKEN": team.token}


def without(*names: str) -> dict[str, str]:
    return {name: value for name, value in environment(NOBODY).items() if name not in names}


class Bridged:
    """The bridge as a program sees it, a line at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, team: Team) -> "Bridged":
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            TEAMLEAD, "mcp", env=environment(team), stdin=pipe, stdout=pipe, limit=4 * MOST_BODY
        )
        return cls(process)

    async def send(self, message: object) -> None:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        await self.process.stdin.drain()

    async def answer(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(await self.process.stdout.readline())

    async def end(self) -> bytes:
        """What it still printed after the end of its input."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        rest = await self.process.stdout.read()
        assert await self.process.wait() == 0
        return rest


def test_each_line_is_answered_and_notifications_are_not() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            bridge = await Bridged.start(server.admit("task-1", 1))
            await bridge.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            await bridge.send(b"")
            await bridge.send(b"{")
            assert (await bridge.answer())["error"]["code"] == -32700
            await bridge.send(call("report_progress", 7, text="ünïcode"))
            assert (await bridge.answer())["id"] == 7
            await bridge.send([PING])
            assert (await bridge.answer())["error"]["code"] == -32600
            assert await bridge.end() == b""
        assert listener.facts == [Reported("task-1", 1, "ünïcode")]

    play(scenario())


def test_answers_that_are_due_at_the_end_of_the_input_still_come() -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            bridge = await Bridged.start(server.admit("task-1", 1))
            await bridge.send(PING)
            assert json.loads(await bridge.end()) == {"jsonrpc": "2.0", "id": 1, "result": {}}

    play(scenario())


def test_a_question_that_waits_blocks_neither_other_calls_nor_the_end() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            bridge = await Bridged.start(server.admit("task-1", 1))
            await bridge.send(call("ask_human", 5, question="which?"))
            await listener.knocked.wait()
            await bridge.send(PING)
            assert (await bridge.answer())["id"] == 1
            assert await bridge.end() == b""

    play(scenario())


def test_a_leader_that_ends_in_the_midst_of_a_call_is_told_as_gone() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            bridge = await Bridged.start(server.admit("task-1", 1))
            await bridge.send(call("ask_human", 5, question="which?"))
            await listener.knocked.wait()
        waiting = await bridge.answer()
        assert waiting["id"] == 5
        assert "the leader of this team is gone" in waiting["error"]["message"]
        await bridge.send(PING)
        assert "gone" in (await bridge.answer())["error"]["message"]
        assert await bridge.end() == b""

    play(scenario())


def test_a_refusal_by_http_becomes_an_answer_to_the_call() -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            bridge = await Bridged.start(team)
            await bridge.send(call("report_progress", 2, text="x" * 2 * MOST_BODY))
            large = await bridge.answer()
            assert large["id"] == 2
            assert "at most" in large["error"]["message"]
            server.dismiss(team)
            await bridge.send(call("report_progress", 3, text="late"))
            late = await bridge.answer()
            assert late["id"] == 3
            assert "this attempt has ended" in late["error"]["message"]
            assert await bridge.end() == b""

    play(scenario())


@pytest.mark.parametrize(
    ("env", "told"),
    [
        (without("TEAMLEAD_TEAM_URL", "TEAMLEAD_TEAM_TOKEN"), "TEAMLEAD_TEAM_URL is not set"),
        (without("TEAMLEAD_TEAM_TOKEN"), "TEAMLEAD_TEAM_TOKEN is not set"),
        (environment(NOBODY._replace(url="http://evil.example:80/mcp")), "'http://evil.example:80/mcp'"),
        (environment(NOBODY._replace(url="https://127.0.0.1:1/mcp")), "'https://127.0.0.1:1/mcp'"),
        (environment(NOBODY._replace(url="http://127.0.0.1/mcp")), "'http://127.0.0.1/mcp'"),
        (environment(NOBODY._replace(url="http://127.0.0.1@evil.example:1/mcp")), "evil.example"),
    ],
)
def test_without_a_team_on_this_machine_it_says_what_it_is_for(env: dict[str, str], told: str) -> None:
    done = subprocess.run([TEAMLEAD, "mcp"], env=env, input="", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "the lead" in done.stderr
    assert NOBODY.token not in done.stderr


def test_it_imports_nothing_heavy() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "teamlead", "mcp"]
    ping = json.dumps(PING)
    done = subprocess.run(
        command, env=environment(NOBODY), input=ping, capture_output=True, text=True, check=True
    )
    assert "gone" in done.stdout
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "teamlead.mcp.stdio_bridge" in imported
    heavy = {
        "asyncio",
        "msgspec",
        "h11",
        "mcp",
        "http.client",
        "email",
        "ssl",
        "urllib.request",
        "rich",
        "apsw",
    }
    assert not imported & heavy

"""A crowd that says nothing: it is bounded, and keeps no agent out."""

import asyncio
import os
import resource
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.mcp.support import FakeListener, Wire, play, serving

from teamlead.mcp import http
from teamlead.mcp.server import AT_ONCE, MOST_CONNECTIONS, PAUSE, TURNS_OF_STRANGERS
from teamlead.ports.team import Team

CROWD = Path(__file__).with_name("crowd.py")
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
MANY = 1000
MOST_STRANGERS = AT_ONCE * TURNS_OF_STRANGERS
LIMIT = 100
SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))


def address(team: Team) -> tuple[str, int]:
    host, port = team.url.removeprefix("http://").partition("/")[0].split(":")
    return host, int(port)


@asynccontextmanager
async def crowd(team: Team, count: int) -> AsyncIterator[asyncio.StreamReader]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, CROWD, str(address(team)[1]), str(count), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        process.kill()
        await process.communicate()


def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is dropped then was not dropped for its silence."""
    monkeypatch.setattr(http, "STRANGERS_DEADLINE", 3600.0)
    monkeypatch.setattr(http, "DEADLINE", 3600.0)


async def served(team: Team) -> bool:
    wire = await Wire.open(team)
    try:
        return (await wire.ask(PING))[0] == 200
    finally:
        wire.writer.close()
        Wire.opened.remove(wire)


def test_of_a_thousand_silent_strangers_all_but_a_few_are_dropped_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            guest = await Wire.open(team)
            assert (await guest.ask(PING))[0] == 200
            async with crowd(team, MANY * SIZE) as told:
                while int(await told.readline()) > MOST_STRANGERS:
                    assert await served(team)
                assert len(server._open) == MOST_STRANGERS + 1
                assert (await guest.ask(PING))[0] == 200, "a guest had to go for strangers"

    patient(monkeypatch)
    play(scenario())


def test_agents_are_heard_in_the_midst_of_a_crowd_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            async with crowd(team, 0) as told:
                for _ in range(100):
                    assert await served(team)
                    await told.readline()
                assert len(server._open) <= MOST_STRANGERS

    patient(monkeypatch)
    # On a busy machine the crowd gets most of the time.
    play(scenario(), patience=100)


def test_a_crowd_leaves_most_of_few_descriptors_to_the_leader(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            async with crowd(team, 200) as told:
                while int(await told.readline()) > LIMIT // 4:
                    assert await served(team)
                for free in [os.dup(0) for _ in range(LIMIT // 3)]:
                    os.close(free)

    patient(monkeypatch)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, hard))
    try:
        play(scenario())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_stranger_has_less_time_than_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            stranger = await Wire.open(server.admit("task-1", 1))
            await stranger.send(b"POST /mcp HTTP/1.1\r\n")
            assert await stranger.reader.read() == b""

    patient(monkeypatch)
    monkeypatch.setattr(http, "STRANGERS_DEADLINE", 0.05)
    play(scenario())


def test_an_agent_with_all_its_connections_may_ask_again_on_each_of_them() -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            wires = [await Wire.open(team) for _ in range(MOST_CONNECTIONS)]
            for wire in wires * 3:
                assert (await wire.ask(PING))[0] == 200

    play(scenario())


def test_a_server_out_of_descriptors_serves_again_when_there_are_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            found: list[bool] = []

            def have_some_again() -> None:
                assert server._arrivals is not None
                found.append(server._arrivals._later is not None)
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

            # Without a turn of the loop in between: it waits in the system's own queue.
            with socket.create_connection(address(team)) as stranger:
                stranger.setblocking(False)
                resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free_descriptor(), hard))
                asyncio.get_running_loop().call_later(PAUSE / 2, have_some_again)
                assert await asyncio.get_running_loop().sock_recv(stranger, 1) == b""
            assert found == [True], "there were enough of them all the time"
            assert await served(team)

    monkeypatch.setattr(http, "STRANGERS_DEADLINE", 0.05)
    play(scenario())


def lowest_free_descriptor() -> int:
    found = os.dup(0)
    os.close(found)
    return found

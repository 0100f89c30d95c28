"""Who may not speak with the team, and how: nothing of it is recorded, and nobody else is kept waiting."""

import asyncio
from typing import Any

import pytest
from tests.mcp.support import FakeListener, Wire, call, play, said, serving

from teamlead.core.facts import Reported
from teamlead.mcp import http
from teamlead.mcp.server import MOST_CONNECTIONS
from teamlead.ports.team import Letter, TaskLine

PROGRESS = call("report_progress", text="begun")
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
BAD_TOKENS = [
    "Bearer wrong",
    "Bearer",
    "Bearer ",
    "Basic {token}",
    "{token}",
    "Bearer {token}x",
    "Bearer \xe9",
]
DEEP = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"


async def turned_away(**options: Any) -> int:
    """The status of one such request; nothing of it may be recorded, and the next visitor is served."""
    listener = FakeListener()
    async with serving(listener) as server:
        team = server.admit("task-1", 1)
        stranger = await Wire.open(team)
        filled = {
            name: value.format(token=team.token) if isinstance(value, str) else value
            for name, value in options.items()
        }
        status, body = await stranger.ask(PROGRESS, **filled)
        assert body is None or "error" in body
        assert await stranger.reader.read() == b"", "the connection stays open"
        assert listener.facts == []
        guest = await Wire.open(team)
        assert (await guest.call("report_progress", text="mine"))["isError"] is False
        assert listener.facts == [Reported("task-1", 1, "mine")]
    return status


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "PUT", "OPTIONS"])
@pytest.mark.parametrize("target", ["/mcp", "/", "/.well-known/oauth-protected-resource"])
@pytest.mark.parametrize(
    "wrong",
    [
        *(
            {"Host": host}
            for host in ["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "[::1]:80", ""]
        ),
        *({"Origin": origin} for origin in ["http://127.0.0.1", "http://evil.example", "null", ""]),
    ],
)
def test_another_host_or_any_origin_is_forbidden_on_every_route(
    method: str, target: str, wrong: dict[str, str]
) -> None:
    assert play(turned_away(method=method, target=target, **wrong)) == 403


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
@pytest.mark.parametrize("authorization", [None, *BAD_TOKENS])
def test_without_its_token_nobody_is_heard(method: str, authorization: str | None) -> None:
    assert play(turned_away(method=method, Authorization=authorization)) == 401


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({"target": "/other"}, 404),
        ({"target": "/mcp?token=x"}, 404),
        ({"method": "GET"}, 405),
        ({"method": "PUT"}, 405),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": None}, 415),
        ({"Content_Length": str(http.MOST_BODY + 1)}, 413),
        ({"MCP_Protocol_Version": "1999-01-01"}, 400),
        ({"Content_Length": "-1"}, 400),
        ({"Content_Length": "9" * 5000}, 400),
        ({"X_Long": "x" * 2 * http.MOST_HEADER}, 431),
        ({"method": "P(ST"}, 400),
    ],
)
def test_what_is_no_message_is_turned_away_with_its_reason(
    options: dict[str, str | None], status: int
) -> None:
    assert play(turned_away(**options)) == status


def test_the_end_of_a_session_is_taken_note_of_politely() -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            assert await wire.ask(method="DELETE") == (204, None)

    play(scenario())


def test_a_token_is_worth_nothing_once_its_attempt_is_dismissed() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            stale, live = server.admit("task-1", 1), server.admit("task-1", 2)
            asking = await Wire.open(stale)
            await asking.send(asking.request(call("ask_human", question="which?")))
            await listener.knocked.wait()
            server.dismiss(stale)
            assert await asking.reader.read() == b"", "what it waited for is not given up"
            late = await Wire.open(stale)
            status, _ = await late.ask(PROGRESS)
            assert status == 401
            assert (await (await Wire.open(live)).call("report_progress", text="begun"))["isError"] is False
        assert listener.facts == [Reported("task-1", 2, "begun")]

    play(scenario())


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, -32700),
        (b"{", 400, -32700),
        (b"\xff\xfe", 400, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}', 400, -32700),
        (DEEP, 400, -32700),
        (b"[]", 400, -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600),
        (b"7", 400, -32600),
        (b'{"id":1,"method":"ping"}', 400, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600),
        (b'{"jsonrpc":"2.0","id":1' + b"0" * 40 + b',"method":"ping"}', 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"server/discover"}', 200, -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200, -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', 200, -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":[]}}', 200, -32602),
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
def test_a_broken_message_is_an_error_and_the_connection_goes_on(body: bytes, status: int, code: int) -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            answer = await wire.ask(body)
            assert (answer[0], answer[1]["error"]["code"]) == (status, code)
            assert await wire.ask(PING) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})
        assert listener.facts == []

    play(scenario())


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "report_progress"}},
        {"jsonrpc": "2.0", "id": 3, "result": {}},
    ],
)
def test_what_asks_for_no_answer_gets_none(message: dict[str, object]) -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            assert await wire.ask(message) == (202, None)
        assert listener.facts == []

    play(scenario())


def test_pipelined_requests_are_answered_in_their_order() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            calls = [call("report_progress", number, text=str(number)) for number in range(50)]
            await wire.send(b"".join(map(wire.request, calls)))
            answers = [await wire.answer() for _ in calls]
        assert [body["id"] for _, body in answers] == list(range(50))
        assert listener.facts == [Reported("task-1", 1, str(number)) for number in range(50)]

    play(scenario())


def test_a_body_may_come_in_chunks_and_byte_by_byte() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            whole = wire.request(PROGRESS, Content_Length=None, Transfer_Encoding="chunked")
            head, _, body = whole.partition(b"\r\n\r\n")
            chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
            for byte in head + b"\r\n\r\n" + chunks + b"0\r\n\r\n":
                await wire.send(bytes([byte]))
            assert (await wire.answer())[0] == 200
        assert listener.facts == [Reported("task-1", 1, "begun")]

    play(scenario())


def test_a_body_in_chunks_without_end_is_cut_off() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            await wire.send(wire.request(Content_Length=None, Transfer_Encoding="chunked"))
            chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
            for _ in range(http.MOST_BODY // 0x10000 + 1):
                await wire.send(chunk)
            assert (await wire.answer())[0] == 413
        assert listener.facts == []

    play(scenario())


def test_who_waits_to_be_asked_for_the_body_is_asked() -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            head, _, body = wire.request(PING, Expect="100-continue").partition(b"\r\n\r\n")
            await wire.send(head + b"\r\n\r\n")
            assert (await wire.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100")
            await wire.send(body)
            assert (await wire.answer())[0] == 200

    play(scenario())


@pytest.mark.parametrize("sent", ["", "POST /mcp HTTP/1.1\r\nHost: x", "body"])
def test_a_client_that_does_not_go_on_is_dropped(sent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            await wire.send(wire.request(PING)[:-1] if sent == "body" else sent.encode())
            assert await wire.reader.read() == b""

    monkeypatch.setattr(http, "DEADLINE", 0.05)
    play(scenario())


def test_a_client_that_never_reads_its_answers_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    async def flood(wire: Wire) -> None:
        request = wire.request({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        while True:
            await wire.send(request)
            # The server must not be late because of us.
            await asyncio.sleep(0)

    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            wire.reader._transport.pause_reading()  # type: ignore[attr-defined]
            with pytest.raises(ConnectionError):
                await flood(wire)

    monkeypatch.setattr(http, "DEADLINE", 0.5)
    play(scenario())


def test_a_long_answer_arrives_whole_though_the_connection_ends_with_it() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        listener.lines = [TaskLine(f"task-{n}", "x" * 50_000, "working", "worker", "") for n in range(100)]
        async with serving(listener) as server:
            wire = await Wire.open(server.admit("task-1", 1))
            await wire.send(wire.request(call("list_tasks"), Connection="close"))
            status, body = await wire.answer()
            assert (status, len(said(body["result"])[0].splitlines())) == (200, 100)
            assert await wire.reader.read() == b""

    play(scenario())


def test_a_guest_may_be_silent_for_longer_than_a_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            guest, stranger = await Wire.open(team), await Wire.open(team)
            assert (await guest.ask(PING))[0] == 200
            assert await stranger.reader.read() == b""
            assert (await guest.ask(PING))[0] == 200

    monkeypatch.setattr(http, "DEADLINE", 0.05)
    play(scenario())


def test_silent_strangers_keep_nobody_out() -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            guest = await Wire.open(team)
            assert (await guest.ask(PING))[0] == 200
            crowd = [await Wire.open(team) for _ in range(3 * MOST_CONNECTIONS)]
            assert (await (await Wire.open(team)).ask(PING))[0] == 200
            assert await crowd[0].reader.read() == b"", "the first of them still has its place"
            assert (await guest.ask(PING))[0] == 200, "a guest had to go for strangers"
            for wire in crowd:
                wire.writer.close()

    play(scenario())


def test_an_agent_with_too_many_connections_loses_its_own_oldest() -> None:
    async def scenario() -> None:
        async with serving(FakeListener()) as server:
            greedy, modest = server.admit("task-1", 1), server.admit("task-2", 1)
            other = await Wire.open(modest)
            assert (await other.ask(PING))[0] == 200
            first = await Wire.open(greedy)
            assert (await first.ask(PING))[0] == 200
            for _ in range(MOST_CONNECTIONS + 1):
                assert (await (await Wire.open(greedy)).ask(PING))[0] == 200
            assert await first.reader.read() == b""
            assert (await other.ask(PING))[0] == 200

    play(scenario())


def test_a_call_repeated_after_a_broken_connection_asks_nobody_twice() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            team = server.admit("task-1", 1)
            asking = call("ask_human", 5, question="which?")
            broken = await Wire.open(team)
            await broken.send(broken.request(asking))
            await listener.knocked.wait()
            broken.writer.transport.abort()
            again = await Wire.open(team)
            await again.send(again.request(asking))
            listener.answers["esc-1"].set_result("blue")
            assert (await again.answer())[1]["result"]["content"][0]["text"] == "User's answer: blue"
            assert len(listener.questions) == 1
            # A client that starts anew counts from the start again: another question is another one.
            other = await Wire.open(team)
            listener.knocked.clear()
            await other.send(other.request(call("ask_human", 5, question="when?")))
            await listener.knocked.wait()
            assert len(listener.questions) == 2

    play(scenario())


def test_messages_for_an_agent_that_went_away_stay_unread() -> None:
    async def scenario() -> None:
        listener = FakeListener()
        async with serving(listener) as server:
            team = server.admit("task-1", 1)
            gone, back = await Wire.open(team), await Wire.open(team)
            listener.gate.clear()
            await gone.send(gone.request(PROGRESS))
            await listener.knocked.wait()
            listener.letters = [Letter("msg-1", "lead", "hurry")]
            gone.writer.close()
            await gone.writer.wait_closed()
            # Its end has arrived by the time that somebody else was served.
            assert (await back.ask(PING))[0] == 200
            listener.gate.set()
            assert "hurry" in said(await back.call("read_messages"))[1]

    play(scenario())

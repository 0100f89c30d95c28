"""Requests damaged at random: whatever comes of them, the server goes on and no fault of its own shows."""

import asyncio
import gc
import os
import random
from typing import Any

from tests.mcp.support import PATIENCE, FakeListener, Wire, call, play, serving

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
SEED = int(os.environ.get("TEAMLEAD_TEST_SEED", "0")) or random.SystemRandom().randrange(2**32)
PIECES = [
    b"\r\n",
    b"\r\n\r\n",
    b"\0",
    b" ",
    b":",
    b"\xff",
    b"0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"}" * 9,
]


def damaged(whole: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(whole) + 1)
        match dice.randrange(4):
            case 0:
                whole = whole[:at] + dice.choice(PIECES) + whole[at:]
            case 1:
                whole = whole[:at] + whole[at + dice.randint(1, 20) :]
            case 2:
                whole = whole[:at] + dice.randbytes(dice.randint(1, 5)) + whole[at:]
            case 3:
                whole = whole[:at] + whole[: dice.randrange(len(whole) + 1)]
    return whole


def test_no_damaged_request_hurts_the_server_or_anybody_else() -> None:
    dice = random.Random(SEED)
    faults: list[dict[str, Any]] = []

    async def visit(wire: Wire, sent: bytes) -> bytes:
        await wire.send(sent)
        wire.writer.write_eof()
        return await wire.reader.read()

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            guest = await Wire.open(team)
            await guest.call("report_progress", text="here")
            answers = []
            for number in range(200 * SIZE):
                wire = await Wire.open(team)
                whole = wire.request(call("report_progress", number, text="begun"))
                # Between them some that are whole, and have to be answered as ever.
                answers.append(await visit(wire, damaged(whole, dice) if number % 20 else whole))
                wire.writer.close()
            assert all(b"Recorded." in answer for answer in answers[::20])
            assert any(answer.startswith(b"HTTP/1.1 4") for answer in answers), "none was refused"
            assert all(not answer or answer.startswith(b"HTTP/1.1 ") for answer in answers)
            # 501 is about the request: it has several transfer encodings, or one that there is not.
            own_faults = [answer for answer in answers if answer.startswith(b"HTTP/1.1 5")]
            assert all(answer.startswith(b"HTTP/1.1 501") for answer in own_faults)
            assert (await guest.call("report_progress", text="still here"))["isError"] is False
        gc.collect()

    play(scenario(), PATIENCE * SIZE)
    assert faults == [], f"TEAMLEAD_TEST_SEED={SEED}"

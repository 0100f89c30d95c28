"""`driver.py REQUEST`: starts programs in a room, one after another, and prints how they ended, as JSON.

What they say is told at once on stderr.

A process of its own, so that a test may start rooms as another user, whose Python has nothing but us.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from teamlead.errors import Failed
from teamlead.ports.rooms import House, Room
from teamlead.system.processes import spawn
from teamlead.system.program_streams import Lines
from teamlead.system.rooms import availability, bubblewrap
from teamlead.system.rooms.mounts import Mount

PATIENCE = 60


def read_room(request: dict[str, Any]) -> Room:
    return Room(**_values({**request["room"], "house": House(**_values(request["house"]))}))


def _values(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: _value(value) for name, value in fields.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_value(one) for one in value)
    if isinstance(value, str) and ("/" in value or value.startswith(("~", "."))):
        return Path(value)
    return value


async def run(argv: list[str], request: dict[str, Any]) -> dict[str, Any]:
    lines: list[str] = []
    said = asyncio.Event()

    def hear(line: bytes) -> None:
        lines.append(line.decode())
        print(lines[-1], file=sys.stderr, flush=True)
        said.set()

    room: Room | None = read_room(request)
    assert room
    cwd = Path(request.get("cwd") or room.copy)
    if request.get("nowhere"):
        room = None
    env = {**os.environ, **request.get("env", {})}
    try:
        process = await spawn(
            argv,
            cwd=cwd,
            env=env,
            stdout=Lines(hear),
            hard_timeout=request.get("hard_timeout", 0.0),
            room=room,
        )
    except Failed as error:
        return {"failed": str(error)}
    async with asyncio.timeout(PATIENCE):
        if "cancel" in request:
            await said.wait()
            await process.cancel(request["cancel"])
        ended = await process.wait()
    return {"code": ended.exit_code, "lines": lines, "entered": ended.entered}


def _mutate(without: Sequence[str] = (), extra: Sequence[str] = ()) -> None:
    """A room that is broken, so that tests can show that they would notice."""
    real = bubblewrap.arguments

    def arguments(program: str, room: Room, mounts: Iterable[Mount], cwd: str) -> list[str]:
        words = [word for word in real(program, room, mounts, cwd) if word not in without]
        place = words.index("--chdir")
        return [*words[:place], *extra, *words[place:]]

    bubblewrap.arguments = arguments


async def main(request: dict[str, Any]) -> None:
    # A suite in the background ignores it, and so would what we start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    availability._known[:] = [availability.means()._replace(**request.get("means", {}))]
    _mutate(**request.get("mutant", {}))
    print(json.dumps([await run(argv, request) for argv in request["runs"]]))


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))

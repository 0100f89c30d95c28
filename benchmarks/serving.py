"""A process that holds what every leader holds, and then serves the team's tools, in our way or the official.

`python -m benchmarks.serving ours|official`: prints one line of JSON as soon as it listens.
"""

import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import Sequence

from benchmarks.agents import resident

import teamlead.engine.leader  # noqa: F401 - what a leader has loaded anyway
from teamlead.core.facts import AnyFact
from teamlead.core.model import Question
from teamlead.ports.team import Letter, TaskLine


class Nobody:
    """Listens, and writes nothing down: what is measured is the way there."""

    async def put(self, fact: AnyFact) -> None:
        pass

    async def ask(self, task: str, attempt: int, question: Question, call: str) -> str:  # noqa: ARG002 - as asked for
        return "esc-1"

    async def answer(self, escalation: str, patience: float) -> str | None:  # noqa: ARG002 - as above
        return None

    async def unread(self, task: str) -> Sequence[Letter]:  # noqa: ARG002 - as above
        return ()

    async def tasks(self) -> Sequence[TaskLine]:
        return ()


async def ours(begun: float, before: float) -> None:
    from teamlead.mcp.server import TeamServer  # noqa: PLC0415 - what it costs is measured

    server = TeamServer(Nobody())
    await server.start()
    team = server.admit("task-1", 1)
    announce(int(team.url.rpartition(":")[2].partition("/")[0]), team.token, begun, before)
    await asyncio.Event().wait()


async def official(begun: float, before: float) -> None:
    import uvicorn  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - as above
    from mcp.server.mcpserver import MCPServer  # noqa: PLC0415 - as above

    team = MCPServer("team", log_level="ERROR")

    def report_progress(text: str) -> str:  # noqa: ARG001 - the shape is made of it
        return "Recorded."

    team.tool()(report_progress)
    # asyncio sends small answers at once only where it can see that it is TCP.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    app = team.streamable_http_app(json_response=True, stateless_http=True)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:  # noqa: ASYNC110 - it tells nobody else
        await asyncio.sleep(0.001)
    announce(listening.getsockname()[1], "", begun, before)
    await serving


def announce(port: int, token: str, begun: float, before: float) -> None:
    seconds = time.perf_counter() - begun
    print(json.dumps({"port": port, "token": token, "seconds": seconds, "before": before}), flush=True)


if __name__ == "__main__":
    serve = {"ours": ours, "official": official}[sys.argv[1]]
    asyncio.run(serve(time.perf_counter(), resident(os.getpid())))

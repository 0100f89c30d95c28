"""The team's MCP server, against one made with the official package; the bridge, against `python -c pass`.

`python -m benchmarks.team [--calls N] [--rounds N]`
"""

import argparse
import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any, NamedTuple

from benchmarks.agents import resident
from benchmarks.startup import TEAMLEAD, environment, timed
from benchmarks.support import Goal, in_turns, ratio, scratch, told

PARAMS = {"name": "report_progress", "arguments": {"text": "begun"}}
BODY = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": PARAMS}).encode()
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-06-18",
}


class Round(NamedTuple):
    until_it_listens: float
    """Milliseconds, from nothing of it imported."""
    a_call: float
    """Milliseconds, in the median."""
    memory_it_adds: float
    """Megabytes, after all calls."""


GOALS = {
    "until_it_listens": ("ms", Goal(0.2)),
    "a_call": ("ms", Goal(0.5)),
    "memory_it_adds": ("MB", Goal(0.2)),
}


@contextmanager
def served(kind: str) -> Iterator[tuple[int, dict[str, Any]]]:
    argv = [sys.executable, "-m", "benchmarks.serving", kind]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.pid, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


def measure(kind: str, calls: int) -> Round:
    with served(kind) as (pid, server):
        connection = http.client.HTTPConnection("127.0.0.1", server["port"])
        headers = {**HEADERS, "Authorization": f"Bearer {server['token']}"}
        found = []
        for _ in range(calls):
            begun = time.perf_counter()
            connection.request("POST", "/mcp", BODY, headers)
            answer = connection.getresponse().read()
            found.append(time.perf_counter() - begun)
            assert b'"text":"Recorded."' in answer, answer
        connection.close()
        return Round(server["seconds"] * 1e3, median(found) * 1e3, resident(pid) - server["before"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    pairs = [
        (measure("ours", options.calls), measure("official", options.calls)) for _ in range(options.rounds)
    ]
    for what, (unit, goal) in GOALS.items():
        ours, theirs = ([getattr(one, what) for one in side] for side in zip(*pairs, strict=True))
        detail = f"{median(ours):.2f} {unit} against {median(theirs):.2f} {unit} of the official package"
        told(what.replace("_", " "), ratio(ours, theirs), goal, detail)
    with scratch() as folder:
        team = {"TEAMLEAD_TEAM_URL": "http://127.0.0.1:1/mcp", "TEAMLEAD_TEAM_TOKEN": "none"}
        env = {**environment(folder), **team}
        bridge, nothing = in_turns(
            3 * options.rounds,
            timed([TEAMLEAD, "mcp"], folder, env),
            timed([sys.executable, "-c", "pass"], folder, env),
        )
    told("teamlead mcp, until it reads", ratio(bridge, nothing), Goal(6), "against `python -c pass`")


if __name__ == "__main__":
    main()

"""The leader may have all descriptors that it is allowed; what it starts has as many as the user gave it."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import asyncio, os, resource, sys
from pathlib import Path
from teamlead.system import processes
from teamlead.system.process_limits import raise_limit
from teamlead.system.program_streams import Lines

async def scenario():
    raise_limit()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    processes._wardens = processes._wardens and sys.argv[1] == "wardens"
    lines = []
    ulimit = ["/bin/sh", "-c", "ulimit -Sn"]
    process = await processes.spawn(ulimit, cwd=Path("/"), env=dict(os.environ), stdout=Lines(lines.append))
    await process.wait()
    print(soft == hard, lines[0].decode(), resource.getrlimit(resource.RLIMIT_NOFILE)[0] == soft)

asyncio.run(scenario())
"""


@pytest.mark.parametrize("how", ["wardens", "groups"])
def test_programs_keep_the_limit_that_the_leader_raised_for_itself(how: str) -> None:
    command = ["/bin/sh", "-c", 'ulimit -Sn 200; exec "$@"', "sh", sys.executable, "-c", SCRIPT, how]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True 200 True\n", "")

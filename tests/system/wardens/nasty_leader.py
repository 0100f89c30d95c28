"""A leader that starts a program under a warden, and passes on what it says.

`nasty_leader.py hold ORDER...`: holds a nasty tree, and has a fork that outlives it.
`nasty_leader.py die COUNT`: leaders that are killed at ever another moment after they started a quick tree.
`nasty_leader.py git FOLDER`: a leader at work with git, whose filter never ends.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from teamlead.system.git import Git, UserSettings
from teamlead.system.processes import Process, prepare, spawn
from teamlead.system.program_streams import Lines
from teamlead.system.warden_client import _current, _nursery_mark

TREE = Path(__file__).with_name("nasty_tree.py")
QUICK = "(setsid sleep 60 &); setsid sh -c 'sleep 60 & sleep 60' & trap '' TERM INT; sleep 60"
LONGEST = 0.03


async def start(*argv: str) -> Process:
    output = Lines(lambda line: print(line.decode(), flush=True))
    return await spawn(argv, cwd=Path("/"), env=os.environ, stdout=output)


async def hold(*orders: str) -> None:
    print(_nursery_mark(), flush=True)
    process = await start(sys.executable, str(TREE), *orders)
    print(f"nursery {_current().pid}", flush=True)
    if not (fork := os.fork()):
        # It has all descriptors of the leader that forks keep; the test ends it.
        signal.alarm(60)
        signal.pause()
    print(f"fork {fork}", flush=True)
    await process.wait()


async def die(after: float, *, warm: bool) -> None:
    if warm:
        await (await start("/bin/true")).wait()
    asyncio.get_running_loop().call_later(after, os.kill, os.getpid(), signal.SIGKILL)
    await (await start("/bin/sh", "-c", QUICK)).wait()


def die_often(count: int) -> None:
    for number in range(count):
        leader = os.fork()
        if not leader:
            asyncio.run(die(LONGEST * number / count, warm=number % 4 != 0))
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(leader, 0)[1]) == -signal.SIGKILL


def work(folder: str) -> None:
    prepare()
    Git(Path(folder, ".git"), Path(folder), UserSettings()).run("add", "file.txt")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["hold", *orders]:
            asyncio.run(hold(*orders))
        case ["die", count]:
            die_often(int(count))
        case ["git", folder]:
            work(folder)

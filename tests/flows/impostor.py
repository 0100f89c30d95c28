"""An agent's own program that calls teamlead as if it were the person.

`impostor.py CALLS RESULTS`: CALLS is a JSON list of command lines; to RESULTS goes, for each, its exit code
and what it complained about. With `leaving` as a third word it first leaves whoever started it, as a daemon.
"""

import json
import os
import subprocess
import sys
from pathlib import Path


def leave() -> None:
    """Forks twice, in a session of its own, and goes on once its parent is gone."""
    if os.fork():
        os._exit(0)
    os.setsid()
    parent = os.getpid()
    if os.fork():
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    while os.getppid() == parent:
        os.sched_yield()


def call(arguments: list[str]) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "teamlead", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


if __name__ == "__main__":
    calls, results, *how = sys.argv[1:]
    if how:
        leave()
    found = [call(each) for each in json.loads(Path(calls).read_text())]
    whole = Path(f"{results}.part")
    whole.write_text(json.dumps(found))
    whole.rename(results)

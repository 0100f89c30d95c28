"""How long after an event `teamlead watch` shows it.

`python -m benchmarks.watch [--events N]`
"""

import argparse
import asyncio
import json
import os
import subprocess
import time
from pathlib import Path
from statistics import median

from benchmarks.sessions import Session
from benchmarks.startup import SESSION, TEAMLEAD, environment, repository_with
from benchmarks.support import Goal, scratch, told

from teamlead.core.events import QuestionsAllowed
from teamlead.journal.lease import acquire
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Rows, Stamped
from teamlead.system.repository import discover
from teamlead.system.sessions import sessions_folder
from teamlead.views.moments import iso

PAUSE = 0.05
"""Seconds between events, so that each is noticed on its own."""


def delays(root: Path, env: dict[str, str], events: int) -> list[float]:
    """Seconds from just before each commit to its line on the other side of a pipe."""
    session = Session(sessions_folder(discover(root)) / SESSION)
    found = []
    with acquire(session.folder, "benchmark"):
        journal = SqliteJournal.open(session.journal)
        since = str(journal.last_seq)
        watching = subprocess.Popen(
            [TEAMLEAD, "watch", "--json", "--since", since], cwd=root, env=env, stdout=subprocess.PIPE
        )
        assert watching.stdout is not None
        try:
            for number in range(events + 1):
                now = time.time()
                asyncio.run(journal.commit(Commit([Stamped(now, QuestionsAllowed(1))], Rows(), (), True)))
                assert json.loads(watching.stdout.readline())["at"] == iso(now)
                # The first one also waits for the program to start.
                if number:
                    found.append(time.time() - now)
                time.sleep(PAUSE)
        finally:
            watching.kill()
            watching.wait()
            journal.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100)
    options = parser.parse_args()
    with scratch() as folder:
        env = environment(folder)
        os.environ["XDG_STATE_HOME"] = env["XDG_STATE_HOME"]
        found = delays(repository_with(folder, 10), env, options.events)
        goal = Goal(100, " ms")
        told("watch shows an event after, median", median(found) * 1e3, goal)
        told("watch shows an event after, at most", max(found) * 1e3, goal)


if __name__ == "__main__":
    main()

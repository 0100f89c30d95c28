"""Two terminals in one repository, doing whatever comes to mind at the same time.

Every command ends, with an exit code that is documented; every session ends in a state that is legal; nothing is
approved twice, and the user's branch holds exactly what was approved. A failure prints its seed.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from tests.flows.support import Ended, Project, Running, ask, fail, until, write

from teamlead.core.state import TeamState
from teamlead.system.sessions import SessionFolder
from teamlead.wiring.reading import read_state

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
ROUNDS = 40 * SIZE
"""Commands of each terminal."""
DOCUMENTED = {0, 1, 2, 3, 4, 5, 130}
KILLED = -signal.SIGKILL


class Done(NamedTuple):
    command: tuple[str, ...]
    ended: Ended


class Terminal:
    """Somebody who does one thing after the other, and sometimes loses patience."""

    def __init__(self, project: Project, seed: str) -> None:
        self._project = project
        self._random = Random(seed)
        self.done: list[Done] = []

    def play(self) -> None:
        for _ in range(ROUNDS):
            command = self._command()
            running = self._project.background(*command)
            if command[0] in {"start", "resume"} and self._random.random() < 0.3:
                self._lose_patience(running)
            self.done.append(Done(command, running.end()))

    def _command(self) -> tuple[str, ...]:
        names = [path.name for path in self._project.sessions]
        if not names or self._random.random() < 0.3:
            return ("start", *self._random.choice(PLANS)(self._project), *self._start_options())
        name = self._random.choice(names[-4:])
        return self._random.choice(
            [
                ("resume", name),
                ("resume", name),
                ("cancel", name),
                ("approve", name),
                ("approve", name, "--squash"),
                ("reject", name),
                ("resolve", name, "--resolution", "skip"),
                ("status", name, "--json"),
                ("list",),
                ("clean", "--yes"),
                ("clean", "--yes", "--keep", "3"),
                ("salvage", "list"),
            ]
        )

    def _start_options(self) -> list[str]:
        return self._random.choice([["--approve"], [], ["--jobs", "1"], ["--detach"]])

    def _lose_patience(self, running: Running) -> None:
        number = self._random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        try:
            running.process.wait(self._random.random())
        except subprocess.TimeoutExpired:
            running.send(number)

"""The zygote of the sweep: its commands know the sweep's agent, and meet faults and planted bugs."""

import os
import signal
import subprocess
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.sweep.bugs import BUGS
from tests.zygote import call_program, serve

from teamlead.ports.runner import RunHandle, RunSpec
from teamlead.runners import registry
from teamlead.runners.program import Dialect, Invocation, launch
from teamlead.runners.scripted import ScriptedRunner
from teamlead.system import faults, git

ORPHAN = "orphan"


class SmallAgent(ScriptedRunner):
    """`sweep:FOLDER`: the agent of the sweep, with its marks in FOLDER."""

    def validate(self) -> None:
        pass

    async def start(self, spec: RunSpec) -> RunHandle:
        agent = Path(__file__).with_name("agent.sh")
        argv = ["/bin/sh", str(agent), str(self._script)]
        # The checkout of these tests may lie where rooms are empty.
        return await launch(spec, Invocation(argv, stdin=spec.prompt.encode(), readable=(agent,)), Dialect())


def prepare(*, fault: str, bug: str) -> None:
    if bug:
        BUGS[bug]()
    if fault.startswith(ORPHAN):
        leave_orphan(fault.removeprefix(f"{ORPHAN} "))
    else:
        faults.arm(fault)


def leave_orphan(point: str) -> None:
    """Dies as soon as the git command behind this point runs, which then goes on without its leader."""
    here = threading.local()

    def run(argv: list[str], *, input: bytes, **options: Any) -> subprocess.CompletedProcess[bytes]:  # noqa: A002 - subprocess's name
        if not hasattr(here, "due"):
            return subprocess.run(argv, input=input, **options)  # noqa: PLW1510 - among the options
        late = ["/bin/sh", "-c", 'sleep 0.02; exec "$@"', "sh", *argv]
        place = {name: options[name] for name in ("cwd", "env")}
        orphan = subprocess.Popen(late, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, **place)
        assert orphan.stdin is not None
        os.write(orphan.stdin.fileno(), input)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    git.subprocess = SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired)  # type: ignore[assignment, attr-defined]
    faults._on_reach = faults._at(point, lambda: setattr(here, "due", True))


if __name__ == "__main__":
    # Before anything takes it by its name.
    registry.runner_for = lambda agent: SmallAgent(Path(agent.removeprefix("sweep:")))
    call_program(serve(prepare))

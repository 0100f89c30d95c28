"""A process with teamlead loaded, which forks for each call of the command line. Run as a program.

Starting Python anew for each of thousands of calls would take most of the time. Requests and answers are
lines: a call, as JSON, is answered with its pid, and a pid with the exit code of that process.
"""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

from tests.sweep.bugs import BUGS

from teamlead.cli.main import COMMANDS, main
from teamlead.ports import RunHandle, RunSpec
from teamlead.runners import registry
from teamlead.runners.program import Dialect, Invocation, launch
from teamlead.runners.scripted import ScriptedRunner
from teamlead.system import faults, git

HEAVY = ("wiring.leading", "wiring.opening", "wiring.asking", "plans.load", "cli.live", "cli.person")
ORPHAN = "orphan"


class SmallAgent(ScriptedRunner):
    """`sweep:FOLDER`: the agent of the sweep, with its marks in FOLDER."""

    def validate(self) -> None:
        pass

    async def start(self, spec: RunSpec) -> RunHandle:
        agent = Path(__file__).with_name("agent.sh")
        argv = ["/bin/sh", str(agent), str(self._script)]
        return await launch(spec, Invocation(argv, stdin=spec.prompt.encode()), Dialect())


def serve() -> None:
    registry.runner_for = lambda agent: SmallAgent(Path(agent.removeprefix("sweep:")))
    for module in (*HEAVY, *(f"cli.{entry.target.partition(':')[0]}" for entry in COMMANDS.values())):
        import_module(f"teamlead.{module}")
    gc.freeze()
    for line in sys.stdin:
        request = json.loads(line)
        if isinstance(request, int):
            answer = os.waitstatus_to_exitcode(os.waitpid(request, 0)[1])
        else:
            answer = os.fork() or call(**request)
        print(answer, flush=True)


def call(
    *, arguments: list[str], cwd: str, environment: dict[str, str], log: str, fault: str, bug: str
) -> NoReturn:
    code: Any = 99
    try:
        os.setsid()
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(environment)
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for number, source in enumerate((os.open(os.devnull, os.O_RDONLY), output, output)):
            os.dup2(source, number)
        if bug:
            BUGS[bug]()
        if fault.startswith(ORPHAN):
            leave_orphan(fault.removeprefix(f"{ORPHAN} "))
        else:
            faults.arm(fault)
        main(arguments)
    except SystemExit as end:
        code = end.code
    finally:
        atexit._run_exitfuncs()
        os._exit(code or 0)


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
    serve()

"""The scripted agent: `python -m teamlead.testing.agent SCRIPT`, with the prompt on stdin.

It does in its working directory what the script says for its task and attempt, and reports as JSON lines.
Light on purpose: hundreds are started in one test run, so what few steps need is imported by those steps.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from teamlead.errors import ConfigError
from teamlead.runners.script import (
    Part,
    check_script,
    completed,
    fill,
    last_answer,
    part_of,
    role_of,
    steps_for,
)
from teamlead.runners.script_steps import Step, kind_of, last_words

STUBBORN_SECONDS = 600
WAIT_SECONDS = 60.0
TOOLS = {
    "write": "path",
    "append": "path",
    "delete": "path",
    "touch": "path",
    "run": "command",
    "commit": "message",
}
"""Steps that count as calls of a tool, and what their value is to it."""


REFUSALS = {401: "denied", 403: "denied", 429: "limit"}


class Failure(Exception):
    """Ends the run as failed, with its reason."""


def emit(kind: str, **fields: object) -> None:
    raw(json.dumps({"type": kind, **fields}).encode() + b"\n")


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


class Agent:
    def __init__(self, task: str, attempt: int, slot: str, prompt: str) -> None:
        self.task = task
        self.attempt = attempt
        self._values = {
            "answer": last_answer(prompt),
            "attempt": str(attempt),
            "task": task,
            "slot": slot,
        }
        self._feedback: list[dict[str, Any]] = []

    def follow(self, steps: list[Step]) -> int:
        emit("started", agent="scripted", task=self.task, attempt=self.attempt)
        for step in steps:
            filled = fill(step, self._values)
            kind = kind_of(filled)
            if kind in TOOLS:
                emit("tool_call", name=kind, input={TOOLS[kind]: filled[kind]})
            code: int | None = getattr(self, f"do_{kind}")(filled)
            if code is not None:
                return code
        return self.do_done({"done": f"{self.task}: {len(steps)} steps done"})

    def do_say(self, step: Step) -> None:
        emit("text", text=step["say"])

    def do_write(self, step: Step) -> None:
        _place(step["write"]).write_text(step["text"], encoding="utf-8")

    def do_append(self, step: Step) -> None:
        with _place(step["append"]).open("a", encoding="utf-8") as file:
            file.write(step["text"])

    def do_delete(self, step: Step) -> None:
        _place(step["delete"]).unlink()

    def do_touch(self, step: Step) -> None:
        _place(step["touch"]).touch()

    def do_run(self, step: Step) -> None:
        code = _command("run", ["/bin/sh", "-c", step["run"]])
        if code and step.get("must_pass"):
            raise Failure(f"{step['run']!r} failed with exit code {code}")

    def do_commit(self, step: Step) -> None:
        who = ["-c", "user.name=Scripted agent", "-c", "user.email=agent@teamlead.invalid"]
        plain = ["-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null"]
        _command("commit", ["git", "add", "-A"])
        _command("commit", ["git", *who, *plain, "commit", "-q", "-m", step["commit"]])

    def do_team(self, step: Step) -> None:
        from teamlead.testing.team import call  # noqa: PLC0415 - most scripts talk to nobody

        name, given = step["team"], step.get("input", {})
        emit("tool_call", name=f"mcp__team__{name}", input=given)
        emit("tool_result", name=name, output=call(name, given))

    def do_feedback(self, step: Step) -> None:
        self._feedback.append(step["feedback"])

    def do_usage(self, step: Step) -> None:
        emit("usage", **step["usage"])

    def do_wait_for(self, step: Step) -> None:
        seconds = step.get("seconds", WAIT_SECONDS)
        end = time.monotonic() + seconds
        while not Path(step["wait_for"]).exists():
            if time.monotonic() > end:
                raise Failure(f"waited {seconds:g} s for {step['wait_for']!r}")
            time.sleep(0.01)

    def do_sleep(self, step: Step) -> None:
        time.sleep(step["sleep"])

    def do_emit_raw(self, step: Step) -> None:
        encoding = "latin-1" if step.get("bytes") else "utf-8"
        raw(step["emit_raw"].encode(encoding) * step.get("repeat", 1))

    def do_spawn_stubborn(self, step: Step) -> None:
        ready, set_ready = os.pipe()
        pid = os.fork()
        if pid == 0:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            # Whatever a test forgets is gone some day.
            signal.alarm(STUBBORN_SECONDS)
            os.write(set_ready, b"1")
            while True:
                signal.pause()
        os.read(ready, 1)
        os.close(ready)
        os.close(set_ready)
        if "pid_file" in step:
            _place(step["pid_file"]).write_text(str(pid), encoding="ascii")

    def do_done(self, step: Step) -> int:
        emit("finished", status="ok", summary=last_words(step, self._feedback))
        return 0

    do_answer = do_done

    def do_ask(self, step: Step) -> int:
        emit("ask", text=step["ask"], options=step.get("options", []))
        return self.do_done({"done": ""})

    def do_fail(self, step: Step) -> int:
        raise Failure(step["fail"])

    def do_http(self, step: Step) -> int:
        """Ends as if the service of its model had refused; its own words do not matter here."""
        status = step["http"]
        kind = REFUSALS.get(status, "unavailable" if status >= 500 else "error")
        reset = {"reset_at": time.time() + step["reset_in"]} if "reset_in" in step else {}
        emit("finished", status=kind, error=f"the service answered with {status}", **reset)
        return 1

    def do_exit(self, step: Step) -> int:
        return int(step["exit"])

    def do_crash(self, _step: Step) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def do_hang(self, step: Step) -> None:
        if step.get("stubborn"):
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            signal.pause()


def _place(path: str) -> Path:
    """Returns where to write: a relative path stays inside the working copy, whatever links there are."""
    here = Path.cwd().resolve()
    place = (here / path).resolve()
    if not Path(path).is_absolute() and not place.is_relative_to(here):
        raise Failure(f"{path!r} leaves the working copy")
    place.parent.mkdir(parents=True, exist_ok=True)
    return here / path


def _command(name: str, argv: list[str]) -> int:
    import subprocess  # noqa: PLC0415 - most scripts run nothing

    done = subprocess.run(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    output = done.stdout.decode("utf-8", "replace")[-4000:]
    emit("tool_result", name=name, exit_code=done.returncode, output=output)
    return done.returncode


PLANNING = "plan-"
"""How the ids of sessions begin that make a plan."""


def _part(prompt: str) -> Part:
    """Finds its part: a task's is in the environment, an adviser's in the prompt alone."""
    task = os.environ.get("TEAMLEAD_TASK", "default")
    plans = os.environ.get("TEAMLEAD_SESSION", "").startswith(PLANNING)
    told = part_of(prompt) if plans or role_of(task) else None
    return told or Part(task, int(os.environ.get("TEAMLEAD_ATTEMPT", "1")))


def run(path: str) -> int:
    prompt = "" if sys.stdin.isatty() else sys.stdin.buffer.read().decode("utf-8", "replace")
    part = _part(prompt)
    try:
        script = check_script(Path(path).read_text(encoding="utf-8"), path)
        steps = completed(steps_for(script, part), part, prompt)
    except (OSError, UnicodeDecodeError, ConfigError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    try:
        return Agent(part.task, part.attempt, os.environ.get("TEAMLEAD_SLOT", "0"), prompt).follow(steps)
    except (Failure, OSError) as error:
        emit("finished", status="error", error=str(error))
        return 1


def main() -> NoReturn:
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m teamlead.testing.agent SCRIPT\n")
        sys.exit(2)
    try:
        code = run(sys.argv[1])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()

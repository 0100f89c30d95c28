"""A user with a repository, who calls the real program on it. Flows are told in these words."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple, Self

from tests import documents
from tests.flows import picture
from tests.zygote import Call, zygote

from teamlead.journal.codec import as_dict
from teamlead.journal.reader import JournalReader
from teamlead.sessions.replay import recorded_events

PATIENCE = 40.0
"""Seconds until a bounded wait gives up; never a part of an assertion."""

Step = dict[str, Any]

SETTINGS = "retry_delay = 0\n"
"""Of this user: nobody waits between attempts."""
ROOMLESS = f"{SETTINGS}room = false\n"
"""Agents and checks can go to the user's repository."""
USERS = "$HOME/../repository"
"""Where that is, in their shells."""


def write(path: str | Path, text: str) -> Step:
    return {"write": str(path), "text": text}


def append(path: str | Path, text: str) -> Step:
    return {"append": str(path), "text": text}


def delete(path: str) -> Step:
    return {"delete": path}


def say(text: str) -> Step:
    return {"say": text}


def run(command: str) -> Step:
    return {"run": command, "must_pass": True}


def touch(path: str | Path) -> Step:
    return {"touch": str(path)}


def wait_for(path: str | Path) -> Step:
    return {"wait_for": str(path)}


def done(summary: str) -> Step:
    return {"done": summary}


def answer(**fields: Any) -> Step:
    """What one says whom the lead consults."""
    return {"answer": fields}


def ask(question: str, *options: str) -> Step:
    return {"ask": question, "options": list(options)}


def fail(reason: str) -> Step:
    return {"fail": reason}


HANG: Step = {"hang": True}
CRASH: Step = {"crash": True}


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        document = json.loads(self.out)
        assert isinstance(document, dict)
        return document

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Of a command that prints JSON Lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def until(holds: Callable[[], object], what: str) -> None:
    """Returns soon after it holds: the longer it takes, the seldomer it looks."""
    deadline = time.monotonic() + PATIENCE
    pause = 0.01
    while not holds():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(pause)
        pause = min(pause * 1.3, 0.1)


class Running:
    """A command that runs in the background."""

    def __init__(self, process: Call, folder: Path) -> None:
        self.process = process
        self._folder = folder

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def over(self) -> bool:
        return self.process.poll() is not None

    @property
    def out(self) -> str:
        return (self._folder / "out").read_text(errors="replace")

    @property
    def err(self) -> str:
        return (self._folder / "err").read_text(errors="replace")

    def says(self, text: str) -> Self:
        """Waits until it has printed this."""
        until(lambda: text in self.out + self.err or self.over, f"{text!r} is printed")
        assert text in self.out + self.err, self.out + self.err
        return self

    def send(self, number: signal.Signals) -> Self:
        self.process.send_signal(number)
        return self

    def is_stopped(self) -> bool:
        """By SIGSTOP."""
        return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"

    def end(self) -> Ended:
        code = self.process.wait(PATIENCE)
        return Ended(code, self.out, self.err)


@dataclass
class Project:
    """One user's home, repository, plan and script."""

    place: Path
    environment: dict[str, str]
    root: Path = field(init=False)
    _plans: int = 1
    _tasks: dict[int, str] = field(default_factory=dict)
    _script: list[str] = field(default_factory=list)
    _running: list[Running] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root = self.place / "repository"
        self.barriers = self.place / "barriers"
        self.barriers.mkdir()
        self.settings(SETTINGS)

    @property
    def python(self) -> str:
        """One that this user may start."""
        return sys.executable

    @property
    def toolbox(self) -> str:
        """One that has pip and pytest."""
        return sys.executable

    def reach(self, program: Path) -> Path:
        """Where this user can start it."""
        return program

    @property
    def identity(self) -> dict[str, Any]:
        """As whom programs are started on the user's behalf."""
        return {}

    # The repository

    def has_repository(self, files: Mapping[str, str] | None = None) -> Self:
        self.root.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.com")
        self.commit("first", files or {"README.md": "# Sample\n", "shared.txt": "one\ntwo\nthree\n"})
        return self

    def commit(self, message: str, files: Mapping[str, str]) -> str:
        """The user's own work, in their own tree."""
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        self.git("add", "--force", *files)
        self.git("commit", "--quiet", "-m", message)
        return self.tip("HEAD")

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        command = ["git", *arguments]
        done: subprocess.CompletedProcess[str] = subprocess.run(
            command,
            cwd=cwd or self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            check=False,
            **self.identity,
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout.strip("\n")

    def tip(self, name: str) -> str:
        return self.git("rev-parse", "--verify", f"{name}^{{commit}}")

    def files(self, name: str) -> dict[str, str]:
        """What a commit holds, by path."""
        paths = self.git("ls-tree", "-r", "-z", "--name-only", name).split("\0")[:-1]
        return {path: self.content(name, path) for path in paths}

    def content(self, name: str, path: str) -> str:
        return self.git("show", f"{name}:{path}")

    def has_commit(self, name: str, commit: str) -> bool:
        return self.git_succeeds("merge-base", "--is-ancestor", commit, name)

    def git_succeeds(self, *arguments: str) -> bool:
        how: dict[str, Any] = {"cwd": self.root, "env": self.environment, **self.identity}
        return subprocess.run(["git", *arguments], check=False, capture_output=True, **how).returncode == 0

    @property
    def integration(self) -> str:
        return f"teamlead/{self.session}/integration"

    def refs(self) -> dict[str, str]:
        lines = self.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return dict(line.split(" ") for line in lines)

    def users_things(self) -> dict[str, object]:
        """All of the repository that is the user's own: none of it may change before they approve."""
        git_dir = self.root / ".git"
        refs = self.refs()
        return {
            "HEAD": (git_dir / "HEAD").read_text(),
            "refs": {name: tip for name, tip in refs.items() if "/teamlead/" not in name},
            "index": (git_dir / "index").read_bytes(),
            "config": (git_dir / "config").read_text(),
            "hooks": sorted(path.name for path in (git_dir / "hooks").glob("*")),
            "files": {
                str(path.relative_to(self.root)): path.read_bytes()
                for path in sorted(self.root.rglob("*"))
                if path.is_file()
                and path.relative_to(self.root).parts[0] != ".git"
                and path.relative_to(self.root).parts[:2] != (".teamlead", "sessions")
            },
        }

    def copies(self) -> list[str]:
        """The working copies of agents that are on disk."""
        found = sorted(self.state_home.glob("*/copies/*/*"))
        return [str(path) for path in found if not path.name.startswith(".")]

    # The plan, and what its agents do

    def task(
        self,
        number: int,
        *attempts: list[Step],
        after: Iterable[int] = (),
        scope: str = "",
        checks: Sequence[str] = (),
        kind: str = "",
        fields: Sequence[str] = (),
    ) -> Self:
        """A task of the plan, with what its agent does in each attempt; the last one repeats."""
        lines = [f"### {number}. Task number {number}", f"- Acceptance: task {number} is done"]
        lines += [f"- Depends on: {', '.join(map(str, after))}"] if after else []
        lines += [f"- Scope: {scope}"] if scope else []
        lines += ["- Checks:", *(f"  - `{command}`" for command in checks)] if checks else []
        lines += [f"- Type: {kind}"] if kind else []
        lines += [f"- {field}" for field in fields]
        self._tasks[number] = "\n".join(lines)
        return self.plays(f"task-{number}", *attempts)

    def plays(self, name: str, *runs: list[Step], purpose: str = "") -> Self:
        """What a task, or one whom the lead consults (`task-1-judge`, `planner`), does in each run."""
        for steps in runs:
            listed = ",\n".join(f"  {toml(step)}" for step in steps)
            limit = f"for = {toml(purpose)}\n" if purpose else ""
            self._script.append(f"[[{name}]]\n{limit}steps = [\n{listed}\n]\n")
        return self

    @property
    def plan(self) -> Path:
        path = self.place / f"plan-{self._plans}.md"
        path.write_text("# A plan for a test\n\n" + "\n\n".join(self._tasks.values()) + "\n")
        return path

    @property
    def script(self) -> Path:
        path = self.place / f"script-{self._plans}.toml"
        path.write_text("\n".join(self._script) or "[[default]]\nsteps = []\n")
        return path

    def new_plan(self) -> Self:
        """Forgets the tasks told so far; a session that runs keeps its own plan and script."""
        self._plans += 1
        self._tasks.clear()
        self._script.clear()
        return self

    def settings(self, text: str, *, expose: bool = True) -> Self:
        """The user's own configuration. Unless told otherwise, barriers are seen in rooms."""
        exposed = f"expose = [{str(self.barriers)!r}]\n" if expose else ""
        file = Path(self.environment["XDG_CONFIG_HOME"]) / "teamlead" / "config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{exposed}{text}")
        return self

    def barrier(self, name: str) -> Path:
        """A file outside every working copy, for agents to wait for each other and for the test."""
        return self.barriers / name

    # Commands

    @contextmanager
    def _unharmed(self, *asked: str) -> Iterator[None]:
        """Of what is the user's nothing may change, unless they do something in the meantime."""
        if not (self.root / ".git").is_dir() or not all(running.over for running in self._running):
            yield
            return
        before = picture.take(self)
        yield
        assert picture.changed(self, before, picture.take(self), asked) == []

    def teamlead(self, *arguments: str | Path, cwd: Path | None = None, **changed: str) -> Ended:
        environment = {**self.environment, **changed}
        with TemporaryFile() as out, TemporaryFile() as err, self._unharmed(*map(str, arguments)):
            call = self._call(arguments, out, err, cwd, environment)
            try:
                code = call.wait(PATIENCE * 2)
            finally:
                call.kill()
            for stream in (out, err):
                stream.seek(0)
            ended = Ended(code, out.read().decode(), err.read().decode())
        if "--json" in arguments and ended.out:
            documents.require_printed(map(str, arguments), ended.out)
        return ended

    def background(self, *arguments: str | Path) -> Running:
        folder = self.place / f"command-{len(self._running)}"
        folder.mkdir()
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            call = self._call(arguments, out, err)
        self._running.append(Running(call, folder))
        return self._running[-1]

    def _call(
        self,
        arguments: Sequence[str | Path],
        out: IO[bytes],
        err: IO[bytes],
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Call:
        return zygote().call(
            [str(each) for each in arguments],
            cwd=cwd or self.root,
            environment=environment or self.environment,
            out=out,
            err=err,
        )

    def start(self, *options: str) -> Ended:
        return self.teamlead("start", self.plan, "--agent", f"scripted:{self.script}", *options)

    def start_team(self, task: str, *options: str) -> Ended:
        return self.teamlead("start", task, "--agent", f"scripted:{self.script}", *options)

    def start_in_background(self, *options: str) -> Running:
        return self.background("start", self.plan, "--agent", f"scripted:{self.script}", *options)

    def resolve(self, text: str, *options: str) -> Ended:
        return self.teamlead("resolve", "--resolution", text, *options)

    def interrupt(self, leader: Running, number: signal.Signals = signal.SIGINT) -> None:
        """Sends the signal, and waits until the leader has taken note."""
        leader.send(number)
        until(lambda: self.happened("LeaderStopping"), "the leader is stopping")

    # What the program tells

    @property
    def state_home(self) -> Path:
        return Path(self.environment["XDG_STATE_HOME"]) / "teamlead"

    @property
    def sessions(self) -> list[Path]:
        """The folder of every session but plannings, the latest last."""
        found = (path.parent for path in self.state_home.glob("*/sessions/*/journal.db"))
        return sorted(
            (each for each in found if not each.name.startswith("plan-")), key=lambda each: each.name
        )

    @property
    def plannings(self) -> list[Path]:
        """Their folders, the latest last."""
        return sorted(path.parent for path in self.state_home.glob("*/sessions/plan-*/journal.db"))

    @property
    def session(self) -> str:
        (only,) = self.sessions
        return only.name

    def status(self, session: str | None = None) -> dict[str, Any]:
        ended = self.teamlead("status", *([session] if session else []), "--json")
        assert ended.code == 0, ended.err
        return ended.json

    def tasks(self) -> list[dict[str, Any]]:
        """Of the latest session: the rows that `status` prints, read without starting a program."""
        with JournalReader(self.sessions[-1] / "journal.db") as reader:
            return [json.loads(row.body) for row in reader.task_rows()]

    def state_of(self, number: int) -> str:
        return str(self.details_of(number)["state"])

    def states(self) -> dict[str, str]:
        return {task["id"]: task["state"] for task in self.tasks()}

    def details_of(self, number: int) -> dict[str, Any]:
        (found,) = (task for task in self.tasks() if task["id"] == f"task-{number}")
        return found

    def attempt(self, number: int, attempt: int) -> Path:
        return self.sessions[-1] / "attempts" / f"task-{number}-{attempt}"

    def prompt(self, number: int, attempt: int) -> str:
        return (self.attempt(number, attempt) / "prompt.md").read_text()

    def events(self, session: str | None = None) -> list[dict[str, Any]]:
        """The journal of the latest or the named session, also while it is led."""
        folder = next(path for path in reversed(self.sessions) if session in (None, path.name))
        with JournalReader(folder / "journal.db") as reader:
            return [json.loads(json.dumps(as_dict(recorded))) for recorded in recorded_events(reader)]

    def happened(self, kind: str, **fields: object) -> bool:
        """Whether the latest session's journal has such an event."""
        bodies = [event["body"] for event in self.events() if event["kind"] == kind] if self.sessions else []
        return any(fields.items() <= body.items() for body in bodies)

    def outcomes(self, number: int) -> list[str]:
        """Of a task's attempts, in their order."""
        return [
            event["body"]["outcome"]
            for event in self.events()
            if event["kind"] == "AttemptEnded" and event["body"]["task"] == f"task-{number}"
        ]

    # The end

    def processes(self) -> dict[int, str]:
        """Everything that was started on this user's behalf and still runs, found by its environment."""
        mark = f"XDG_STATE_HOME={self.environment['XDG_STATE_HOME']}".encode()
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal() or int(entry.name) == os.getpid():
                continue
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return found

    def require_nothing_runs(self) -> None:
        """Whoever holds the programs of a leader ends right after it, and not before."""
        until(lambda: not self.processes(), "every process has ended")

    def close(self) -> None:
        """Nothing of a flow may outlive it, and the repository must be whole whatever happened."""
        for running in self._running:
            if not running.over:
                running.process.kill()
                running.process.wait()
        try:
            self.require_nothing_runs()
        finally:
            for pid in self.processes():
                os.kill(pid, signal.SIGKILL)
        if (self.root / ".git").is_dir():
            self.git("fsck", "--strict", "--no-dangling", "--no-progress")


def toml(value: object) -> str:
    """A value as TOML writes it inline; JSON's strings are TOML's."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

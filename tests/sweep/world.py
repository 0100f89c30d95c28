"""One user with a repository and a plan, who goes on after every crash as a person would."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tests.zygote import Call, zygote

from teamlead.core.events import AnyEvent, PlanFiled, TaskReopened
from teamlead.journal.reader import JournalReader
from teamlead.sessions.replay import recorded_events

PLAN = """\
# Seven tasks: a diamond, a retry, a conflict, and one that a judge has cut anew

### task-1: First
- Scope: one.txt

### task-2: Second, committed by the agent itself
- Scope: two.txt
- Depends on: 1

### task-3: Third, refused once
- Scope: three.txt
- Depends on: 1
- Checks: `read -r line <three.txt && [ "$line" = right ]`

### task-4: Fourth
- Scope: four.txt
- Depends on: 2, 3

### task-5: Fifth
- Scope: shared.txt

### task-6: Sixth, on the same line
- Scope: shared.txt

### task-9: Ninth, too much at once
- Scope: nine.txt
- Acceptance: it is the ninth
"""
SMALL_PLAN = """\
# One task, which asks

### task-7: Seventh
- Scope: seven.txt
"""
SHARED_PLAN = """\
# Two tasks, whose agent fails in the same way until somebody answers

### task-21: Twenty-first
- Scope: 21.txt

### task-22: Twenty-second
- Scope: 22.txt
"""
BUILT_ON_PLAN = """\
# Three tasks, each on the one before, of which the person wants the first done again

### task-31: Thirty-first
- Scope: 31.txt

### task-32: Thirty-second, which says what it was built on
- Scope: 32.txt
- Depends on: 31

### task-33: Thirty-third, whose work still holds
- Scope: 33.txt
- Depends on: 32
"""
LEAVING_PLAN = """\
# Two tasks, whose agents are at work when the person ends it all

### task-41: Forty-first, which hears nothing
- Scope: 41.txt

### task-42: Forty-second, which ends its turn when it may
- Scope: 42.txt
"""
ENDED = ("DONE", "ROLLED_BACK", "FAILED", "CANCELLED")
MOST_ACTS = 12


@dataclass
class World:
    place: Path
    plan: str = PLAN
    """Empty: one is to be made."""
    wish: str = "approve"
    """What the person does with work that is settled."""
    again: str = ""
    """The task that they want to be done again before that, with what was built on it."""
    gives_up: bool = False
    """Whether they cancel a session that was cut short."""
    bug: str = ""
    options: tuple[str, ...] = ()
    """Of `start`."""
    acts: list[str] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.zygote = zygote("tests.sweep.zygote")
        self.root = self.place / "repository"
        self.marks = self.place / "marks"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.place / "home"),
            "XDG_STATE_HOME": str(self.place / "state"),
            "XDG_CONFIG_HOME": str(self.place / "config"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
        }

        # Agents write their marks there, from their rooms.
        self.settings = self.place / "config/teamlead/config.toml"
        self.settings.write_text(
            f'retry_delay = 0\nleaving = 0.5\nleaving_again = 0.5\nexpose = ["{self.marks}"]\n'
        )

    def consults(self, *roles: str) -> None:
        """The agent of the sweep plays these, too. One task says in words when it is done: that is enough."""
        tables = (f'[roles.{role}]\nagent = "sweep:{self.marks}"\n' for role in roles)
        judged = 'judge = "acceptance"\n'
        self.settings.write_text(judged + self.settings.read_text() + "".join(tables))

    # What the person does

    def live(self, faults: Mapping[int, str] | None = None) -> Self:
        """Acts until nothing is left to do; `faults` by the number of the act they meet."""
        while (act := self.next_act()) is not None:
            assert len(self.acts) < MOST_ACTS, self.story()
            self.do(act, (faults or {}).get(len(self.acts), ""))
        return self

    def next_act(self) -> list[str] | None:
        if self.session is None and not self.plan:
            return ["plan", "Paint the house", "--agent", f"sweep:{self.marks}"]
        if self.session is None:
            (self.place / "plan.md").write_text(self.plan)
            agent = ["--agent", f"sweep:{self.marks}", "--jobs", "3"]
            return ["start", str(self.place / "plan.md"), *agent, *self.options]
        view = self.view()
        if view["phase"] in ENDED:
            cut_short = self.plan == LEAVING_PLAN and view["under_way"]
            return ["resume"] if self.plan_unwritten or cut_short else None
        asked = [question for question in view["questions"] if question["to"] == "user"]
        if asked and not view["under_way"]:
            # Of two tasks that wait for an answer, the first gets its own.
            tasks = sorted(each["id"] for each in asked[0]["tasks"])
            return ["resolve", "--resolution", "blue", *(["--task", tasks[0]] if len(tasks) > 1 else [])]
        if view["phase"] == "AWAITING_APPROVAL":
            return ["retry", self.again, "--followers"] if self.again and not self.reopened else [self.wish]
        return ["cancel"] if self.gives_up or self.plan == LEAVING_PLAN else ["resume"]

    @property
    def plan_unwritten(self) -> bool:
        """It was made, and whoever was to write it down was killed before."""
        written = any(isinstance(event, PlanFiled) for event in self.events())
        return not self.plan and not self.gives_up and self.view()["phase"] == "DONE" and not written

    @property
    def struck(self) -> int:
        """How many of the acts were killed."""
        return sum(code == -signal.SIGKILL for code in self.codes)

    def do(self, arguments: Sequence[str], fault: str = "") -> None:
        log = self.place / f"act-{len(self.acts)}.log"
        call = self.begin(arguments, log, fault=fault, bug=self.bug)
        if self.plan == LEAVING_PLAN and arguments[0] == "start":
            self._cancel_beside(call)
        code = call.wait()
        self.codes.append(code)
        self.acts.append(f"$ teamlead {' '.join(arguments)}  [{fault}] -> {code}\n{log.read_text()}")

    def _cancel_beside(self, leading: Call) -> None:
        """As soon as both agents are at work, from another terminal. One of them may end its turn then."""
        while leading.poll() is None and len(self.marked("at-work")) < 2:
            time.sleep(0.01)
        if self.session is not None and self.marked("at-work"):
            log = self.place / "cancel.log"
            code = self.begin(["cancel"], log).wait()
            self.acts.append(f"$ teamlead cancel  -> {code}\n{log.read_text()}")
        (self.marks / "go").touch()

    def begin(self, arguments: Sequence[str], log: Path, *, fault: str = "", bug: str = "") -> Call:
        with log.open("ab") as out:
            return self.zygote.call(
                arguments,
                cwd=self.root,
                environment=self.environment,
                out=out,
                err=out,
                fault=fault,
                bug=bug,
            )

    def story(self) -> str:
        return "\n".join(self.acts)

    # What there is to see

    @property
    def session(self) -> Path | None:
        """The latest, if any."""
        found = sorted(self.place.glob("state/teamlead/*/sessions/*/journal.db"))
        return found[-1].parent if found else None

    def view(self) -> dict[str, Any]:
        assert self.session is not None
        with JournalReader(self.session / "journal.db") as reader:
            view: dict[str, Any] = json.loads(reader.session_row() or b"{}")
        return view

    def events(self) -> list[AnyEvent]:
        assert self.session is not None
        with JournalReader(self.session / "journal.db") as reader:
            return [recorded.event for recorded in recorded_events(reader)]

    @property
    def reopened(self) -> list[str]:
        """Tasks, in the order in which they were to run again."""
        return [event.task for event in self.events() if isinstance(event, TaskReopened)]

    def git(self, *arguments: str, stdin: str = "") -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        assert done.returncode == 0, f"git {arguments}: {done.stderr}\n{self.story()}"
        return done.stdout.strip("\n")

    def marked(self, name: str) -> list[str]:
        """Lines that agents wrote to one of their marks."""
        path = self.marks / name
        return path.read_text().splitlines() if path.exists() else []

    def processes(self) -> dict[int, str]:
        """Everything that was started in this world and still runs, found by its environment."""
        mark = os.fsencode(self.place / "home")
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    if b"HOME=" + mark in (entry / "environ").read_bytes().split(b"\0"):
                        found[int(entry.name)] = (
                            (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                        )
                except OSError:
                    continue
        return found


def make_template(place: Path) -> None:
    for folder in ("home", "marks", "config/teamlead", "repository"):
        (place / folder).mkdir(parents=True)
    root = place / "repository"
    (root / "README.md").write_text("# Sample\n")
    (root / "shared.txt").write_text("none\n")
    environment = {"PATH": os.environ["PATH"], "HOME": str(place / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
    for command in (
        "init --quiet --initial-branch=main --template=",
        "config user.name Ada",
        "config user.email ada@example.com",
        "add .",
        "commit --quiet -m first",
        "tag v1",
        "branch other",
    ):
        subprocess.run(["git", *command.split()], cwd=root, env=environment, check=True)


@contextmanager
def new_world(template: Path, **given: Any) -> Iterator[World]:
    place = template.with_name(f"world-{next(_numbers)}")
    shutil.copytree(template, place)
    world = World(place, **given)
    if world.plan == PLAN:
        world.consults("judge", "planner")
    yield world
    # Only of a world in which all was well: of others, everything is evidence.
    shutil.rmtree(place)


_numbers = itertools.count(1)

"""Two terminals in one repository, where somebody does whatever comes to mind, at the same time.

Commands are drawn at random from a seed, which a failure prints; what they meet depends on the moment. At the
end somebody cancels what is open, and the laws are looked at. TEAMLEAD_TEST_SIZE multiplies the commands.
"""

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from tests.sweep.laws import still_alive
from tests.sweep.world import ENDED, World, new_world
from tests.zygote import Call

from teamlead.core.events import ApprovalApplied
from teamlead.core.state.team_state import TeamState
from teamlead.journal.reader import JournalReader
from teamlead.sessions.replay import read_state, recorded_events
from teamlead.system.sessions import SessionFolder

SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))
ROUNDS = 30 * SIZE
"""Commands of each terminal."""
PATIENCE = 120.0
"""Seconds after which a command hangs."""
DOCUMENTED = {0, 1, 2, 3, 4, 5, 130}

OWN = "### task-18: A file named after the session\n- Scope: *.txt\n"
PLANS = {
    "one": f"# One task\n\n{OWN}",
    "asks": f"# One that asks\n\n{OWN}\n### task-7: Seventh\n- Scope: seven.txt\n",
    "conflict": f"# A conflict\n\n{OWN}\n### task-5: Fifth\n\n### task-6: Sixth\n",
}

pytestmark = pytest.mark.timeout(600 * (1 + SIZE))


class Done(NamedTuple):
    command: tuple[str, ...]
    code: int
    said: str

    def __str__(self) -> str:
        return f"$ teamlead {' '.join(self.command)} -> {self.code}\n{self.said}"


class Terminal:
    """Does one thing after the other, and sometimes loses patience."""

    def __init__(self, world: World, name: str, seed: int, bug: str = "") -> None:
        self._world = world
        self._name = name
        self._random = Random(f"{seed} {name}")
        self._bug = bug
        self.done: list[Done] = []

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            command = self._command()
            impatient = command[0] in {"start", "resume", "approve", "cancel", "clean"}
            self.do(command, self._deadly_moment() if impatient else None)

    def do(self, command: tuple[str, ...], deadly: float | None = None) -> None:
        """`deadly`: after so many seconds it is killed, if it has not ended."""
        log = self._world.place / f"{self._name}-{len(self.done)}.log"
        call = self._world.begin(command, log, bug=self._bug)
        code = None if deadly is None else _waited(call, deadly, self._random.choice(DEADLY))
        code = _waited(call, PATIENCE, signal.SIGABRT) if code is None else code
        code = call.wait() if code is None else code
        self.done.append(Done(command, code, log.read_text(errors="replace")))

    def _deadly_moment(self) -> float | None:
        return self._random.random() if self._random.random() < 0.25 else None

    def _command(self) -> tuple[str, ...]:
        names = sessions(self._world)
        if not names or self._random.random() < 0.25:
            return self._start()
        return tuple(
            part.replace("SESSION", self._random.choice(names[-4:]))
            for part in self._random.choice(COMMANDS).split()
        )

    def _start(self) -> tuple[str, ...]:
        plan = self._random.choice(list(PLANS))
        marks = self._world.place / "marks" / f"{self._name}-{len(self.done)}"
        marks.mkdir()
        options = self._random.choice([(), ("--approve",), ("--jobs", "1")])
        return "start", str(self._world.place / f"{plan}.md"), "--agent", f"sweep:{marks}", *options


DEADLY = (signal.SIGKILL, signal.SIGTERM)
KILLED = {-number for number in DEADLY}
COMMANDS = (
    "resume SESSION",
    "resume SESSION",
    "resume",
    "cancel SESSION",
    "approve SESSION",
    "approve SESSION",
    "approve SESSION --squash",
    "reject SESSION",
    "resolve SESSION --resolution blue",
    "status SESSION --json",
    "list",
    "clean --yes",
    "clean SESSION --yes",
    "clean --yes --keep 6",
    "salvage list",
)


def _waited(call: Call, seconds: float, number: signal.Signals) -> int | None:
    """How it ended within this time; otherwise it is sent this signal."""
    try:
        return call.wait(seconds)
    except subprocess.TimeoutExpired:
        call.send_signal(number)
        return None


def sessions(world: World) -> list[str]:
    return sorted(path.parent.name for path in world.place.glob("state/teamlead/*/sessions/*/journal.db"))


def folder_of(world: World, name: str) -> SessionFolder:
    (found,) = world.place.glob(f"state/teamlead/*/sessions/{name}")
    return SessionFolder(found)


def play(world: World, seed: int, rounds: int, bug: str = "") -> list[Done]:
    """Both terminals, and then the end of every session."""
    for name, text in PLANS.items():
        (world.place / f"{name}.md").write_text(text)
    terminals = [Terminal(world, name, seed, bug) for name in ("left", "right")]
    with ThreadPoolExecutor(2) as threads:
        for playing in [threads.submit(terminal.play, rounds) for terminal in terminals]:
            playing.result()
    for name in sessions(world):
        state = read_state(folder_of(world, name))
        if state.phase not in ENDED:
            terminals[0].do(("resume", name) if state.approval else ("cancel", name))
        elif state.under_way:
            terminals[0].do(("resume", name))
    return [done for terminal in terminals for done in terminal.done]


def broken_laws(world: World, commands: list[Done]) -> list[str]:
    states = {name: read_state(folder_of(world, name)) for name in sessions(world)}
    return [
        *(f"undocumented: {done}" for done in commands if done.code not in DOCUMENTED | KILLED),
        *(f"a fault of teamlead: {done}" for done in commands if "unexpected" in done.said),
        *(f"two leaders at once: {done}" for done in commands if "has taken over" in done.said),
        *(f"still alive: {line}" for line in still_alive(world).values()),
        *(f"{name} is {state.phase}" for name, state in states.items() if state.phase not in ENDED),
        *(f"{name} is not finished: {list(state.due)}" for name, state in states.items() if state.under_way),
        *_runs(world),
        *_approvals(world, states),
        *_leftovers(world),
    ]


def _runs(world: World) -> Iterator[str]:
    for marks in sorted((world.place / "marks").iterdir()):
        runs = (marks / "runs").read_text().splitlines() if (marks / "runs").exists() else []
        for run, times in Counter(line.rpartition(" ")[0] for line in runs).items():
            if times > 1:
                yield f"{marks.name}: {run} ran {times} times"
        if (marks / "overlaps").exists():
            yield f"{marks.name}: two at once: {(marks / 'overlaps').read_text()}"


def _approvals(world: World, states: dict[str, TeamState]) -> Iterator[str]:
    """The user's branch holds what was approved, once, and no more. Of cleaned sessions git alone tells."""
    held = set(world.git("rev-list", "main").splitlines())
    files = set(world.git("ls-tree", "--name-only", "main").splitlines())
    approved = []
    for name, state in states.items():
        with JournalReader(folder_of(world, name).journal) as reader:
            applied = [r.event for r in recorded_events(reader) if isinstance(r.event, ApprovalApplied)]
        approved += [event.commit for event in applied]
        if len(applied) > 1:
            yield f"{name} was approved {len(applied)} times"
        if any(event.commit not in held for event in applied):
            yield f"{name} was approved, and is not on the branch"
        done = bool(applied) and state.tasks["task-18"].state == "DONE"
        if done != (f"{name}.txt" in files):
            yield f"{name}: approved {done}, and its file on the branch {not done}"
    others = world.git("rev-list", "main", "--not", "v1", *approved).splitlines()
    for commit in others:
        trailer = "--format=%(trailers:key=Teamlead-Session,valueonly,separator=)"
        name = world.git("show", "-s", trailer, commit)
        if not name or name in states:
            yield f"on the branch, and not approved: {world.git('show', '-s', commit)}"


def _leftovers(world: World) -> Iterator[str]:
    world.git("fsck", "--strict", "--no-dangling", "--no-progress")
    if changed := world.git("status", "--porcelain"):
        yield f"the user's tree is not clean: {changed}"
    for ref in world.git("for-each-ref", "--format=%(refname)", "refs/teamlead/leader").splitlines():
        yield f"left: {ref}"
    for path in (world.root / ".git").rglob("*.lock"):
        if path.parent.name != "teamlead":
            yield f"left locked: {path}"


def test_two_terminals_at_once_break_nothing(template: Path) -> None:
    seed = int(os.environ.get("TEAMLEAD_TEST_SEED", "1"))
    with new_world(template) as world:
        commands = play(world, seed, ROUNDS)
        problems = broken_laws(world, commands)
        assert not problems, f"seed {seed}, {world.place}:\n" + "\n".join(problems)
        assert len(commands) >= 2 * ROUNDS
        assert {done.code for done in commands} >= {0, 3, 5}


@pytest.mark.parametrize(
    ("bug", "law"),
    [("approve by force", "is not on the branch"), ("lead without a lease", "two leaders at once")],
)
def test_a_planted_bug_is_caught(template: Path, bug: str, law: str) -> None:
    found: list[str] = []
    for seed in range(5):
        with new_world(template) as world:
            found += broken_laws(world, play(world, seed, 25, bug))
        if any(law in problem for problem in found):
            return
    raise AssertionError(found)

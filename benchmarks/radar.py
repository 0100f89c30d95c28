"""Planted conflicts between agents at work: how many are told in time, how soon, and what looking costs.

`python -m benchmarks.radar [--files N] [--workers N] [--conflicts N] [--rounds N]`

Agents' edits are laid out at random over runs of three to ten minutes, and that time is played through: the
real rules, radar and working copies look every twenty seconds, and whenever something was merged. Beside each
planted conflict there are edits that look like one: of other lines of one file, and the same edit by both.
"""

import argparse
import asyncio
import resource
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from benchmarks.copies import A_FOLDER, both, git
from benchmarks.support import Goal, ratio, scratch, told
from tests.core.told import agent_ended, work_found

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.model import Limits, Plan, SessionSpec, TaskSpec
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import step
from teamlead.engine.conflict_radar import Radar
from teamlead.errors import MergeConflict
from teamlead.workspaces.git_workspace import GitWorkspace

EVERY = 20.0
LOOKS = 5
"""Of which the cost is taken."""
SHORTEST, LONGEST = 180.0, 600.0
MISSED = Goal(15, "%")
FALSE = Goal(0, "")
DELAY = Goal(EVERY, "s")
COST = Goal(2)
CORE = Goal(5, "%")


Act = Callable[[float], Awaitable[None]]


class Edit(NamedTuple):
    at: float
    task: str
    path: str
    line: int
    text: str


class Planted(NamedTuple):
    path: str
    one: str
    other: str
    arises: float
    """When both edits are made."""


@dataclass
class Run:
    """So many agents, each from 0 to its end."""

    ends: dict[str, float]
    edits: list[Edit] = field(default_factory=list)
    conflicts: list[Planted] = field(default_factory=list)

    def plant(self, random: Random, paths: Sequence[str], conflicts: int) -> None:
        fresh = iter(paths)
        for number in range(conflicts):
            one, other = random.sample([*self.ends], 2)
            real, apart, same = next(fresh), next(fresh), next(fresh)
            moments = [self._edit(random, task, real, 20, f"{number} by {task}") for task in (one, other)]
            self.conflicts.append(Planted(real, one, other, max(moments)))
            for task, line in ((one, 5), (other, 40)):
                self._edit(random, task, apart, line, f"{number} by {task}")
                self._edit(random, task, same, 20, f"{number} by both")

    def _edit(self, random: Random, task: str, path: str, line: int, text: str) -> float:
        at = random.uniform(0, self.ends[task])
        self.edits.append(Edit(at, task, path, line, text))
        return at


class Team:
    """Agents at work as the core knows them, with the real copies and the real radar."""

    def __init__(self, workspace: GitWorkspace, base: str, tasks: Iterable[str]) -> None:
        self.workspace = workspace
        self.state = TeamState()
        self.foreseen: list[tuple[float, e.ConflictForeseen]] = []
        self._facts: list[f.AnyFact] = []
        self.radar = Radar(workspace, EVERY, lambda: None, self._facts.append)
        plan = Plan("Planted conflicts", "", tuple(TaskSpec(name, name) for name in tasks))
        limits = Limits(jobs=len(plan.tasks), conflict_reruns=0)
        self.tell(
            0.0, f.Open(SessionSpec("s1", plan, base, "main", "none", limits)), f.LeaderArrived(1, "it")
        )

    def tell(self, now: float, *facts: f.AnyFact) -> None:
        events = step(self.state, facts, now).events
        self.foreseen += [(now, event) for event in events if isinstance(event, e.ConflictForeseen)]

    async def begin(self) -> None:
        for name, attempt in list(self.state.active.items()):
            copy = await self.workspace.prepare(name, 1, attempt.bases, "", fresh=True)
            self.tell(0.0, f.CopyReady(name, 1, copy.base))

    async def look(self, now: float) -> None:
        await self.radar.look(self.state)
        found, self._facts[:] = list(self._facts), []
        self.tell(now, *found)

    async def edit(self, edit: Edit, _: float) -> None:
        _write(self.workspace.path(edit.task), *edit[2:])

    async def end(self, name: str, now: float) -> None:
        base = self.state.active[name].base
        self.tell(now, agent_ended(name, 1, "ok", "done"))
        work = await self.workspace.collect(name, 1, base, name, "")
        self.tell(now, work_found(name, 1, work.commit, work.changes))
        if not work.commit:
            return
        try:
            tip = await self.workspace.integrate(name, work.commit, name)
            self.tell(now, f.Merged(name, 1, work.commit, tip))
        except MergeConflict as conflict:
            tip = await self.workspace.integration_tip()
            self.tell(now, f.MergeRefused(name, 1, tip, conflict.paths, conflict.detail))

    def close(self) -> None:
        self.radar.close()


async def play(team: Team, run: Run) -> None:
    """Everything that happens, in its order."""
    await team.begin()
    last = max(run.ends.values())
    moments: list[tuple[float, int, Act]] = [(edit.at, 0, partial(team.edit, edit)) for edit in run.edits]
    moments += [(at, 1, partial(team.end, name)) for name, at in run.ends.items()]
    # Once more, when what was merged is there to be seen.
    moments += [(at, 2, team.look) for at in run.ends.values()]
    moments += [(EVERY * turn, 2, team.look) for turn in range(1, int(last / EVERY) + 1)]
    for at, _, act in sorted(moments, key=lambda moment: moment[:2]):
        await act(at)
    team.close()


def _write(copy: Path, name: str, line: int, text: str) -> None:
    path = copy / name
    lines = path.read_text().splitlines(keepends=True)
    lines[line] = f"{text}\n"
    path.write_text("".join(lines))


class Verdict(NamedTuple):
    planted: int
    false: int
    delays: list[float]
    left: list[float]
    """Shares of the later one's run."""


def judge(team: Team, run: Run) -> Verdict:
    delays, left = [], []
    real = {(frozenset((each.one, each.other)), each.path) for each in run.conflicts}
    touched = {(task, each.path) for each in run.conflicts for task in (each.one, each.other)}
    for planted in (each for each in run.conflicts if _came_to_be(team, run, each)):
        pair = {planted.one, planted.other}
        later = max(pair, key=lambda name: run.ends[name])
        when = [
            at
            for at, event in team.foreseen
            if planted.path in event.paths and ({event.task, event.other} in (pair, {later, ""}))
        ]
        if when and min(when) < run.ends[later]:
            delays.append(min(when) - planted.arises)
            left.append(1 - min(when) / run.ends[later])
    false = [
        path
        for _, event in team.foreseen
        for path in event.paths
        if (frozenset((event.task, event.other)), path) not in real
        and not (event.other == "" and (event.task, path) in touched)
    ]
    count = sum(_came_to_be(team, run, each) for each in run.conflicts)
    return Verdict(count, len(false), delays, left)


def _came_to_be(team: Team, run: Run, planted: Planted) -> bool:
    """Not so where the first of the two had ended before, and its work was turned down for another one."""
    first = min(planted.one, planted.other, key=lambda name: run.ends[name])
    return planted.arises < run.ends[first] or any(merge.task == first for merge in team.state.merges)


async def catch(workspace: GitWorkspace, given: argparse.Namespace) -> None:
    verdicts = []
    for seed in range(given.rounds):
        random = Random(seed)
        first = given.workers * (seed + 1) + 1
        tasks = [f"task-{first + number}" for number in range(given.workers)]
        run = Run({task: random.uniform(SHORTEST, LONGEST) for task in tasks})
        paths = [f"part-{n // A_FOLDER}/file-{n % A_FOLDER}.txt" for n in range(given.files)]
        run.plant(random, random.sample(paths, 3 * given.conflicts), given.conflicts)
        # What earlier rounds merged is no conflict of this one.
        team = Team(workspace, await workspace.integration_tip(), tasks)
        await play(team, run)
        verdicts.append(judge(team, run))
        for task in tasks:
            await workspace.release(task)
    planted = sum(verdict.planted for verdict in verdicts)
    delays = [delay for verdict in verdicts for delay in verdict.delays]
    left = [share for verdict in verdicts for share in verdict.left]
    missed = planted - len(delays)
    decoys = 2 * given.conflicts * given.rounds
    told("conflicts that nobody heard of in time", 100 * missed / planted, MISSED, f"{missed} of {planted}")
    told("false alarms", sum(verdict.false for verdict in verdicts), FALSE, f"beside {decoys} decoys")
    detail = f"{median(left):.0%} of the run was left" if left else ""
    told("told after the second edit, median", median(delays) if delays else 0.0, DELAY, detail)


class ByHand:
    """What one would do with plain git: a commit of each copy, and a trial merge of each two."""

    def __init__(self, root: Path, tasks: Sequence[str]) -> None:
        self.root = root
        self.copies = [root.parent / task for task in tasks]
        for copy in self.copies:
            git(root, "worktree", "add", "--quiet", "-b", copy.name, str(copy), "main")

    def look(self) -> tuple[float, float]:
        """Seconds of all, and of the merges alone."""
        begun = time.perf_counter()
        names = []
        for copy in self.copies:
            git(copy, "add", "--all")
            names.append(git(copy, "commit-tree", git(copy, "write-tree"), "-p", "main", "-m", "now"))
        merging = time.perf_counter()
        for position, one in enumerate(names):
            for other in names[:position]:
                git(self.root, "merge-tree", "--write-tree", one, other)
        return time.perf_counter() - begun, time.perf_counter() - merging


async def cost(workspace: GitWorkspace, root: Path, base: str, given: argparse.Namespace) -> None:
    """All agents have changed a file since the last look: each two have to be tried."""
    tasks = [f"task-{number}" for number in range(1, given.workers + 1)]
    team, plain = Team(workspace, base, tasks), ByHand(root, tasks)
    await team.begin()
    looks, by_hand, merges, cores = [], [], [], []
    for turn in range(LOOKS + 1):
        for number, task in enumerate(tasks):
            for copy in (workspace.path(task), plain.copies[number]):
                _write(copy, f"part-0/file-{number}.txt", turn, f"{turn} by {task}")
        spent, begun = _processor(), time.perf_counter()
        await team.look(EVERY * turn)
        looks.append(time.perf_counter() - begun)
        cores.append(_processor() - spent)
        whole, alone = plain.look()
        by_hand.append(whole)
        merges.append(alone)
    # The first one reads what the checkout wrote.
    detail = f"{median(looks[1:]) * 1e3:.0f} ms; {ratio(looks[1:], merges[1:]):.1f}x of its merge-tree alone"
    told("a look against plain git", ratio(looks[1:], by_hand[1:]), COST, detail)
    spent = _processor()
    await team.look(EVERY)
    quiet = f"{(_processor() - spent) / EVERY:.2%} while nothing changes"
    told(f"of one core with {given.workers} at work", 100 * median(cores[1:]) / EVERY, CORE, quiet)
    team.close()
    for task in tasks:
        # They serve the next ones.
        await workspace.release(task)


def _processor() -> float:
    """Seconds of this process and of all the git it has waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--conflicts", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    with scratch() as folder, both(folder, given.files) as (plain, ours):
        asyncio.run(cost(ours.workspace, plain.root, ours.base, given))
        asyncio.run(catch(ours.workspace, given))


if __name__ == "__main__":
    main()

"""What every proof works with: the work in question, and runs of its checks on variants of it.

Their programs are asked for the names of tests, so that these can be compared.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar, cast

from teamlead.core.evidence.asking_names import Asking, asking
from teamlead.core.evidence.values import CheckResult, Cost
from teamlead.core.model import Change as ChangedFile
from teamlead.evidence.proofs.harness import Harness
from teamlead.evidence.proofs.variants import Files, variant
from teamlead.ports.checking import Case, CheckEnd, Trials
from teamlead.system.git import Git

LEAST = 30.0
"""Seconds. So long further runs may take in any case: those of a small suite are short, and many."""
UNLIMITED = 10
"""Where checks may take any time, one run takes at most so many times as long as its check."""
ABSENT = "000000"


class Change(NamedTuple):
    """What was changed, and what of it says how it is tested."""

    files: tuple[ChangedFile, ...]
    harness: Harness


Found = TypeVar("Found")
Asks = ParamSpec("Asks")


class Ran(NamedTuple):
    commit: str
    """The variant it ran on."""
    end: CheckEnd

    @property
    def passed(self) -> bool:
        return self.end.exit_code == 0


class Bench:
    """One for each piece of work. Once its time is over, nothing more is run."""

    def __init__(self, git: Git, trials: Trials, case: Case, change: Change) -> None:
        self.git = git
        self.case = case
        self.changes = change.files
        self.harness = change.harness
        self.costs: dict[str, Cost] = {}
        self.was_cut_short = False
        self._on_base: dict[str, Ran | None] = {}
        self._asked: dict[str, Asking] = {}
        self._known: dict[Callable[..., object], object] = {}
        self._asks = ""
        self._trials = trials
        self._left = max(LEAST, case.times * sum(check.seconds for check in case.checks))

    @property
    def base(self) -> str:
        return self.case.claim.base

    @property
    def work(self) -> str:
        return self.case.claim.commit

    @property
    def out_of_time(self) -> bool:
        return self._left <= 0

    def has_time_for(self, check: CheckResult) -> bool:
        """All of it."""
        return self._left > check.seconds

    def was_there(self) -> list[str]:
        """The changed files that the base has."""
        return [change.path for change in self.changes if change.before != ABSENT]

    def is_there(self) -> list[str]:
        return [change.path for change in self.changes if change.after != ABSENT]

    async def look(
        self, question: Callable[Concatenate[Git, Asks], Found], *asked: Asks.args, **named: Asks.kwargs
    ) -> Found:
        """Asks git, in a thread."""
        return await asyncio.to_thread(question, self.git, *asked, **named)

    async def once(self, find: Callable[["Bench"], Awaitable[Found]]) -> Found:
        """What several proofs need is found out by the first of them."""
        if find not in self._known:
            with self.counted(find):
                self._known[find] = await find(self)
        return cast("Found", self._known[find])

    @contextmanager
    def counted(self, find: Callable[..., object]) -> Iterator[None]:
        """What runs meanwhile is what this costs."""
        before, self._asks = self._asks, find.__name__.replace("_", " ")
        try:
            yield
        finally:
            self._asks = before

    async def run_on_base(self, check: CheckResult) -> Ran | None:
        """It is what everything else is held against: the time for further runs is not asked."""
        if check.command not in self._on_base:
            ended = check.base is None or check.base.exit_code is not None
            ran = await self._run(self.base, check, decisive=True) if ended else None
            self._on_base[check.command] = ran
        return self._on_base[check.command]

    async def run_with(
        self,
        commit: str,
        files: Files,
        check: CheckResult,
        *,
        repetition: int = 0,
        environment: Mapping[str, str] = {},
        around: Callable[[str], str] = str,
        within: float = math.inf,
        decisive: bool = False,
    ) -> Ran | None:
        """Runs the check on `commit` with these files. None: its time was over before it ended.

        `around` says what the shell does before and after the command. `within`: seconds. `decisive`: work is
        turned down for what it tells, so that it may take as long as the check itself, whatever ran before.
        """
        if self.out_of_time and not decisive:
            self.was_cut_short = True
            return None
        made = await self.look(variant, commit, files)
        return await self._run(
            made,
            check,
            repetition=repetition,
            environment=environment,
            around=around,
            within=within,
            decisive=decisive,
        )

    async def _run(
        self,
        commit: str,
        check: CheckResult,
        *,
        repetition: int = 0,
        environment: Mapping[str, str] = {},
        around: Callable[[str], str] = str,
        within: float = math.inf,
        decisive: bool = False,
    ) -> Ran | None:
        asked = await self._asking(check)
        bound = self._limit(check)
        end = await self._timed(
            commit,
            asked._replace(command=around(asked.command), environment={**asked.environment, **environment}),
            bound if decisive else max(1.0, min(bound, self._left, within)),
            repetition=repetition,
            decisive=decisive,
        )
        if end.exit_code is not None:
            return Ran(commit, end)
        self.was_cut_short |= self.out_of_time and not decisive
        return None

    async def _asking(self, check: CheckResult) -> Asking:
        """As its tests were compared by name: what ran for that is remembered, and is not run again."""
        if check.suite is None:
            return Asking(check.command)
        if check.command not in self._asked:
            told = check.suite
            if check.base is not None and check.base.exit_code is not None:
                plain = Asking(check.command)
                base = (await self._timed(self.base, plain, self._limit(check), decisive=True)).suite
                # A program that is told to be brief names those that fail, and no others.
                told = base if base is not None and base.passed else told
            self._asked[check.command] = asking(check.command, told) or Asking(check.command)
        return self._asked[check.command]

    def _limit(self, check: CheckResult) -> float:
        return self.case.timeout or max(LEAST, UNLIMITED * check.seconds)

    async def _timed(
        self, commit: str, asked: Asking, bound: float, *, repetition: int = 0, decisive: bool = False
    ) -> CheckEnd:
        started = time.monotonic()
        end = await self._trials.run(
            commit, asked.command, bound, repetition=repetition, environment=asked.environment
        )
        took = time.monotonic() - started
        if not end.remembered:
            known = self.costs.get(self._asks, Cost(self._asks, 0, 0.0))
            self.costs[self._asks] = Cost(self._asks, known.runs + 1, round(known.seconds + took, 2))
        if not decisive:
            self._left -= took
        return end

"""What was spent, counted from the events alone, and whether an attempt could be afforded when it started."""

from dataclasses import dataclass, field
from math import ceil
from typing import Any

from teamlead.core import events as e
from teamlead.core.model import SessionSpec
from teamlead.core.state.team_state import TeamState

DIMENSIONS = ("cost_usd", "tokens", "seconds", "turns")


@dataclass(eq=False)
class Run:
    task: str
    kind: str
    scopes: list[str]
    working_since: float | None = None
    reserved: dict[str, dict[str, float]] = field(default_factory=dict)
    used: dict[str, float] | None = None
    attempt: int = 0
    shares: bool = False
    """It uses the seat of the attempt that it is asked about."""


@dataclass
class Accounts:
    jobs: int = 0
    grants: dict[str, Any] = field(default_factory=dict)
    subjects: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The attempt that each model was asked about, if any."""
    limits: dict[str, dict[str, float]] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    borrows: bool = False
    """Its agents have no copy that is prepared for them: the session makes a plan."""
    live: dict[str, Run] = field(default_factory=dict)
    asked: dict[str, Run] = field(default_factory=dict)
    """Consultations under way."""
    ended: list[Run] = field(default_factory=list)
    """Of those that have used something, each once."""

    def observe(self, event: e.AnyEvent, now: float) -> str:
        """A complaint, or nothing."""
        match event:
            case e.SessionOpened():
                self._open(event.spec)
            case e.TaskAdded():
                self._add(event.spec)
            case e.BudgetRaised():
                spent, limits = self._spent(event.scope), self.limits[event.scope]
                grant = self.grants[event.scope]
                raised = {d: max(limits[d], spent[d]) + grant[d] for d in event.of or limits}
                self.limits[event.scope] = limits | raised
            case e.AttemptStarted():
                return self._start(event, now)
            case e.CopyPrepared():
                self.live[event.task].working_since = now
            case e.AttemptStopping():
                self._use(self.live[event.task], event, now)
            case e.RunEnded() if event.run not in self.asked:
                self._use(self.live[event.task], event, now)
            case e.AttemptEnded():
                run = self.live.pop(event.task)
                if run.used and run not in self.ended:
                    self.ended.append(run)
            case _:
                self._observe_consultation(event, now)
        return ""

    def _observe_consultation(self, event: e.AnyEvent, now: float) -> None:
        match event:
            case e.RunWanted():
                self.subjects[event.run] = event.task, event.attempt
            case e.RunStarted():
                role = event.run.rsplit("-", 2)[-2]
                self.asked[event.run] = Run("", kind_of(event.agent), ["session", f"role:{role}"], now)
                task, attempt = self.subjects[event.run]
                live = self.live.get(task)
                shares = live is not None and live.attempt == attempt and live not in self.ended
                self.asked[event.run].shares = shares and role != "tester"
            case e.RunEnded():
                run = self.asked.pop(event.run)
                run.used = used_by(event, now - (run.working_since or 0.0))
                self.ended.append(run)
            case _:
                pass

    def _open(self, spec: SessionSpec) -> None:
        self.jobs = spec.limits.jobs
        self.borrows = spec.plan.tasks[0].plans
        self._grant("session", spec.budget)
        for role in spec.roles:
            self._grant(f"role:{role.name}", role.budget)
        for task in spec.plan.tasks:
            self._add(task)

    def _grant(self, scope: str, budget: Any) -> None:
        limits = {d: getattr(budget, d) for d in DIMENSIONS if getattr(budget, d) is not None}
        self.grants[scope], self.limits[scope] = limits, dict(limits)

    def _add(self, spec: Any) -> None:
        self.roles[spec.id] = spec.role
        self._grant(f"task:{spec.id}", spec.budget)

    def _use(self, run: Run, event: e.AttemptStopping | e.RunEnded, now: float) -> None:
        if run in self.ended:
            return
        seconds = now - run.working_since if run.working_since is not None else 0.0
        run.working_since = now
        run.used = run.used or dict.fromkeys(DIMENSIONS, 0.0)
        run.used["seconds"] += seconds
        if isinstance(event, e.RunEnded):
            run.used = used_by(event, run.used["seconds"])
            run.reserved = {}
            self.ended.append(run)

    def _spent(self, scope: str) -> dict[str, float]:
        runs = [run.used or {} for run in self.ended if scope in run.scopes]
        # A clock that was set back gives nothing back.
        return {d: sum(max(run.get(d, 0.0), 0.0) for run in runs) for d in DIMENSIONS}

    def _start(self, event: e.AttemptStarted, now: float) -> str:
        kind = kind_of(event.agent)
        scopes = ["session", f"role:{self.roles[event.task]}", f"task:{event.task}"]
        run = Run(event.task, kind, scopes, attempt=event.attempt)
        run.working_since = now if self.borrows else None
        for scope in scopes:
            limits = self.limits.get(scope)
            spent = self._spent(scope) if limits else {}
            for dimension, limit in (limits or {}).items():
                taken = spent[dimension] + self._reserved(scope, dimension)
                need = self._need(scope, dimension, kind, limit - taken)
                if taken >= limit or taken + need > limit * 1.000001:
                    return f"{event.task} starts, and the budget of {scope} is used up ({dimension})"
                run.reserved.setdefault(scope, {})[dimension] = need
        self.live[event.task] = run
        return ""

    def _seats(self) -> int:
        """Taken. Whoever is asked about an attempt at work uses its seat."""
        at_work = [run for run in self.live.values() if run not in self.ended]
        return len(at_work) + sum(not run.shares for run in self.asked.values())

    def _reserved(self, scope: str, dimension: str) -> float:
        return sum(run.reserved.get(scope, {}).get(dimension, 0.0) for run in self.live.values())

    def _need(self, scope: str, dimension: str, kind: str, left: float) -> float:
        seen = [r.used[dimension] for r in self.ended if r.used and r.kind == kind and scope in r.scopes]
        largest = max(seen, default=0.0)
        if largest:
            grant: float = self.grants[scope][dimension]
            return min(largest, grant)
        share = left / (1 if scope.startswith("task:") else max(self.jobs - self._seats(), 1))
        return ceil(share) if dimension in {"tokens", "turns"} else share

    def compare(self, state: TeamState) -> str:
        for scope, purse in state.purses.items():
            spent = self._spent(scope)
            for dimension in DIMENSIONS:
                if abs(getattr(purse.spent, dimension) - spent[dimension]) > 1e-6:
                    return f"{scope} has spent {purse.spent}, but its runs {spent}"
                limit = self.limits[scope].get(dimension)
                if getattr(purse.limit, dimension) != limit:
                    return f"the limit of {scope} is {purse.limit}, not {limit} ({dimension})"
                reserved = self._reserved(scope, dimension)
                if abs(sum(getattr(r, dimension) for r in purse.reserved.values()) - reserved) > 1e-6:
                    return f"{scope} reserves {purse.reserved}, not {reserved} ({dimension})"
        return ""


def used_by(event: e.RunEnded, seconds: float) -> dict[str, float]:
    usage = event.end.usage
    tokens = (usage.input_tokens or 0) + (usage.output_tokens or 0)
    return {
        "cost_usd": usage.cost_usd or 0.0,
        "tokens": tokens,
        "seconds": max(seconds, 0.0),
        "turns": event.end.turns,
    }


def kind_of(agent: str) -> str:
    """The slow way."""
    known = ("claude", "codex", "gemini")
    return next((name for name in known if agent == name or agent.startswith(name + ":")), agent)

"""Simulated models that the lead consults: wise, contrary, unreadable, hanging, limited, or lost with it."""

from pathlib import Path
from typing import TYPE_CHECKING

from tests.core.oracle import law as promise
from tests.simulation.agents import OUTAGES, Agents, Run
from tests.simulation.line import Line
from tests.simulation.opinions import contrary, wise

from teamlead.core import runs
from teamlead.core.answers import Answer, Judgement
from teamlead.core.runs import Purpose, RunEnd
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Consulting, Shown
from teamlead.errors import Refused
from teamlead.ports.runner import RunSpec

if TYPE_CHECKING:
    from tests.simulation.world import World

Files = tuple[tuple[str, bytes], ...]

BEHAVIOURS = ("disagrees",) * 4 + ("mumbles", "mumbles", "hangs", "fails", "never starts")


class Consultants(Agents):
    """They look, and change nothing."""

    def __init__(self, world: "World") -> None:
        super().__init__(world)
        self.said: dict[str, Answer] = {}
        """What each really answered, by its consultation."""
        self._content_with: set[tuple[str, Files]] = set()
        """What a judge said yes to."""
        self._looks_at: dict[str, str] = {}

    @staticmethod
    def place(spec: RunSpec) -> str:
        return f"{spec.task}-{spec.attempt}"

    def start(self, spec: RunSpec, line: Line) -> Run:
        self._first_time(spec, line)
        name = self.place(spec)
        promise(spec.cwd.name in self.world.workspace.loans, f"{name} is asked without a clean copy")
        self.world.truth.asked(name)
        self._looks_at[name] = self.world.workspace.loans[spec.cwd.name]
        return self._launch(spec, line)

    def _broken(self, spec: RunSpec) -> str:
        return "mumbles" if self.world.broken(spec.role) else ""

    def _behaviour(self) -> str:
        random, weather = self.world.random, self.world.weather
        if not self.world.calm and random.random() < weather.outages:
            return random.choice(OUTAGES)
        lucky = self.world.calm or random.random() < weather.luck
        return "answers" if lucky else random.choice(BEHAVIOURS)

    def may_end(self, run: Run) -> None:
        if run.line.cut or run.line.stale or run.line.leaving or self.world.state.draining:
            return
        state, name = self.world.state, self.place(run.spec)
        live = state.active.get(run.spec.task)
        makes_plan = live is not None and live.run.id == name and live.phase == "working"
        wanted = name in state.advising or makes_plan
        promise(not wanted, f"{self.place(run.spec)} is ended, and its answer is wanted")

    def _work(self, run: Run) -> RunEnd:
        name = self.place(run.spec)
        match run.behaviour:
            case "fails":
                return RunEnd("error", detail="it crashed")
            case "hangs":
                return RunEnd("timeout", detail="it still ran")
            case "mumbles":
                return RunEnd("ok", summary="Well, it depends.")
            case "disagrees":
                answer = contrary(self.world.random, self._purpose(name))
            case _:
                answer = wise(self.world.random, self._purpose(name))
        self.said[name] = answer
        if isinstance(answer, Judgement) and answer.success and not answer.objects:
            self._content_with.add((run.spec.task.removesuffix("-judge"), self._files(self._looks_at[name])))
        return RunEnd("ok", summary=name)

    def content_with(self, task: str, commit: str) -> bool:
        """A judge has seen all of this, and said yes."""
        return (task, self._files(commit)) in self._content_with

    def _files(self, commit: str) -> Files:
        return tuple(sorted(self.world.workspace.history.commits[commit].files.items()))

    def _purpose(self, name: str) -> Purpose:
        return self.world.state.runs[name].purpose

    async def read(self, _state: TeamState, _asked: runs.Run, text: str) -> Answer:
        if text not in self.said:
            raise Refused("there is no JSON in it")
        return self.said[text]

    @property
    def consulting(self) -> Consulting:
        async def transcript(_: Path) -> str:
            return ""

        def prompt(_state: TeamState, _asked: runs.Run, _shown: Shown) -> str:
            return ""

        return Consulting(prompt, transcript, self.read)

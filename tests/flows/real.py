"""The real Claude Code and Codex under the real program; only the model they ask is scripted."""

import json
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

from tests import programs
from tests.flows.support import Ended, Project, Running, Step, toml

from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.script import check_script

Agent = Literal["claude", "codex"]

KEY = "not-a-key"
MODEL = "scripted"
"""Named, because each program offers other tools to models that it knows."""

SETTINGS = {
    "retry_delay": 0,
    "question_wait": 30,
    "idle_timeout": 60,
    "grace": 3,
    # Nobody is consulted where workers are the subject.
    "judge": False,
    "planner": False,
}


def team(tool: str, **given: Any) -> Step:
    return {"team": tool, "input": given}


def call(tool: str, **given: Any) -> Step:
    return {"call": tool, "input": given}


def refuse(status: int, reset_in: float | None = None) -> Step:
    """The service does not answer as it should."""
    return {"http": status} if reset_in is None else {"http": status, "reset_in": reset_in}


@dataclass
class RealTeam:
    project: Project
    agent: Agent
    _models: ExitStack = field(default_factory=ExitStack)
    model: ScriptedModel | None = None
    _login: bool = False

    def __post_init__(self) -> None:
        programs_found = {"claude": programs.claude, "codex": programs.codex}
        program = self.project.reach(programs_found[self.agent]())
        self.project.environment[f"TEAMLEAD_{self.agent.upper()}"] = str(program)
        self.settings()

    def settings(self, more: str = "", **changed: int) -> Self:
        lines = (f"{name} = {toml(value)}\n" for name, value in {**SETTINGS, **changed}.items())
        self.project.settings("".join(lines) + more)
        return self

    def task(self, number: int, *attempts: list[Step], **options: Any) -> Self:
        self.project.task(number, *attempts, **options)
        return self

    def beside(self, other: Agent) -> list[str]:
        """The fields of a task that another agent is to do."""
        RealTeam(self.project, other)
        return [f"Agent: {other}", f"Model: {MODEL}"]

    def _think(self) -> None:
        script = check_script(self.project.script.read_text(), "script", "model")
        self.model = self._models.enter_context(ScriptedModel(script))
        self.project.environment |= {
            "ANTHROPIC_BASE_URL": self.model.url,
            "OPENAI_BASE_URL": f"{self.model.url}/v1",
        }
        if not self._login:
            self.project.environment |= {"ANTHROPIC_API_KEY": KEY, "CODEX_API_KEY": KEY}

    def _arguments(self, options: tuple[str, ...]) -> list[str]:
        self._think()
        if self._login and self.agent == "codex":
            assert self.model is not None
            options += ("--argument=-c", f"--argument=openai_base_url={toml(self.model.url + '/v1')}")
        return ["start", str(self.project.plan), "--agent", self.agent, "--model", MODEL, *options]

    @property
    def home(self) -> Path:
        """The program's own, in the user's."""
        return Path(self.project.environment["HOME"]) / f".{self.agent}"

    def log_in(self) -> Self:
        """As the user does once, by hand; no variable has a key."""
        self._login = True
        self.home.mkdir()
        hours = 3_600_000
        token = {"accessToken": KEY, "refreshToken": KEY, "expiresAt": int(time.time() * 1000) + 24 * hours}
        kept: dict[Agent, tuple[str, object]] = {
            "claude": (".credentials.json", {"claudeAiOauth": {**token, "scopes": ["user:inference"]}}),
            "codex": ("auth.json", {"OPENAI_API_KEY": KEY}),
        }
        name, content = kept[self.agent]
        (self.home / name).write_text(json.dumps(content))
        return self

    def teamlead(self, command: str, *arguments: str) -> Ended:
        """Any command that chooses agents."""
        self._think()
        return self.project.teamlead(command, *arguments, "--agent", self.agent, "--model", MODEL)

    def start(self, *options: str) -> Ended:
        return self.project.teamlead(*self._arguments(options))

    def start_in_background(self, *options: str) -> Running:
        return self.project.background(*self._arguments(options))

    def events_of(self, kind: str) -> list[dict[str, Any]]:
        return [event["body"] for event in self.project.events() if event["kind"] == kind]

    def in_copy(self, name: str) -> bool:
        """Whether a copy holds this file: Codex may not write anywhere else."""
        return any(self.project.state_home.glob(f"*/copies/*/*/{name}"))

    def close(self) -> None:
        self._models.close()

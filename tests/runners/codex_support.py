"""Runs of the real codex against the scripted model."""

import asyncio
import json
import subprocess
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests import programs

from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec
from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.codex.runner import CodexRunner
from teamlead.runners.run_events import Event
from teamlead.runners.script import check_script

T = TypeVar("T")
PROMPT = "# task-1: A title\n\nThis is attempt {attempt}.\n\nDo it."
PATCHING = "gpt-5.5"
"""A model that is offered `apply_patch`; one that is not known gets a shell alone."""


class Codex:
    """A working copy, as a linked worktree of a repository, and runs in it."""

    def __init__(self, place: Path, environment: pytest.MonkeyPatch) -> None:
        self._stack = ExitStack()
        self._environment = environment
        self.place = place
        self.repository = place / "repository"
        self.copy = place / "copies" / "task-1"
        self.home = place / "homes" / "task-1"
        self.model: ScriptedModel | None = None
        self.runner = CodexRunner(programs.codex())
        # What is in the home of whoever runs the tests must make no difference.
        environment.setenv("HOME", str(place))
        for variable in ("CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
            environment.delenv(variable, raising=False)
        git(place, "init", "--quiet", "--initial-branch=main", str(self.repository))
        git(self.repository, "commit", "--quiet", "--allow-empty", "--message=begun")
        git(self.repository, "worktree", "add", "--quiet", str(self.copy), "-b", "work")

    def follow(self, *attempts: str) -> ScriptedModel:
        """From now on the model follows these steps, the first for the first attempt."""
        text = "".join(f"[[default]]\nsteps = [{steps}]\n" for steps in attempts)
        self.model = self._stack.enter_context(ScriptedModel(check_script(text, "script", "model")))
        self._environment.setenv("OPENAI_BASE_URL", f"{self.model.url}/v1")
        self._environment.setenv("OPENAI_API_KEY", "sk-secret")
        return self.model

    def spec(self, **changes: Any) -> RunSpec:
        attempt = changes.get("attempt", 1)
        prompt = PROMPT.format(attempt=attempt)
        folder = self.place / "attempts" / f"task-1.{attempt}"
        run = RunSpec(
            session="s1",
            task="task-1",
            attempt=attempt,
            role="worker",
            model="a-model",
            prompt=prompt,
            cwd=self.copy,
            folder=folder,
            hard_timeout=60.0,
            idle_timeout=60.0,
            slot=2,
        )
        return run._replace(home=self.home)._replace(**changes)

    def run(self, steps: str = "", **changes: Any) -> RunEnd:
        if steps:
            self.follow(steps)
        return wait(self._run(self.spec(**changes)))

    async def _run(self, spec: RunSpec) -> RunEnd:
        return await (await self.runner.start(spec)).result()

    def asked(self) -> Any:
        """What the model was asked last."""
        assert self.model is not None
        return self.model.requests[-1].body

    def events(self, kind: str, attempt: int = 1) -> list[Event]:
        lines = (self.spec(attempt=attempt).folder / "events.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["type"] == kind]

    def close(self) -> None:
        self._stack.close()


def wait(main: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(main, 90))


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=User", "-c", "user.email=user@example.invalid"]
    done = subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def codex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Codex]:
    made = Codex(tmp_path, monkeypatch)
    yield made
    made.close()

"""Runs of the real gemini against the scripted model."""

import asyncio
import json
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest

from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec
from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.detection import locate
from teamlead.runners.gemini.runner import GeminiRunner
from teamlead.runners.run_events import Event
from teamlead.runners.script import check_script

T = TypeVar("T")
PROMPT = "# task-1: A title\n\nThis is attempt {attempt}.\n\nDo it."


class Gemini:
    def __init__(self, place: Path, environment: pytest.MonkeyPatch) -> None:
        program = locate("gemini")
        if program is None:
            pytest.skip("gemini is not installed: `npm install @google/gemini-cli` brings it")
        self._stack = ExitStack()
        self._environment = environment
        self._models: list[ScriptedModel] = []
        self.place = place
        self.copy = place / "copy"
        self.copy.mkdir()
        self.runner = GeminiRunner(program)
        for variable in ("GEMINI_CLI_HOME", "GOOGLE_API_KEY", "GEMINI_CLI_TRUST_WORKSPACE"):
            environment.delenv(variable, raising=False)
        environment.setenv("GEMINI_API_KEY", "gm-secret")
        # What is in the home of whoever runs the tests must make no difference.
        environment.setenv("HOME", str(place))

    @property
    def model(self) -> ScriptedModel:
        return self._models[-1]

    def follow(self, *attempts: str) -> None:
        """From now on the model follows these steps, the first for the first attempt."""
        text = "".join(f"[[default]]\nsteps = [{steps}]\n" for steps in attempts)
        self._models.append(self._stack.enter_context(ScriptedModel(check_script(text, "script", "model"))))
        self._environment.setenv("GOOGLE_GEMINI_BASE_URL", self.model.url)

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
            hard_timeout=90.0,
            idle_timeout=90.0,
            slot=2,
        )
        return run._replace(home=self.place / "home")._replace(**changes)

    def run(self, steps: str = "", **changes: Any) -> RunEnd:
        if steps:
            self.follow(steps)
        return wait(self._run(self.spec(**changes)))

    async def _run(self, spec: RunSpec) -> RunEnd:
        return await (await self.runner.start(spec)).result()

    def events(self, kind: str) -> list[Event]:
        lines = (self.spec().folder / "events.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["type"] == kind]

    def close(self) -> None:
        self._stack.close()


def wait(main: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(main, 110))


@pytest.fixture
def gemini(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gemini]:
    made = Gemini(tmp_path, monkeypatch)
    yield made
    made.close()

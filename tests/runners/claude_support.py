"""The real Claude Code against a scripted model, in a working copy of its own."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests import programs

from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunHandle, RunSpec
from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.claude.runner import ClaudeRunner
from teamlead.runners.script import check_script

T = TypeVar("T")
PROMPT = "# task-1: A title\n\nThis is attempt {attempt}.\n\nDo it."


class Claude:
    """Runs of one task; keywords change the specification of a run."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.copy = root / "copy"
        self.copy.mkdir()
        self._environment = monkeypatch
        self._models: list[ScriptedModel] = []
        self._runner = ClaudeRunner(programs.claude())
        for name in ("ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
        # What it finds in the home of whoever runs the tests must make no difference.
        monkeypatch.setenv("HOME", str(root))

    @property
    def model(self) -> ScriptedModel:
        return self._models[-1]

    def follows(self, *attempts: str, second: str = "") -> "Claude":
        """The model's steps, a string an attempt; those of a second task, if it comes to one."""
        text = "".join(f"[[default]]\nsteps = [{steps}]\n" for steps in attempts)
        text += f"[[task-2]]\nsteps = [{second}]\n" if second else ""
        self._models.append(ScriptedModel(check_script(text, "script", "model")).__enter__())
        self._environment.setenv("ANTHROPIC_BASE_URL", self.model.url)
        return self

    def spec(self, attempt: int = 1, **changes: Any) -> RunSpec:
        prompt = PROMPT.format(attempt=attempt)
        folder = self.root / "attempts" / str(attempt)
        spec = RunSpec(
            session="s1",
            task="task-1",
            attempt=attempt,
            role="worker",
            model="",
            prompt=prompt,
            cwd=self.copy,
            folder=folder,
            hard_timeout=60.0,
            idle_timeout=60.0,
            slot=2,
        )
        return spec._replace(home=self.root / "home")._replace(**changes)

    async def start(self, attempt: int = 1, **changes: Any) -> RunHandle:
        return await self._runner.start(self.spec(attempt, **changes))

    async def end(self, attempt: int = 1, **changes: Any) -> RunEnd:
        return await (await self.start(attempt, **changes)).result()

    def run(self, attempt: int = 1, **changes: Any) -> RunEnd:
        return wait(self.end(attempt, **changes))

    def events(self, kind: str, attempt: int = 1) -> list[dict[str, Any]]:
        lines = (self.root / "attempts" / str(attempt) / "events.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["type"] == kind]

    def raw(self) -> str:
        return (self.root / "attempts" / "1" / "raw.jsonl").read_text()

    def files(self) -> list[str]:
        found = (path for path in self.copy.rglob("*") if path.is_file())
        return sorted(str(path.relative_to(self.copy)) for path in found)

    async def calls_a_tool(self) -> None:
        await until(lambda: bool(self._stream().count(b"tool_call")))

    async def asks_its_model(self) -> None:
        await until(lambda: bool(self.model.requests))

    def _stream(self) -> bytes:
        path = self.root / "attempts" / "1" / "events.jsonl"
        return path.read_bytes() if path.exists() else b""

    def close(self) -> None:
        for model in self._models:
            model.__exit__(None, None, None)


def wait(main: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(main, 90))


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - of another process, which tells nobody
        await asyncio.sleep(0.02)

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.runners.claude_support import Claude

from teamlead.ports.runner import RunSpec
from teamlead.runners.scripted import ScriptedRunner

MakeSpec = Callable[..., RunSpec]
MakeRunner = Callable[[str], ScriptedRunner]


@pytest.fixture
def spec(tmp_path: Path) -> MakeSpec:
    """A run of task-1 in an empty working copy; keywords change it."""
    cwd = tmp_path / "copy"
    cwd.mkdir()

    def make(**changes: Any) -> RunSpec:
        run = RunSpec(
            session="s1",
            task="task-1",
            attempt=1,
            role="worker",
            model="",
            prompt="Do it.",
            cwd=cwd,
            folder=Path(),
            hard_timeout=60.0,
            idle_timeout=60.0,
            slot=2,
        )._replace(**changes)
        return run._replace(folder=tmp_path / "attempts" / f"{run.task}.{run.attempt}")

    return make


@pytest.fixture
def scripted(tmp_path: Path) -> MakeRunner:
    """A runner whose agent follows these steps for every task."""

    def make(steps: str) -> ScriptedRunner:
        script = tmp_path / "script.toml"
        script.write_text(f"[[default]]\nsteps = [{steps}]\n", encoding="utf-8")
        return ScriptedRunner(script)

    return make


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Claude]:
    """The real program, whose model follows a script."""
    trial = Claude(tmp_path, monkeypatch)
    yield trial
    trial.close()

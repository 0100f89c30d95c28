import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from teamlead.core.model import ToolPolicy
from teamlead.errors import Refused
from teamlead.ports.runner import Runner, RunSpec
from teamlead.runners.codex.runner import CodexRunner
from teamlead.runners.command import CommandRunner
from teamlead.runners.gemini.runner import GeminiRunner

UNASKING = [CodexRunner(Path("/bin/true")), GeminiRunner(Path("/bin/true")), CommandRunner(["true"])]


@pytest.mark.parametrize("runner", UNASKING, ids=lambda runner: type(runner).__name__)
def test_a_program_that_cannot_ask_is_refused_to_a_role_that_must(
    spec: Callable[..., RunSpec], runner: Runner
) -> None:
    run = spec(role="careful", policy=ToolPolicy(asks=("shell", "web")))
    with pytest.raises(Refused, match=r"role 'careful' must \(asks: shell, web\).*choose claude"):
        asyncio.run(runner.start(run))
    assert not run.folder.exists()

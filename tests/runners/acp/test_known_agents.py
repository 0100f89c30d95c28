"""Real agents that speak ACP, against the scripted model, where they are on the PATH."""

import asyncio
import json
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import pytest
from tests import programs
from tests.mcp.support import FakeListener, serving

from teamlead.core.facts import Reported
from teamlead.core.model import ToolPolicy
from teamlead.core.runs import RunEnd
from teamlead.errors import Refused
from teamlead.ports.runner import RunHandle, RunSpec
from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.acp.runner import AcpRunner
from teamlead.runners.script import check_script

pytestmark = [pytest.mark.optional, pytest.mark.timeout(300)]

PROMPT = "# task-1: A title\n\nThis is attempt {attempt}.\n\nDo it."
AUDITOR = ToolPolicy(tools=("read", "search", "shell"), commands="audit", writes=())
PROVIDER = 'model_providers.p={{name="p",base_url="{url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}}'


def claude_agent_acp(url: str) -> tuple[list[str], dict[str, str]]:
    # Without the word that it is in a sandbox, it does not start for root.
    return ["claude-agent-acp"], {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", "IS_SANDBOX": "1"}


def codex_acp(url: str) -> tuple[list[str], dict[str, str]]:
    # It has no sandbox of its own; the one that codex brings will do.
    resources = programs.codex().parent.parent / "codex-resources"
    settings = ['model_provider="p"', 'model="gpt-5.5"', PROVIDER.format(url=url)]
    argv = ["codex-acp", *(word for setting in settings for word in ("-c", setting))]
    return argv, {"OPENAI_API_KEY": "none", "PATH": f"{os.environ['PATH']}:{resources}"}


def opencode(url: str) -> tuple[list[str], dict[str, str]]:
    model = "anthropic/claude-sonnet-4-5"
    provider = {"anthropic": {"options": {"baseURL": f"{url}/v1", "apiKey": "none"}}}
    config = {"model": model, "small_model": model, "provider": provider, "autoupdate": False}
    return ["opencode", "acp"], {"OPENCODE_CONFIG_CONTENT": json.dumps(config)}


class Make(Protocol):
    __name__: str

    def __call__(self, url: str) -> tuple[list[str], dict[str, str]]: ...


class Real:
    def __init__(self, make: Make, place: Path, environment: pytest.MonkeyPatch) -> None:
        self._make = make
        self.name = make.__name__
        self._place = place
        self._environment = environment
        self._models = ExitStack()
        self.copy = place / "copy"
        self.copy.mkdir()
        environment.setenv("HOME", str(place))
        environment.setenv("TMPDIR", str(place / "tmp"))
        (place / "tmp").mkdir()

    def start(self, *attempts: str, **changes: Any) -> "asyncio.Task[RunHandle]":
        text = "".join(f"[[default]]\nsteps = [{steps}]\n" for steps in attempts)
        self.model = self._models.enter_context(ScriptedModel(check_script(text, "script", "model")))
        argv, variables = self._make(self.model.url)
        if shutil.which(argv[0]) is None:
            pytest.skip(f"{argv[0]} is not on the PATH")
        for name, value in variables.items():
            self._environment.setenv(name, value)
        runner = AcpRunner(argv)
        self.steers = runner.capabilities.steer
        return asyncio.create_task(runner.start(self.spec(**changes)))

    def spec(self, **changes: Any) -> RunSpec:
        attempt = changes.get("attempt", 1)
        folder = self._place / "attempts" / str(attempt)
        prompt = PROMPT.format(attempt=attempt)
        run = RunSpec(
            session="s1",
            task="task-1",
            attempt=attempt,
            role="worker",
            model="",
            prompt=prompt,
            cwd=self.copy,
            folder=folder,
            hard_timeout=200.0,
            idle_timeout=100.0,
            slot=2,
        )
        return run._replace(home=self._place / "task-home", **changes)

    def run(self, *attempts: str, **changes: Any) -> RunEnd:
        async def main() -> RunEnd:
            return await (await self.start(*attempts, **changes)).result()

        return asyncio.run(main())

    def until_it_calls_a_tool(self) -> None:
        events = self.spec().folder / "events.jsonl"
        pause = threading.Event()
        while not (events.exists() and b'"tool_call"' in events.read_bytes()):
            pause.wait(0.05)

    def write(self, path: str, text: str) -> None:
        (self.copy / path).parent.mkdir(parents=True)
        (self.copy / path).write_text(text)

    def files(self) -> list[str]:
        return sorted(path.name for path in self.copy.iterdir())

    def close(self) -> None:
        self._models.close()


@pytest.fixture(params=[claude_agent_acp, codex_acp, opencode])
def real(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Real]:
    agent = Real(request.param, tmp_path, monkeypatch)
    yield agent
    agent.close()


def test_it_works_and_says_what_it_did(real: Real) -> None:
    end = real.run('{write = "made.txt", text = "x"}, {run = "touch ran.txt"}, {done = "made it"}')
    assert (end.status, end.summary, end.tool_calls) == ("ok", "made it", 2)
    assert real.files() == ["made.txt", "ran.txt"]


def test_a_role_that_only_reads_changes_nothing(real: Real) -> None:
    end = real.run(
        '{write = "made.txt", text = "x"}, {run = "echo x > ran.txt"}, {run = "ls"}, {done = "looked"}',
        policy=AUDITOR,
    )
    assert (end.status, end.summary) == ("ok", "looked")
    assert real.files() == []


def test_an_edit_outside_of_its_copy_does_not_happen(real: Real) -> None:
    # Not in the folder of temporary files, which codex lets its commands use.
    with TemporaryDirectory(dir="/var/tmp") as elsewhere:
        real.run(f'{{write = "{elsewhere}/outside.txt", text = "x"}}, {{done = "tried"}}')
        assert not [*Path(elsewhere).iterdir()]


def test_it_talks_with_its_team(real: Real) -> None:
    listener = FakeListener()

    async def main() -> RunEnd:
        async with serving(listener) as server:
            steps = '{team = "report_progress", input = {text = "half"}}, {done = "told"}'
            team = server.admit("task-1", 1)
            return await (await real.start(steps, team=team, policy=AUDITOR)).result()

    end = asyncio.run(main())
    assert (end.status, end.summary) == ("ok", "told")
    assert [fact.text for fact in listener.facts if isinstance(fact, Reported)] == ["half"]


@pytest.mark.parametrize("allowed", [False, True])
def test_the_repositorys_own_settings_take_effect_only_if_they_may(real: Real, allowed: bool) -> None:
    trap = real.copy.parent / "trapped"
    hook = {"hooks": [{"type": "command", "command": f"touch {trap}"}]}
    real.write(".claude/settings.json", json.dumps({"hooks": {"PreToolUse": [hook]}}))
    plugin = (
        f'import fs from "fs";\nfs.writeFileSync("{trap}", "");\nexport const Trap = async () => ({{}});\n'
    )
    real.write(".opencode/plugin/trap.js", plugin)
    real.write(".codex/config.toml", f'[mcp_servers.trap]\ncommand = "touch"\nargs = ["{trap}"]\n')
    try:
        real.run('{run = "ls"}, {done = "ran"}', own_settings=allowed)
    except Refused:
        # Nothing keeps opencode from them.
        assert real.name == "opencode"
    # codex wants its user to trust the folder, which nobody does here.
    assert trap.exists() is (allowed and "codex" not in real.name)


def test_its_conversation_goes_on(real: Real) -> None:
    steps = ('{done = "first"}', '{done = "second"}')
    first = real.run(*steps)
    again = real.run(*steps, attempt=2, conversation=first.conversation)
    assert (again.status, again.summary, again.conversation) == ("ok", "second", first.conversation)


def test_an_unknown_conversation_is_lost(real: Real) -> None:
    unknown = "01a1e25f-8ce5-7e10-b506-bf46fab22cd1"
    end = real.run('{done = "x"}', conversation=unknown)
    assert (end.status, end.conversation) == ("lost", "")


def test_credentials_that_are_refused_are_told_as_such(real: Real) -> None:
    assert real.run("{http = 401}").status == "denied"


def test_a_message_reaches_it_in_mid_turn_where_it_is_said_to(real: Real) -> None:
    async def main() -> tuple[bool, RunEnd]:
        handle = await real.start("""{run = "python3 -c 'import time; time.sleep(5)'"}, {done = "slept"}""")
        await asyncio.to_thread(real.until_it_calls_a_tool)
        sent = await handle.send("mind the gap")
        return sent, await handle.result()

    sent, end = asyncio.run(main())
    assert (end.status, end.summary) == ("ok", "slept")
    assert sent is real.steers
    assert sent is ("mind the gap" in json.dumps(real.model.requests[-1].body))


def test_it_is_cancelled_in_the_middle_of_a_command(real: Real) -> None:
    async def main() -> RunEnd:
        handle = await real.start("""{run = "python3 -c 'import time; time.sleep(600)'"}, {done = "slept"}""")
        await asyncio.to_thread(real.until_it_calls_a_tool)
        await handle.cancel(10.0)
        return await handle.result()

    assert asyncio.run(main()).status == "interrupted"

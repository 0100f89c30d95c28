"""The real programs do what the scripted model tells them: each step with the tools they really declare."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests import programs
from tests.rehearsal import team
from tests.rehearsal.conftest import PROMPT, Serve

from teamlead.rehearsal.server import ScriptedModel

WORK = """
{say = "Beginning"},
{write = "new/a.txt", text = "one\\n"},
{append = "new/a.txt", text = "two\\n"},
{write = "old.txt", text = "new\\n"},
{delete = "gone.txt"},
{run = "exit 3"},
{usage = {input_tokens = 1234, output_tokens = 56}},
{done = "All done"},
"""
TALK = """
{ask = "Which?", options = ["red", "blue"]},
{team = "send_message", input = {to = "task-2", text = "it is {answer}"}},
{done = "{task} with {answer}"},
"""


Command = Callable[[ScriptedModel, Path, list[str]], list[str]]


class Ran(NamedTuple):
    code: int
    lines: list[dict[str, Any]]
    copy: Path
    calls: list[Any]

    @property
    def last_words(self) -> str:
        return json.dumps(self.lines[-2:])


def _claude(model: ScriptedModel, copy: Path, server: list[str]) -> list[str]:
    config = {"mcpServers": {"team": {"command": server[0], "args": server[1:]}}}
    return [
        str(programs.claude()),
        *("--output-format", "stream-json", "--verbose", "--setting-sources", ""),
        *("--strict-mcp-config", "--mcp-config", json.dumps(config), "--permission-mode", "acceptEdits"),
        *("--allowedTools", "Bash,mcp__team", "-p", PROMPT.format(attempt=1)),
    ]


def _codex(name: str) -> Command:
    """Which tools Codex declares, and how, depends on its model."""

    def command(model: ScriptedModel, copy: Path, server: list[str]) -> list[str]:
        retries = "request_max_retries=0,stream_max_retries=0"
        provider = f'{{name="m",base_url="{model.url}/v1",env_key="KEY",wire_api="responses",{retries}}}'
        settings = {
            "model": json.dumps(name),
            "model_provider": '"m"',
            "model_providers.m": provider,
            "approval_policy": '"never"',
            "mcp_servers.team.command": json.dumps(server[0]),
            "mcp_servers.team.args": json.dumps(server[1:]),
            "mcp_servers.team.default_tools_approval_mode": '"approve"',
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [
            *(str(programs.codex()), "exec", "--json", "-C", str(copy), "-s", "workspace-write"),
            *(*options, PROMPT.format(attempt=1)),
        ]

    return command


PROGRAMS: dict[str, Command] = {
    "claude": _claude,
    "codex": _codex("a model it does not know"),
    "codex, with patches": _codex("gpt-5.5"),
    "codex, by code": _codex("gpt-6.1-sol"),
}
each_program = pytest.mark.parametrize("program", PROGRAMS)


def run(program: str, model: ScriptedModel, place: Path) -> Ran:
    copy, home, temporary = (place / name for name in ("copy", "home", "temporary"))
    for folder in (copy, home, temporary):
        folder.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=copy, check=True)
    (copy / "old.txt").write_text("old\n")
    (copy / "gone.txt").write_text("")
    server = [sys.executable, team.__file__, str(place / "calls")]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        # Not above its home: Codex would run no command with an old bubblewrap, and say nothing of that.
        "TMPDIR": str(temporary),
        "CLAUDE_CONFIG_DIR": str(home),
        "CODEX_HOME": str(home),
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "none",
        "KEY": "none",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    argv = PROGRAMS[program](model, copy, server)
    done = subprocess.run(
        argv, cwd=copy, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    calls = (place / "calls").read_text().splitlines() if (place / "calls").exists() else []
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return Ran(done.returncode, lines, copy, [json.loads(call) for call in calls])


@each_program
def test_it_works_as_scripted(program: str, serve: Serve, tmp_path: Path) -> None:
    model = serve(WORK)
    ran = run(program, model, tmp_path)
    assert ran.code == 0
    assert (ran.copy / "new/a.txt").read_text() == "one\ntwo\n"
    assert (ran.copy / "old.txt").read_text() == "new\n"
    assert not (ran.copy / "gone.txt").exists()
    assert "All done" in ran.last_words
    usage = ran.lines[-1]["usage"]
    assert (usage["input_tokens"], usage["output_tokens"]) == (1234 + 5 * 100, 56 + 5 * 10)
    assert [request.task for request in model.requests if request.task] == ["task-1"] * 6


@each_program
def test_it_talks_to_the_team_as_scripted(program: str, serve: Serve, tmp_path: Path) -> None:
    ran = run(program, serve(TALK), tmp_path)
    assert ran.calls == [
        {"ask_human": {"question": "Which?", "options": ["red", "blue"]}},
        {"send_message": {"to": "task-2", "text": "it is blue"}},
    ]
    assert "task-1 with blue" in ran.last_words


@pytest.mark.parametrize("program", ["claude", "codex"])
@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("{http = 429, reset_in = 3600}", "429|usage limit"),
        ("{http = 401}", "401|authenticat|Invalid API key"),
        ("{http = 529}", "529|[Oo]verloaded"),
        ("{break_stream = true}", "ECONNRESET|stream disconnected|[Cc]onnection"),
        ('{fail = "no way"}', "no way"),
        ('{run = "false", must_pass = true}', "'false' failed"),
    ],
)
def test_it_meets_the_troubles_of_the_script(
    program: str, step: str, told: str, serve: Serve, tmp_path: Path
) -> None:
    ran = run(program, serve(step), tmp_path)
    assert ran.code == 1
    assert re.search(told, ran.last_words)


@each_program
def test_it_is_killed_where_the_script_says_so(program: str, serve: Serve, tmp_path: Path) -> None:
    ran = run(program, serve('{touch = "before"}, {crash = true}'), tmp_path)
    assert ran.code == -9
    assert (ran.copy / "before").exists()

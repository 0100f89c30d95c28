"""The command line and the environment of one run."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from teamlead.ports.runner import RunSpec
from teamlead.ports.team import Team
from teamlead.runners.agent_homes import Home, home_at
from teamlead.runners.claude.permissions import tool_names
from teamlead.runners.detection import LOGIN, credentials
from teamlead.runners.program import Invocation
from teamlead.system.environment import TEAM_TOKEN

_CALL_TIMEOUT = 3_600_000
"""Milliseconds. Its own is a minute, less than a person may take to answer."""
_SWITCHES = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    # What it leaves running in the background would hold it open for minutes after its last word.
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    # Its own are ten, over minutes. The lead knows better when to come back.
    "CLAUDE_CODE_MAX_RETRIES": "2",
}
_OWN = (
    "ANTHROPIC_",
    "CLAUDE_CODE_USE_",
    "CLAUDE_CODE_SKIP_",
    "CLAUDE_CODE_CLIENT_",
    "CLAUDE_CODE_OAUTH_TOKEN",
)
_CLOUDS = {
    "CLAUDE_CODE_USE_BEDROCK": ("AWS_",),
    "CLAUDE_CODE_USE_VERTEX": ("GOOGLE_", "CLOUD_ML_", "VERTEX_"),
}
"""What the switch of a cloud needs besides."""


def invocation(program: Path, spec: RunSpec) -> Invocation:
    environment = _environment(spec, os.environ)
    own = Path(environment.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    home = Home() if own == spec.home else home_at("claude", own)
    return Invocation([str(program), *_arguments(spec)], environment, home=home)


def _arguments(spec: RunSpec) -> list[str]:
    talk = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"]
    # Even with every call decided by the hook, it asks before it changes its own settings.
    asking = ["--permission-prompt-tool", "stdio"]
    settings = ["--setting-sources", "project,local" if spec.own_settings else "", "--strict-mcp-config"]
    limits = ["--tools", ",".join(tool_names(spec.policy))]
    if spec.budget.cost_usd is not None:
        limits += ["--max-budget-usd", str(spec.budget.cost_usd)]
    choices = []
    if spec.team:
        choices += ["--mcp-config", _servers(spec.team)]
    if spec.model:
        choices += ["--model", spec.model]
    if spec.effort:
        choices += ["--effort", spec.effort]
    if spec.conversation:
        choices += [f"--resume={spec.conversation}"]
    # --verbose takes no value, and so keeps the list before it from taking the user's arguments.
    return [*talk, *asking, *settings, *limits, *choices, "--verbose", *spec.arguments]


def _servers(team: Team) -> str:
    # Everybody on the machine can read an argument: the token stays in the environment.
    headers = {"Authorization": f"Bearer ${{{TEAM_TOKEN}}}"}
    server = {"type": "http", "url": team.url, "headers": headers, "timeout": _CALL_TIMEOUT}
    return json.dumps({"mcpServers": {"team": server}})


def _environment(spec: RunSpec, source: Mapping[str, str]) -> dict[str, str]:
    passed = [*_OWN]
    for switch, needed in _CLOUDS.items():
        if source.get(switch):
            passed += needed
    chosen = {name: value for name, value in source.items() if name.startswith(tuple(passed))}
    if credentials("claude", source) != LOGIN:
        chosen["CLAUDE_CONFIG_DIR"] = str(spec.home)
    elif "CLAUDE_CONFIG_DIR" in source:
        chosen["CLAUDE_CONFIG_DIR"] = source["CLAUDE_CONFIG_DIR"]
    if spec.team:
        chosen[TEAM_TOKEN] = spec.team.token
    return chosen | _SWITCHES

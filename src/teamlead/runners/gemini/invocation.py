"""The command line, the environment and the settings of one run, and which tools its role has."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from teamlead.core.model import Tool, ToolPolicy
from teamlead.ports.runner import RunSpec
from teamlead.runners.agent_homes import Home, home_at
from teamlead.runners.detection import LOGIN, credentials
from teamlead.runners.program import Invocation
from teamlead.system.atomic_files import write_atomically
from teamlead.system.environment import TEAM_TOKEN

_TOOLS: Mapping[Tool, Sequence[str]] = {
    "read": ("read_file", "read_many_files", "list_directory"),
    "search": ("glob", "grep_search"),
    "edit": ("write_file", "replace"),
    "shell": ("run_shell_command", "list_background_processes", "read_background_output"),
    "web": ("web_fetch", "google_web_search"),
}
KNOWN = frozenset(name for names in _TOOLS.values() for name in names)
_PASSED = ("GOOGLE_GEMINI_BASE_URL", "GEMINI_CLI_HOME")


def by_login(source: Mapping[str, str] = os.environ) -> bool:
    return credentials("gemini", source) == LOGIN


def home_of(spec: RunSpec, source: Mapping[str, str] = os.environ) -> Path:
    """Returns where its configuration and its memory are."""
    return Path(source.get("GEMINI_CLI_HOME") or Path.home()) if by_login(source) else spec.home


def invocation(program: Path, spec: RunSpec, source: Mapping[str, str] = os.environ) -> Invocation:
    argv = [str(program), "--output-format", "stream-json", "--policy", str(_policy(spec)), "-e", "none"]
    argv += ["--allowed-mcp-server-names", "team"]
    if not spec.own_settings:
        # It works only in a trusted folder; told so this way, it has passed over the folder's settings.
        argv += ["--skip-trust"]
    if spec.model:
        argv += ["--model", spec.model]
    if spec.conversation:
        argv += ["--resume", spec.conversation]
    # An empty prompt: the whole of it is the input.
    return Invocation(
        [*argv, *spec.arguments, "-p", ""],
        _environment(spec, source),
        spec.prompt.encode("utf-8", "replace"),
        home_at("gemini", home_of(spec, source) / ".gemini") if by_login(source) else Home(),
    )


def prepare(spec: RunSpec, source: Mapping[str, str] = os.environ) -> None:
    """Writes the files that the run reads."""
    spec.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(_policy(spec), policy_file(spec.policy).encode(), mode=0o600)
    if not by_login(source):
        folder = spec.home / ".gemini"
        folder.mkdir(exist_ok=True, mode=0o700)
        write_atomically(folder / "settings.json", msgspec.json.encode(_settings(spec)), mode=0o600)


def _policy(spec: RunSpec) -> Path:
    return spec.home / "policy.toml"


def _settings(spec: RunSpec) -> dict[str, Any]:
    chosen: dict[str, Any] = {
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": True}},
        # Its own tries are ten, over minutes. The lead knows better when to come back.
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False, "maxAttempts": 3},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "advanced": {"ignoreLocalEnv": not spec.own_settings},
        "context": {"fileName": ["AGENTS.md", "GEMINI.md"]},
    }
    if spec.team:
        headers = {"Authorization": f"Bearer ${TEAM_TOKEN}"}
        # How long an answer may take is for the team to say. In milliseconds.
        server = {"httpUrl": spec.team.url, "headers": headers, "trust": True, "timeout": 3_600_000}
        chosen["mcpServers"] = {"team": server}
    return chosen


def _environment(spec: RunSpec, source: Mapping[str, str]) -> dict[str, str]:
    chosen = {name: source[name] for name in _PASSED if name in source}
    # It starts itself anew to have more memory, and its signals then miss it.
    chosen |= {"GEMINI_CLI_NO_RELAUNCH": "true"}
    if spec.own_settings:
        chosen["GEMINI_CLI_TRUST_WORKSPACE"] = "true"
    if not by_login(source):
        chosen |= {"GEMINI_CLI_HOME": str(spec.home), "GEMINI_API_KEY": source[credentials("gemini", source)]}
    if spec.team:
        chosen[TEAM_TOKEN] = spec.team.token
    return chosen


def tool_names(policy: ToolPolicy) -> list[str]:
    """Lists the tools of a role. Gemini has no sandbox: a role that may only read gets no shell."""
    reads_only = "edit" not in policy.tools or policy.commands == "audit"
    kinds = [tool for tool in policy.tools if not (reads_only and tool in {"shell", "edit"})]
    return ["write_todos", *(name for tool in kinds for name in _TOOLS[tool])]


def policy_file(policy: ToolPolicy) -> str:
    """Writes the tools of a role in the form of Gemini's own. What is denied there is not even offered."""
    rules: list[dict[str, Any]] = [
        {"toolName": "*", "decision": "deny", "priority": 10},
        # It would ask before a redirection even where it may write.
        {"toolName": tool_names(policy), "decision": "allow", "allowRedirection": True, "priority": 100},
        {"toolName": "*", "mcpName": "team", "decision": "allow", "priority": 100},
    ]
    return "".join(f"[[rule]]\n{_fields(rule)}\n" for rule in rules)


def _fields(rule: dict[str, Any]) -> str:
    # Of these types, JSON is TOML.
    return "".join(f"{name} = {msgspec.json.encode(value).decode()}\n" for name, value in rule.items())

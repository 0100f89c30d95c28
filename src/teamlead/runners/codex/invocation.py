"""The command line and the environment of one run."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from teamlead.ports.runner import RunSpec
from teamlead.runners.agent_homes import Home, home_at
from teamlead.runners.program import Invocation
from teamlead.runners.refusals import is_unheld
from teamlead.system.environment import TEAM_TOKEN, allowed
from teamlead.system.rooms.private_layers import cache_places

KEY = "CODEX_API_KEY"
_KEYS = (KEY, "OPENAI_API_KEY")
_PASSED = ("CODEX_HOME", "CODEX_CA_CERTIFICATE", "OPENAI_ORGANIZATION", "OPENAI_PROJECT")
_FOREIGN = ("hooks", "plugins", "apps")
"""Features by which settings run something."""
_OFF = (
    # Agents of its own would be counted by nobody, and the shell's profile is the user's, not the task's.
    *("multi_agent", "goals", "shell_snapshot"),
    # It would wait for a network for ever, and look alive.
    "unbounded_connection_retries",
)
_KEPT = ("model", "model_reasoning_effort", "cli_auth_credentials_store")
"""Of the user's settings, where it runs by the user's login: what the login and its models need."""
_TEAM = "The tools of the MCP server `team` reach your team; where they are not listed, search for them."
_TEMPORARY = Path("/tmp")  # noqa: S108 - what its sandbox lets commands write to


class Places(NamedTuple):
    home: Path
    """Its configuration and its memory."""
    temporary: Path | None
    """For its commands, where the usual one is of no use to them, or holds what they must not touch."""


def reads_only(spec: RunSpec) -> bool:
    return "edit" not in spec.policy.tools or spec.policy.commands == "audit"


def places(spec: RunSpec, source: Mapping[str, str] = os.environ) -> Places:
    named = Path(source.get("CODEX_HOME") or Path.home() / ".codex")
    home = spec.home / "codex" if _key(source) else named
    shared = {_TEMPORARY, Path(source.get("TMPDIR") or _TEMPORARY)}
    kept = (home, spec.place, spec.home, _repository(spec.cwd))
    exposed = any(place.resolve().is_relative_to(folder.resolve()) for place in kept for folder in shared)
    # Where its sandbox cannot write to one of them, it runs no command, and says nothing of that.
    useless = not all(os.access(folder, os.W_OK | os.X_OK) for folder in shared)
    return Places(home, spec.home / "temporary" if exposed or useless else None)


def invocation(program: Path, spec: RunSpec, source: Mapping[str, str] = os.environ) -> Invocation:
    where = places(spec, source)
    settings = {**_login(where.home, source), **_settings(spec, where, source), **_endpoint(source)}
    argv = [str(program), "exec", "--json", "--skip-git-repo-check", "-C", str(spec.place)]
    if not is_unheld(spec.arguments):
        argv += ["-s", "read-only" if reads_only(spec) else "workspace-write"]
    argv += ["--ignore-user-config"]
    if not spec.own_settings:
        argv += ["--ignore-rules"]
    off = _OFF if spec.own_settings else (*_OFF, *_FOREIGN)
    argv += [part for feature in off for part in ("--disable", feature)]
    argv += [part for name, value in settings.items() for part in ("-c", f"{name}={_toml(value)}")]
    argv += spec.arguments
    if spec.conversation:
        argv += ["resume", spec.conversation]
    prompt = spec.prompt.encode("utf-8", "replace")
    environment = _environment(spec, where, source)
    return Invocation([*argv, "-"], environment, prompt, _home(spec, where), services=(_service(source),))


def _home(spec: RunSpec, where: Places) -> Home:
    return Home() if where.home.is_relative_to(spec.home) else home_at("codex", where.home)


def _settings(spec: RunSpec, where: Places, source: Mapping[str, str]) -> dict[str, Any]:
    web = "web" in spec.policy.tools
    chosen: dict[str, Any] = {
        "approval_policy": "never",
        # Said either way: unless it is told, Codex trusts what it may write to, and notes that for ever.
        "projects": {str(spec.place): {"trust_level": "trusted" if spec.own_settings else "untrusted"}},
        "sandbox_workspace_write": {
            "network_access": web,
            "exclude_slash_tmp": where.temporary is not None,
            # What is written to them stays in the room. Some tools do nothing without them.
            "writable_roots": cache_places(spec.room, allowed(source)) if spec.room else [],
        },
        "web_search": "live" if web else "disabled",
        "allow_login_shell": False,
        "shell_environment_policy.exclude": [*_KEYS, TEAM_TOKEN],
        "skills": {"bundled": {"enabled": False}, "include_instructions": spec.own_settings},
        "analytics.enabled": False,
        "check_for_update_on_startup": False,
    }
    if spec.model:
        chosen["model"] = spec.model
    if spec.effort:
        chosen["model_reasoning_effort"] = spec.effort
    if spec.team:
        chosen["mcp_servers.team"] = {
            "url": spec.team.url,
            "bearer_token_env_var": TEAM_TOKEN,
            "default_tools_approval_mode": "approve",
            # How long an answer may take is for the team to say.
            "tool_timeout_sec": 3600,
        }
        chosen["developer_instructions"] = _TEAM
    return chosen


def _endpoint(source: Mapping[str, str]) -> dict[str, Any]:
    """Tells Codex the endpoint: it does not look at the variable itself, as others of the same service do."""
    url = _service(source)
    if not url:
        return {}
    provider = {"name": "OPENAI_BASE_URL", "base_url": url, "env_key": KEY, "wire_api": "responses"}
    return {"model_provider": "endpoint", "model_providers.endpoint": provider}


def _service(source: Mapping[str, str]) -> str:
    return source.get("OPENAI_BASE_URL", "") if _key(source) else ""


def _login(home: Path, source: Mapping[str, str]) -> dict[str, str]:
    if _key(source):
        return {}
    try:
        settings = tomllib.loads((home / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: settings[name] for name in _KEPT if isinstance(settings.get(name), str)}


def _environment(spec: RunSpec, where: Places, source: Mapping[str, str]) -> dict[str, str]:
    chosen = {name: source[name] for name in _PASSED if name in source}
    if key := _key(source):
        chosen |= {KEY: key, "CODEX_HOME": str(where.home)}
    if where.temporary:
        chosen["TMPDIR"] = str(where.temporary)
    if spec.team:
        chosen[TEAM_TOKEN] = spec.team.token
    return chosen


def _key(source: Mapping[str, str]) -> str:
    return next((source[name] for name in _KEYS if source.get(name)), "")


def _repository(copy: Path) -> Path:
    """Returns where the copy's history is."""
    try:
        return Path((copy / ".git").read_text(encoding="utf-8").removeprefix("gitdir:").strip())
    except (OSError, UnicodeDecodeError):
        return copy


def _toml(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{_toml(name)} = {_toml(item)}" for name, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
    return msgspec.json.encode(value).decode()

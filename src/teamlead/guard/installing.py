"""The entries in Claude Code's settings by which it asks the guard. Entries of others stay as they are."""

import json
import os
from pathlib import Path
from typing import Any

from teamlead.errors import ConfigError, NotFound
from teamlead.guard.calls import TOOLS
from teamlead.guard.events import AGENT_TOOLS, HANDLERS, TIMERS
from teamlead.system.atomic_files import write_atomically

COMMAND = "teamlead guard hook"
_TIMEOUT = 30
"""Seconds."""
_MATCHERS = {
    "PreToolUse": "|".join((*TOOLS, *TIMERS)),
    "PostToolUse": "|".join((*TOOLS, *AGENT_TOOLS)),
    "PostToolUseFailure": "|".join((*TOOLS, *AGENT_TOOLS)),
}

Settings = dict[str, Any]


def snippet() -> Settings:
    return with_guard({})


def settings_file(project: Path | None) -> Path:
    """Of the project, or of the user."""
    if project is not None:
        return project / ".claude" / "settings.json"
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "settings.json"


def with_guard(settings: Settings) -> Settings:
    found = without_guard(settings)
    hooks = dict(found.get("hooks", {}))
    for event in HANDLERS:
        hooks[event] = [*hooks.get(event, []), _entry(event)]
    return {**found, "hooks": hooks}


def without_guard(settings: Settings) -> Settings:
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(entries, list) for entries in hooks.values()):
        raise ConfigError("the settings of Claude Code have hooks in a form that it does not know itself")
    kept = {event: [new for entry in entries if (new := _others(entry))] for event, entries in hooks.items()}
    kept = {event: entries for event, entries in kept.items() if entries or not hooks[event]}
    rest = {key: value for key, value in settings.items() if key != "hooks"}
    return {**rest, "hooks": kept} if kept else rest


def _entry(event: str) -> Settings:
    hook: Settings = {"type": "command", "command": COMMAND, "timeout": _TIMEOUT}
    if event == "PreToolUse":
        # A guard that cannot be started must not be a way around it.
        hook["onFailure"] = "block"
    return {**({"matcher": _MATCHERS[event]} if event in _MATCHERS else {}), "hooks": [hook]}


def _others(entry: Any) -> Any:
    """The entry without our hook; None if nothing else was in it."""
    if not isinstance(entry, dict) or not isinstance(hooks := entry.get("hooks"), list):
        return entry
    others = [hook for hook in hooks if not (isinstance(hook, dict) and hook.get("command") == COMMAND)]
    return None if hooks and not others else {**entry, "hooks": others}


def load(path: Path) -> Settings:
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise NotFound(f"cannot read {str(path)!r}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(
            f"{str(path)!r} is not JSON: {error}", remedy="mend it first; nothing was changed"
        ) from error
    if not isinstance(settings, dict):
        raise ConfigError(f"{str(path)!r} is no JSON object", remedy="mend it first; nothing was changed")
    return settings


def store(path: Path, settings: Settings) -> None:
    # The file may be a link into a folder of the user's own.
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
    write_atomically(target, text.encode())

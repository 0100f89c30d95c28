"""A step of a script becomes a call of one of the tools that the asking program declares."""

import posixpath
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from teamlead.rehearsal.conversation import Call, Result, Tool
from teamlead.runners.script_steps import Step

WAIT_SECONDS = 60.0
STUBBORN_SECONDS = 600

Tools = Mapping[str, Tool]


def _patch(path: str, text: str) -> dict[str, Any]:
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    return {"input": f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n"}


_WRITERS: Mapping[str, Callable[[str, str], dict[str, Any]]] = {
    "Write": lambda path, text: {"file_path": path, "content": text},
    "write_file": lambda path, text: {"file_path": path, "content": text},
    "write": lambda path, text: {"filePath": path, "content": text},
    "apply_patch": _patch,
}
_SHELLS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "Bash": lambda command: {"command": command, "description": "A step of the script"},
    "exec_command": lambda command: {"cmd": command, "yield_time_ms": _PATIENCE},
    "shell_command": lambda command: {"command": command},
    "shell": lambda command: {"command": ["sh", "-c", command]},
    "run_shell_command": lambda command: {"command": command},
    "bash": lambda command: {"command": command, "description": "A step of the script"},
}
"""By the name of the tool, what its input looks like."""
_TEAM = "mcp__team"
_WAIT = "write_stdin"
"""With nothing to write, Codex only waits for a command that it has let run on."""
_PATIENCE = 30_000
_SEARCH = "ToolSearch"
"""Claude Code declares some tools only after it was asked for them with this one."""


@dataclass(frozen=True)
class Toolbox:
    """The tools of the programs that speak one interface, by the names they have there.

    A tool that is not declared is called all the same: models do that, and it must not help them.
    """

    commands: str
    """The tool that runs them."""
    files: str = ""
    """The tool that writes them. Empty: a command does, unless the program declares a tool for it."""
    namespaces: bool = False
    """The name of a server stands beside the name of its tool, not before it."""

    def call(self, step: Step, tools: Tools, last: Result | None) -> Call:
        if last and last.running:
            return Call(Tool(_WAIT), {"session_id": last.running, "yield_time_ms": _PATIENCE})
        call = self._call(step, tools)
        if call.tool not in tools.values() and _SEARCH in tools and not (last and last.aside):
            return Call(tools[_SEARCH], {"query": f"select:{call.tool.name}"}, aside=True)
        return call

    def _call(self, step: Step, tools: Tools) -> Call:
        match step:
            case {"call": name, **more}:
                return Call(tools.get(name, Tool(name)), more.get("input", {}))
            case {"team": name, **more}:
                return Call(self._team(name, tools), more.get("input", {}))
            case {"ask": question, **more}:
                return Call(self._team("ask_human", tools), {"question": question, **more})
            case {"write": path, "text": text}:
                return self._write(path, text, tools)
        return self._run(_command(step), tools)

    def _write(self, path: str, text: str, tools: Tools) -> Call:
        name = next((name for name in _WRITERS if name in tools), self.files)
        if not name or (name == "apply_patch" and not text.endswith("\n")):
            return self._run(_into(path, text, ">"), tools)
        return Call(tools.get(name, Tool(name)), _WRITERS[name](path, text))

    def _team(self, name: str, tools: Tools) -> Tool:
        """Finds a tool of the team: programs put the server's name before it, each in its way."""
        full = f"{_TEAM}__{name}"
        found = (key for key in tools if key == full or ("team" in key and key.endswith(f"_{name}")))
        if key := next(found, ""):
            return tools[key]
        if any(tool.by_code for tool in tools.values()):
            return Tool(full, by_code=True)
        return Tool(name, _TEAM) if self.namespaces else Tool(full)

    def _run(self, command: str, tools: Tools) -> Call:
        name = next((name for name in _SHELLS if name in tools), self.commands)
        return Call(tools.get(name, Tool(name)), _SHELLS[name](command))


def _command(step: Step) -> str:
    match step:
        case {"run": command}:
            return str(command)
        case {"append": path, "text": text}:
            return _into(path, text, ">>")
        case {"delete": path}:
            return f"rm -- {shlex.quote(path)}"
        case {"touch": path}:
            return f"{_folder(path)}touch -- {shlex.quote(path)}"
        case {"commit": message}:
            who = "-c user.name='Scripted model' -c user.email=model@teamlead.invalid"
            plain = "-c commit.gpgsign=false -c core.hooksPath=/dev/null"
            return f"git add -A && git {who} {plain} commit -q -m {shlex.quote(message)}"
        case {"wait_for": path, **more}:
            tries = int(more.get("seconds", WAIT_SECONDS) * 20)
            file = shlex.quote(path)
            return f"for i in $(seq {tries}); do [ -e {file} ] && exit 0; sleep 0.05; done; exit 1"
        case {"spawn_stubborn": _, **more}:
            ignoring = shlex.quote(f"trap '' INT TERM HUP; exec sleep {STUBBORN_SECONDS}")
            file = shlex.quote(more.get("pid_file", "/dev/null"))
            return f"sh -c {ignoring} >/dev/null 2>&1 & echo $! > {file}"
    raise AssertionError(step)


def _into(path: str, text: str, how: str) -> str:
    return f"{_folder(path)}printf %s {shlex.quote(text)} {how} {shlex.quote(path)}"


def _folder(path: str) -> str:
    folder = posixpath.dirname(path)
    return f"mkdir -p -- {shlex.quote(folder)} && " if folder else ""

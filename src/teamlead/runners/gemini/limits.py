"""Which of its tools a role has, as a policy file of its own form. What that denies is not even offered."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from teamlead.core.model import Tool, ToolPolicy

_TOOLS: Mapping[Tool, Sequence[str]] = {
    "read": ("read_file", "read_many_files", "list_directory"),
    "search": ("glob", "grep_search"),
    "edit": ("write_file", "replace"),
    "shell": ("run_shell_command", "list_background_processes", "read_background_output"),
    "web": ("web_fetch", "google_web_search"),
}
KNOWN = frozenset(name for names in _TOOLS.values() for name in names)


def tool_names(policy: ToolPolicy) -> list[str]:
    """Lists the tools of a role. Gemini has no sandbox: a role that may only read gets no shell."""
    reads_only = "edit" not in policy.tools or policy.commands == "audit"
    kinds = [tool for tool in policy.tools if not (reads_only and tool in {"shell", "edit"})]
    return ["write_todos", *(name for tool in kinds for name in _TOOLS[tool])]


def policy_file(policy: ToolPolicy) -> str:
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

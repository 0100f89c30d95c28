"""Whether an agent may make a call: pure decisions, asked by every runner before a tool is used.

What a program cannot be asked about call by call is held by taking the tool away or by its sandbox, and what
nothing holds is detected afterwards (`core.work.acceptance`).
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from teamlead.core.model import TOOLS, Tool, ToolPolicy
from teamlead.core.policy import audit
from teamlead.core.policy.paths import inside
from teamlead.core.policy.scope import in_scope, protected

EVERYTHING = "**"


class Call(NamedTuple):
    """One use of a tool, in our words."""

    tool: Tool | Literal["team", "other"]
    """team: one of our own tools. other: a tool that we do not know."""
    paths: tuple[str, ...] = ()
    """What it reads or changes, symbolic links resolved; relative ones count from the copy's root."""
    command: str = ""
    root: str = ""
    """The copy's absolute path; without it every absolute path is outside."""


def refusal(policy: ToolPolicy, scope: Sequence[str], call: Call, protects: Sequence[str] = ()) -> str:
    """Why the call is not made, in one sentence for the agent; "" if it is made.

    `protects`: what its task may read and not change.
    """
    if call.tool == "team":
        return ""
    if call.tool == "other":
        known = set(TOOLS) <= set(policy.tools)
        return "" if known else f"this tool is not allowed in your role: {_instead(policy)}"
    if call.tool not in policy.tools:
        return f"the {call.tool} tool is not allowed in your role: {_instead(policy)}"
    if call.tool == "edit":
        return _edit_refusal(policy, scope, call, protects)
    if call.tool == "shell" and policy.commands == "audit":
        return audit.refusal(call.command, call.root)
    return ""


def _edit_refusal(policy: ToolPolicy, scope: Sequence[str], call: Call, protects: Sequence[str]) -> str:
    if not call.paths and not (EVERYTHING in scope and EVERYTHING in policy.writes and not protects):
        return "an edit that does not name its file is not allowed: name the file"
    for given in call.paths:
        path = inside(given, call.root)
        if not path:
            return f"{given} is outside of your working copy: change files inside of it only"
        if ".git" in path.lower().split("/"):
            return f"{given} belongs to git: it must not be edited"
        if protected(path, protects, scope):
            return f"{given} is protected: your task may read {', '.join(protects)}, and not change it"
        for whose, allowed, patterns in (
            ("your task", in_scope(path, scope), scope),
            ("your role", may_change(policy, path), policy.writes),
        ):
            if not allowed:
                return f"{given} is outside of what {whose} may change: {', '.join(patterns) or 'nothing'}"
    return ""


def may_change(policy: ToolPolicy, path: str) -> bool:
    """Whether the role allows a change of this path; its task's scope may say no all the same."""
    reads_only = "edit" not in policy.tools and ("shell" not in policy.tools or policy.commands == "audit")
    return not reads_only and (EVERYTHING in policy.writes or in_scope(path, policy.writes))


def _instead(policy: ToolPolicy) -> str:
    tools = [
        "shell (commands that read only)" if tool == "shell" and policy.commands == "audit" else tool
        for tool in policy.tools
    ]
    return f"use {', '.join(tools)} and the team's tools" if tools else "use the team's tools"

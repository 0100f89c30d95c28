"""The graph of a plan for Mermaid."""

import re

from teamlead.core.model import Plan

_SPECIAL = re.compile(r'["#<>&`%\\{}]')


def mermaid(plan: Plan) -> str:
    lines = ["flowchart LR"]
    lines += [f'    {_node(task.id)}["{task.id}: {_escaped(task.title)}"]' for task in plan.tasks]
    lines += [f"    {_node(name)} --> {_node(task.id)}" for task in plan.tasks for name in task.depends_on]
    return "\n".join(lines)


def _node(name: str) -> str:
    return name.replace("-", "_")


def _escaped(text: str) -> str:
    """Mermaid writes characters that mean something to it, or to HTML, as numbers."""
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", text)

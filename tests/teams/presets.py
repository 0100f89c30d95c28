"""Presets for tests."""

from teamlead.teams.load import Loaded, load

HEAD = """\
---
name: menders
description: Mends things.
trigger_keywords: [broken, kaputt]
---
"""

MEMBERS = """\
## Members

### code-explorer as analyst
- **Phase**: ANALYZING
- **Instructions**: Look.

### backend-specialist as fixer
- **Phase**: EXECUTING
- **Instructions**: Mend.
- **Writes**: src/
"""

WORKFLOW = """\
## Workflow

1. **ANALYZING**: analyst
2. **EXECUTING**: fixer — depends on ANALYZING
"""

GOOD = f"{HEAD}\n# Menders\n\n{MEMBERS}\n{WORKFLOW}"


def member(name: str, *labels: str) -> str:
    return "\n".join([f"### {name}", *(f"- {label}" for label in labels), ""])


def team(*members: str, workflow: str, head: str = HEAD, further: str = "") -> str:
    items = "\n".join(line for line in workflow.strip().splitlines())
    return "\n".join([head, "## Members", "", *members, "## Workflow", "", items, "", further])


def read(text: str) -> Loaded:
    return load(text, "team.md")


def shown(text: str) -> list[str]:
    """Every problem, as people see it."""
    return [problem.show("team.md") for problem in read(text).problems]


def only(text: str) -> str:
    """The one problem."""
    [found] = shown(text)
    return found

"""A team for a task that no preset is meant for: a preset that one can read, made of the roles there are."""

import json
import re
from typing import Final

from teamlead.core.roles import BUILT_IN
from teamlead.markup.hidden_characters import visible
from teamlead.teams.selection import Keywords, best, scores

NAME: Final = "proposed"
LONGEST: Final = 200
"""Characters of the task that its description has."""
MOST_KEYWORDS: Final = 5
BUILDERS: Final = ("frontend-specialist", "backend-specialist")
REVIEWERS: Final = ("security-auditor",)
"""Beside the one who tests."""
USUAL: Final = "worker"

_WORD = re.compile(r"[^\W_][\w-]{2,29}")

_TEAM = """\
---
name: {name}
description: {description}
trigger_keywords: {keywords}
---
# Proposed team

No keyword of any team is in the task, so this one was put together from the roles there are. Change what does
not fit, and give it keywords that stand for such tasks.

## Members

### code-explorer as analyst
- **Phase**: ANALYZING
- **Instructions**: Find what the task is about, and change nothing: the places it concerns, each with
  `file:line`, how such things are done here, and what depends on them. Say what is unclear.
- **Form**: exploration

### system-architect as designer
- **Phase**: PLANNING
- **Instructions**: Say how it is to be done: which files change and how, what must stay as it is, and how
  one will see that it is done. Say which other ways there were, and why not.
- **Form**: design

### {builder} as builder
- **Phase**: EXECUTING
- **Instructions**: Carry out the design, with tests that fail without it. Change nothing else.
- **Writes**: **

### qa-engineer as tester
- **Phase**: REVIEWING
- **Instructions**: Try to show that the task is not done: run it, try what no test tries, and what worked
  before. Give each finding with the command that shows it.
- **Form**: review
- **Writes**: nothing
{further}
## Workflow

1. **ANALYZING**: analyst
2. **PLANNING**: designer — depends on ANALYZING
3. **EXECUTING**: builder — depends on PLANNING
4. **REVIEWING**: {reviewers} — depends on EXECUTING
   - **Reopens**: EXECUTING if a critical finding stands, at most 3 times

## Finding Card Sections

- **analysis**: places, how it is done here, what depends on it
- **design**: what changes, what stays, other ways
- **implementation**: files changed, tests added, commands run
- **review**: findings, what was tried, verdict
"""
_AUDITOR = """
### security-auditor as auditor
- **Phase**: REVIEWING
- **Instructions**: Read the change as one who attacks it: what does it open, what does it trust? Give each
  finding with `file:line`, and how bad it is.
- **Form**: review
"""


def propose(task: str) -> str:
    """Markdown, the same for the same task."""
    auditor = bool(_fitting(task, REVIEWERS))
    return _TEAM.format(
        name=NAME,
        description=json.dumps(f"For: {_shown(task)}", ensure_ascii=False),
        keywords=json.dumps(_keywords(task), ensure_ascii=False),
        builder=_fitting(task, BUILDERS) or USUAL,
        further=_AUDITOR if auditor else "",
        reviewers="tester, auditor (parallel)" if auditor else "tester",
    )


def _fitting(task: str, roles: tuple[str, ...]) -> str:
    """The role whose expertise the task speaks of."""
    found = best(scores(task, [Keywords(role, BUILT_IN[role].expertise) for role in roles]))
    return found.team if found else ""


def _shown(task: str) -> str:
    line = " ".join(visible(task).split())
    plain = "".join(character for character in line if character.isprintable())
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]} …"


def _keywords(task: str) -> list[str]:
    """Its longest words, in their order: a person will know better ones."""
    words = list(dict.fromkeys(_WORD.findall(_shown(task))))
    kept = set(sorted(words, key=len, reverse=True)[:MOST_KEYWORDS])
    return [word for word in words if word in kept] or [NAME]

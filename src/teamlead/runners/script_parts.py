"""Which part a run has in a script: told by its task and the first line of its prompt, so that nothing need
be remembered. Standard library only, as all that reads scripts.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

PURPOSES: Mapping[str, tuple[str, ...]] = {
    "judge": ("judge",),
    "planner": ("plan", "quality", "interpret", "replan", "review", "complete"),
    "validator": ("validate",),
    "advisor": ("advise",),
}
"""What each of those whom the lead consults is asked for."""

_WELL = "The script says nothing else."
_MET = [{"criterion": "all", "met": True, "why": _WELL}]
_ANALYSIS = {
    "rootCause": _WELL,
    "recommendation": "Try again.",
    "confidence": "high",
    "requiresUserDecision": False,
    "reasoning": _WELL,
}
DEFAULTS: Mapping[str, dict[str, Any]] = {
    "judge": {"success": True, "reason": _WELL},
    "validate": _ANALYSIS,
    "advise": _ANALYSIS,
    "complete": {"fulfilled": True, "reason": _WELL},
    "quality": {"critical": _MET, "important": _MET, "nice": _MET},
}
"""What is answered where no table says otherwise. Tasks cannot be made up: without a table there are none."""
_BESIDE = {"complete", "quality"}
"""Asked of a planner besides, in another shape than tasks: only tables for them answer these."""

_NAME = rf"task-[\w.-]+|{'|'.join(PURPOSES)}"
_HEADING = re.compile(rf"^# ({_NAME}):(?: (\w+)(?: \((\d+)\))?$)?", re.MULTILINE)
_ATTEMPT = re.compile(r"^This is attempt (\d+)\b", re.MULTILINE)
_ROLE = re.compile(rf"(?:.+-)?({'|'.join(PURPOSES)})")


class Part(NamedTuple):
    """One run, as scripts name it."""

    task: str
    """Or who is consulted: `task-1-judge`, `planner`."""
    attempt: int = 1
    """Of those who are consulted: how often for this purpose."""
    purpose: str = ""
    """What somebody is consulted for."""

    @property
    def tables(self) -> list[str]:
        """The tables that its steps are looked for in, in this order."""
        role = role_of(self.task)
        if not role:
            return [self.task, "default"]
        names = list(dict.fromkeys((self.task, role)))
        if not self.purpose:
            return names
        if self.purpose in _BESIDE:
            return [f"{name}: {self.purpose}" for name in names]
        return [table for name in names for table in (f"{name}: {self.purpose}", name)]


def role_of(name: str) -> str:
    """Returns the role of the adviser with this name; "" for a task, and for a table of another kind."""
    found = _ROLE.fullmatch(name)
    return found[1] if found else ""


def part_of(prompt: str) -> Part | None:
    """Returns None where the prompt names nobody's part."""
    heading = _HEADING.search(prompt)
    if heading is None:
        return None
    name, purpose, number = heading.groups()
    if role_of(name):
        return Part(name, int(number or 1), purpose or "")
    attempt = _ATTEMPT.search(prompt)
    return Part(name, int(attempt[1]) if attempt else 1)

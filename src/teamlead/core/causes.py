"""Why something goes wrong that is no task's own fault: what tasks meet in the same way has one cause.

A person is asked once about what has one cause. Where a thing fails in the same way for a second task, and
has not worked in between, it is put on hold: nothing more of it starts until that question is answered.
"""

import re

from teamlead.core.model import Value

ENVIRONMENT = "environment"
"""What copies are made with: held in the place of all that would need another one."""
LONGEST = 200

_DIFFERS = (
    re.compile(r"task-\d+(-\d+)*"),
    re.compile(r"\b[0-9a-f]{7,}\b"),
    re.compile(r"\b\d+\.\d+\b|\b\d{4,}\b"),
    re.compile(r"(?<=attempt )\d+"),
)
"""What differs from task to task, or from time to time, and says nothing about the cause. Exit codes do."""


class Cause(Value, frozen=True):
    how: str
    """The same for what goes wrong in the same way."""
    thing: str = ""
    """What fails, as it can be held: an agent kind, a role that is consulted, the environment; or nothing."""

    @property
    def name(self) -> str:
        return f"{self.thing}: {self.how}" if self.thing else self.how


def check_on_hold(command: str) -> str:
    """As what a check is held that every task has."""
    return f"`{command}`"


def cause_of(said: str, thing: str = "") -> Cause:
    """Of what was said when something failed: its first line, without what differs."""
    how = said.strip().split("\n", 1)[0]
    for pattern in _DIFFERS:
        how = pattern.sub("…", how)
    return Cause(" ".join(how.split())[:LONGEST], thing)

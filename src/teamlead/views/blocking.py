"""What waits for some tasks. Loads little, and takes the rows that `status` prints."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from teamlead.core.transitions import SETTLED

if TYPE_CHECKING:
    from teamlead.views.documents.sessions import TaskPart


def blocked_by(tasks: "Sequence[TaskPart]", names: Iterable[str]) -> tuple[str, ...]:
    """The others that cannot begin before these are settled, in the plan's order."""
    unsettled = [task for task in tasks if task["state"] not in SETTLED]
    dependents: dict[str, list[str]] = {}
    for task in unsettled:
        for dependency in task["depends_on"]:
            dependents.setdefault(dependency, []).append(task["id"])
    stack = list(names)
    own = set(stack)
    found: set[str] = set()
    while stack:
        for dependent in dependents.get(stack.pop(), ()):
            if dependent not in found | own:
                found.add(dependent)
                stack.append(dependent)
    return tuple(task["id"] for task in unsettled if task["id"] in found)

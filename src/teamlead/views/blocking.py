"""What waits for one task. Loads little, and takes the rows that `status` prints."""

from collections.abc import Iterable, Mapping
from typing import Any

SETTLED = frozenset({"DONE", "SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"})


def blocked_by(tasks: Iterable[Mapping[str, Any]], names: Iterable[str]) -> dict[str, list[str]]:
    """By each of these tasks: the others that cannot begin before it is settled, in the plan's order."""
    unsettled = [task for task in tasks if task["state"] not in SETTLED]
    dependents: dict[str, list[str]] = {}
    for task in unsettled:
        for dependency in task["depends_on"]:
            dependents.setdefault(dependency, []).append(task["id"])
    order = {task["id"]: place for place, task in enumerate(unsettled)}
    return {name: sorted(_following(dependents, name), key=order.__getitem__) for name in names}


def _following(dependents: Mapping[str, list[str]], name: str) -> set[str]:
    found: set[str] = set()
    stack = [name]
    while stack:
        for dependent in dependents.get(stack.pop(), ()):
            if dependent not in found:
                found.add(dependent)
                stack.append(dependent)
    return found

"""Dependencies between tasks: what is wrong with them, and what a task builds on."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING

import msgspec

from teamlead.core.model import TaskSpec

if TYPE_CHECKING:
    from teamlead.core.state.records import Task

GONE = frozenset({"SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"})
"""Of these nothing is left that could stand on something."""
TASK_ID = re.compile(r"task-[1-9][0-9]{0,8}")


def find_cycle(depends_on: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The tasks of one cycle in order, the first repeated at the end; empty if there is none."""
    done: set[str] = set()
    for root in depends_on:
        path: dict[str, None] = {}
        stack = [(root, iter(depends_on[root]))] if root not in done else []
        while stack:
            node, rest = stack[-1]
            path[node] = None
            following = next((n for n in rest if n in depends_on and n not in done), None)
            if following is None:
                stack.pop()
                path.pop(node)
                done.add(node)
            elif following in path:
                walk = list(path)
                return (*walk[walk.index(following) :], following)
            else:
                stack.append((following, iter(depends_on[following])))
    return ()


def problems(specs: Iterable[TaskSpec], existing: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """What forbids adding these tasks to a graph: bad or repeated ids, unknown dependencies, a cycle."""
    graph = dict(existing)
    found = []
    added = []
    for spec in specs:
        if not TASK_ID.fullmatch(spec.id):
            found.append(f"{spec.id!r} is not a task id: use task-1, task-2 and so on")
        if spec.id in graph:
            found.append(f"{spec.id} is there already: choose another number")
        graph[spec.id] = spec.depends_on
        added.append(spec)
    found += [
        f"{spec.id} depends on {dependency}, which does not exist"
        for spec in added
        for dependency in spec.depends_on
        if dependency not in graph
    ]
    cycle = find_cycle(graph)
    if cycle:
        found.append("these tasks wait for each other: " + " → ".join(cycle))
    return tuple(found)


def free_ids(taken: Mapping[str, object]) -> Iterator[str]:
    """For tasks that are added to these."""
    number = len(taken)
    while True:
        number += 1
        if f"task-{number}" not in taken:
            yield f"task-{number}"


def renumbered(specs: Sequence[TaskSpec], taken: Mapping[str, object]) -> list[TaskSpec]:
    """With free ids; what they do not hold themselves, they depend on under its own name."""
    names = dict(zip((spec.id for spec in specs), free_ids(taken), strict=False))
    return [
        msgspec.structs.replace(
            spec, id=names[spec.id], depends_on=tuple(names.get(d, d) for d in spec.depends_on)
        )
        for spec in specs
    ]


def in_order(specs: Sequence[TaskSpec]) -> list[TaskSpec]:
    """Each after the ones among them that it depends on. There must be no cycle."""
    by_id = {spec.id: spec for spec in specs}
    order = TopologicalSorter({spec.id: [d for d in spec.depends_on if d in by_id] for spec in specs})
    return [by_id[name] for name in order.static_order()]


def _below(task: "Task", stands: Callable[["Task"], bool]) -> list["Task"]:
    """What a task builds on, in order: a dependency that does not stand is replaced by what it builds on."""
    found: dict[str, Task] = {}
    seen: set[str] = set()
    stack = list(reversed(task.depends_on))
    while stack:
        dependency = stack.pop()
        if dependency.spec.id in seen:
            continue
        seen.add(dependency.spec.id)
        if stands(dependency):
            found[dependency.spec.id] = dependency
        else:
            stack.extend(reversed(dependency.depends_on))
    return list(found.values())


def all_below(task: "Task") -> list["Task"]:
    """What a task depends on, at first or second hand."""
    found = {each.spec.id: each for each in task.depends_on}
    stack = list(found.values())
    while stack:
        for each in stack.pop().depends_on:
            if each.spec.id not in found:
                found[each.spec.id] = each
                stack.append(each)
    return list(found.values())


def foundations(task: "Task") -> tuple[str, ...]:
    """The tasks whose work a task builds on: one that was skipped stands for what it would have built on."""
    return tuple(below.spec.id for below in _below(task, lambda below: below.state != "SKIPPED"))


def built_on(tasks: Sequence["Task"], also: Sequence["Task"] = ()) -> list["Task"]:
    """What was begun on the work of these, at first or second hand, in the order of the plan.

    `also`: what follows them without depending on them. One that was skipped made nothing; what came after it
    was built on what is below it.
    """
    seen = {task.spec.id: task for task in tasks}
    stack = [*also, *(dependent for task in tasks for dependent in task.dependents)]
    found: list[Task] = []
    while stack:
        task = stack.pop()
        if task.spec.id in seen:
            continue
        seen[task.spec.id] = task
        stack.extend(task.dependents)
        if task.attempts and task.state not in GONE:
            found.append(task)
    return sorted(found, key=lambda task: task.order)


def bases(task: "Task", session_base: str) -> tuple[str, ...]:
    """The commits a task starts from: what its dependencies made, in their order.

    What its stage opened on holds the work of all stages before it: that is where one without dependencies
    in its own stage starts from. A dependency that made nothing (skipped, or an investigation) stands for
    what it built on itself.
    """
    below = _below(task, lambda below: bool(below.made) or below.stage is not task.stage)
    found = dict.fromkeys(commit for each in below if each.stage is task.stage for commit in each.made)
    if len(found) > 1:
        found.pop(session_base, None)
        found.pop(task.stage.commit if len(found) > 1 else "", None)
    return tuple(found) or (task.stage.commit,)

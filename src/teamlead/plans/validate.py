"""Draft → Plan and every problem it has, in the order of lines."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec

from teamlead.core.model import Plan, TaskSpec
from teamlead.core.pipeline.pipelines import places
from teamlead.core.work.graph import TASK_ID
from teamlead.markup.problems import Problem
from teamlead.plans.draft import Draft, DraftTask
from teamlead.plans.tasks import read_task

EXAMPLE = """\
write each task as a numbered heading with bullets, for example:

    ### 1. Add the login form
    - Scope: src/login/
    - Acceptance: a user can sign in with a password
    - Checks: `make test`

    ### 2. Describe it
    - Type: documentation
    - Scope: docs/
    - Depends on: 1"""


FREELY = "or let an agent that plans interpret what you wrote: `teamlead start` does where there is one"


class Examined(NamedTuple):
    plan: Plan
    """Complete only if no problem is an error; what could not be used is left out."""
    problems: list[Problem]


def examine(draft: Draft, beside: Collection[str] = ()) -> Examined:
    """`beside`: ids of tasks that are not in the plan, and that its tasks may depend on."""
    problems = list(draft.problems)
    tasks = [task for task in draft.tasks if not task.ticked]
    specs = [read_task(task, problems) for task in tasks]
    problems += [
        Problem(
            task.line, "warning", f"{task.id} is ticked off and left out", "untick it to have it done again"
        )
        for task in draft.tasks
        if task.ticked
    ]
    _check_number(draft, tasks, problems)
    _check_repeats(draft.tasks, problems)
    specs = _Dependencies(draft, problems, beside).resolve(tasks, specs)
    specs = _in_stages(tasks, specs, problems)
    _check_cycles(tasks, specs, problems)
    plan = Plan(
        title=draft.title,
        text=draft.text,
        tasks=tuple(specs),
        source=draft.source,
        common=draft.common,
        hidden_lines=tuple(sorted(draft.hidden_lines)),
    )
    return Examined(plan, sorted(problems, key=lambda problem: problem.line))


def _check_number(draft: Draft, tasks: list[DraftTask], problems: list[Problem]) -> None:
    if not draft.text.strip():
        problems.append(Problem(1, "error", "the plan is empty", EXAMPLE))
    elif not draft.tasks:
        problems.append(Problem(1, "error", "no recognisable tasks were found", f"{EXAMPLE}\n\n{FREELY}"))
    elif not tasks:
        problems.append(
            Problem(
                1, "error", "every task is ticked off: nothing is left to do", "untick what is to be done"
            )
        )
    elif len(tasks) > 5:
        problems.append(
            Problem(
                tasks[5].line,
                "warning",
                f"the plan has {len(tasks)} tasks, more than 5",
                "smaller plans are easier to follow and to approve",
            )
        )


def _check_repeats(tasks: list[DraftTask], problems: list[Problem]) -> None:
    first: dict[str, int] = {}
    for task in tasks:
        if task.id in first:
            problems.append(
                Problem(
                    task.line,
                    "error",
                    f"{task.id} is there already, on line {first[task.id]}",
                    "give each task its own number",
                )
            )
        first.setdefault(task.id, task.line)


class _Dependencies:
    def __init__(self, draft: Draft, problems: list[Problem], beside: Collection[str]) -> None:
        self._problems = problems
        self._beside = beside
        self._ids = {task.id: task for task in draft.tasks}
        self._by_title = {task.title.casefold(): task.id for task in draft.tasks if task.title}
        self._numbers = sorted(int(name[5:]) for name in self._ids if TASK_ID.fullmatch(name))

    def resolve(self, tasks: list[DraftTask], specs: list[TaskSpec]) -> list[TaskSpec]:
        return [self._resolved(task, spec) for task, spec in zip(tasks, specs, strict=True)]

    def _resolved(self, task: DraftTask, spec: TaskSpec) -> TaskSpec:
        known = []
        for name in spec.depends_on:
            line = task.labels["depends_on"].line
            if name == task.id:
                self._problems.append(
                    Problem(line, "error", f"{task.id} depends on itself", "remove it from its dependencies")
                )
            elif name not in self._ids and name in self._beside:
                known.append(name)
            elif name not in self._ids:
                self._problems.append(
                    Problem(
                        line,
                        "error",
                        f"{task.id} depends on {name[:60]!r}, which does not exist",
                        self._remedy(name),
                    )
                )
            elif not self._ids[name].ticked:
                # A ticked task is done: whoever waits for it need not.
                known.append(name)
        return msgspec.structs.replace(spec, depends_on=tuple(known))

    def _remedy(self, name: str) -> str:
        if near := self._by_title.get(name.casefold()):
            return f"name tasks by number: {near}"
        if not TASK_ID.fullmatch(name):
            return "name tasks by number, separated by commas: `1, 2`"
        number = int(name[5:])
        at = bisect_left(self._numbers, number)
        near_numbers = self._numbers[max(0, at - 1) : at + 1]
        if not near_numbers:
            return "remove it"
        return f"the nearest is task-{min(near_numbers, key=lambda other: abs(other - number))}"


def _in_stages(tasks: list[DraftTask], specs: list[TaskSpec], problems: list[Problem]) -> list[TaskSpec]:
    """A stage is written as it was first; whoever names none in a plan that has some is in the first."""
    spelled: dict[str, str] = {}
    for spec in specs:
        if spec.stage:
            spelled.setdefault(spec.stage.casefold(), spec.stage)
    if not spelled:
        return specs
    first = next(iter(spelled.values()))
    placed = [
        msgspec.structs.replace(spec, stage=spelled[spec.stage.casefold()] if spec.stage else first)
        for spec in specs
    ]
    place = places(placed)
    for task, before, spec in zip(tasks, specs, placed, strict=True):
        if not before.stage:
            problems.append(
                Problem(
                    task.line,
                    "warning",
                    f"{task.id} names no stage, and others do: it is in the first, {first!r}",
                    f"say which it belongs to: `- Stage: {first}`",
                )
            )
        problems += [
            Problem(
                task.labels["depends_on"].line,
                "error",
                f"{task.id} is in stage {spec.stage!r}, and depends on {name}, which is in a later one",
                "put both into one stage, or remove the dependency",
            )
            for name in spec.depends_on
            if place.get(name, 0) > place[task.id]
        ]
    return placed


def _check_cycles(tasks: list[DraftTask], specs: list[TaskSpec], problems: list[Problem]) -> None:
    lines: dict[str, int] = {}
    depends_on: dict[str, tuple[str, ...]] = {}
    for task, spec in zip(tasks, specs, strict=True):
        entry = task.labels.get("depends_on")
        lines.setdefault(task.id, entry.line if entry else task.line)
        depends_on.setdefault(task.id, spec.depends_on)
    problems.extend(
        Problem(
            lines[cycle[0]],
            "error",
            f"tasks wait for each other: {_chain(cycle)}",
            "remove one of these dependencies",
        )
        for cycle in cycles(depends_on)
    )


def _chain(names: list[str]) -> str:
    if len(names) <= 12:
        return " → ".join(names)
    return " → ".join([*names[:6], f"({len(names) - 10} more)", *names[-4:]])


def cycles(depends_on: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """One cycle for each knot of tasks that wait for each other, in the order of the plan.

    The first task is repeated at the end. A task in no knot is in no cycle.
    """
    return [_within(knot, depends_on) for knot in _knots(depends_on)]


def _knots(depends_on: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Strongly connected tasks (Tarjan's algorithm, without recursion), two or more, or one on itself."""
    order = {name: at for at, name in enumerate(depends_on)}
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    on_stack: dict[str, None] = {}
    knots: list[list[str]] = []
    for root in depends_on:
        work = [] if root in index else [(root, iter(depends_on[root]))]
        while work:
            name, rest = work[-1]
            if name not in index:
                index[name] = low[name] = len(index)
                on_stack[name] = None
            following = next((n for n in rest if n in depends_on and (n not in index or n in on_stack)), None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    knot = _popped(on_stack, name)
                    if len(knot) > 1 or name in depends_on[name]:
                        knots.append(sorted(knot, key=order.__getitem__))
            elif following in index:
                low[name] = min(low[name], index[following])
            else:
                work.append((following, iter(depends_on[following])))
    return sorted(knots, key=lambda knot: order[knot[0]])


def _popped(stack: dict[str, None], name: str) -> list[str]:
    knot = []
    while True:
        last, _ = stack.popitem()
        knot.append(last)
        if last == name:
            return knot


def _within(knot: list[str], depends_on: Mapping[str, Sequence[str]]) -> list[str]:
    """Follow first dependencies inside the knot until one comes round again."""
    members = set(knot)
    path: dict[str, None] = {}
    name = knot[0]
    while name not in path:
        path[name] = None
        name = next(n for n in depends_on[name] if n in members)
    walk = list(path)
    round_trip = walk[walk.index(name) :]
    first = round_trip.index(min(round_trip, key={name: at for at, name in enumerate(knot)}.__getitem__))
    return [*round_trip[first:], *round_trip[: first + 1]]

"""When tasks can run: waves of tasks that wait only for earlier waves, and the longest chain.

A stage begins when all tasks of those before it are done.
"""

from typing import NamedTuple

from teamlead.core.model import Plan, TaskSpec
from teamlead.core.pipeline.pipelines import pipeline_of, places


class Waves(NamedTuple):
    waves: list[list[TaskSpec]]
    """Each in the order of the plan. Tasks of one wave can run in parallel."""
    chain: list[TaskSpec]
    """The dependencies that take longest, first to last: the plan cannot be faster."""
    hours: float
    """What the chain takes."""

    @property
    def widest(self) -> int:
        return max(map(len, self.waves), default=0)


def waves(plan: Plan) -> Waves:
    """For a plan without errors."""
    tasks = {task.id: task for task in plan.tasks}
    wave: dict[str, int] = {}
    end: dict[str, float] = {}
    before: dict[str, str] = {}
    place = places(plan.tasks)
    stage = first_wave = 0
    last_before = ""
    for task in sorted(_in_order(tasks), key=lambda task: place[task.id]):
        if place[task.id] > stage:
            stage, first_wave = place[task.id], max(wave.values()) + 1
            last_before = max(end, key=end.__getitem__)
        wave[task.id] = max((wave[name] + 1 for name in task.depends_on), default=0)
        wave[task.id] = max(wave[task.id], first_wave)
        needed = (*task.depends_on, last_before) if last_before else task.depends_on
        slowest = max(needed, key=end.__getitem__, default="")
        before[task.id] = slowest
        end[task.id] = end.get(slowest, 0.0) + task.hours
    found: list[list[TaskSpec]] = [[] for _ in range(max(wave.values(), default=-1) + 1)]
    for task in plan.tasks:
        found[wave[task.id]].append(task)
    last = max(end, key=end.__getitem__, default="")
    chain = []
    while last:
        chain.append(tasks[last])
        last = before[last]
    return Waves(found, chain[::-1], max(end.values(), default=0.0))


def stages(plan: Plan) -> dict[str, list[TaskSpec]]:
    """The tasks of each, by its name. A plan without stages has one, whose name is empty."""
    names = [stage.name for stage in pipeline_of(plan.tasks).stages]
    place = places(plan.tasks)
    found: dict[str, list[TaskSpec]] = {name: [] for name in names}
    for task in plan.tasks:
        found[names[place[task.id]]].append(task)
    return found


def _in_order(tasks: dict[str, TaskSpec]) -> list[TaskSpec]:
    waiting = {name: len(task.depends_on) for name, task in tasks.items()}
    dependents: dict[str, list[str]] = {name: [] for name in tasks}
    for name, task in tasks.items():
        for dependency in task.depends_on:
            dependents[dependency].append(name)
    ready = [name for name, count in waiting.items() if count == 0]
    for name in ready:
        for dependent in dependents[name]:
            waiting[dependent] -= 1
            if waiting[dependent] == 0:
                ready.append(dependent)
    return [tasks[name] for name in ready]

"""Which stages a session has, and which of them a task belongs to.

No stage is known anywhere by its name: a new one is a line in a plan, or in a pipeline here.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from teamlead.core.model import Pipeline, StageSpec, TaskSpec
from teamlead.core.state.team_state import TeamState

PLANNING = Pipeline((StageSpec(phase="PLANNING"),), ends="plan")
"""Of a session that makes a plan."""


def pipeline_of(tasks: Iterable[TaskSpec]) -> Pipeline:
    """Of a plan: the stages that its tasks name, in the order in which they are first named."""
    names = dict.fromkeys(task.stage for task in tasks if task.stage)
    return Pipeline(tuple(map(StageSpec, names))) if names else Pipeline()


def places(tasks: Iterable[TaskSpec]) -> dict[str, int]:
    """The place of each task's stage among those of its plan."""
    tasks = list(tasks)
    order = {stage.name: place for place, stage in enumerate(pipeline_of(tasks).stages)}
    return {task.id: order.get(task.stage, 0) for task in tasks}


def problems(
    pipeline: Pipeline, tasks: Iterable[TaskSpec], graph: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """What forbids that these tasks are carried out in these stages; `graph`: what each depends on."""
    order = {stage.name: place for place, stage in enumerate(pipeline.stages)}
    if not order or len(order) < len(pipeline.stages):
        return ["a pipeline needs stages, each with a name of its own"]
    tasks = list(tasks)
    if unknown := [spec for spec in tasks if spec.stage and spec.stage not in order]:
        stages = ", ".join(filter(None, order)) or "the plan has only one, without a name"
        return [f"{spec.id} is of stage {spec.stage!r}, which is not there: {stages}" for spec in unknown]
    place = {spec.id: order[spec.stage] if spec.stage else 0 for spec in tasks}
    return [
        f"{spec.id} depends on {name}, which is of a later stage"
        for spec in tasks
        for name in (spec.depends_on if graph is None else graph.get(spec.id, ()))
        if place.get(name, 0) > place[spec.id]
    ]


def placed(state: TeamState, spec: TaskSpec, beside: Iterable[str] = ()) -> TaskSpec:
    """A new task, in the stage that it names, else the last of those it follows or stands beside."""
    if spec.stage:
        named = (name for name in state.stages if name.casefold() == spec.stage.casefold())
        return replace(spec, stage=next(named, spec.stage))
    if len(state.stages) == 1:
        return spec
    near = [state.tasks[name].stage for name in (*beside, *spec.depends_on) if name in state.tasks]
    stage = max(near, key=lambda each: each.order) if near else state.stage or [*state.stages.values()][-1]
    return replace(spec, stage=stage.spec.name)

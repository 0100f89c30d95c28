"""What changes the graph while it runs: tasks added, replaced by a replan, skipped."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.asking import escalation
from teamlead.core.model import TaskSpec
from teamlead.core.pipeline import pipelines
from teamlead.core.pipeline.pipelines import placed
from teamlead.core.state.budget import grants_nothing
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.leaving import is_leaving
from teamlead.core.transitions import SETTLED
from teamlead.core.work import graph
from teamlead.core.work.acceptance import listed
from teamlead.errors import NotFound, Refused

Events = list[e.AnyEvent]


def not_over(state: TeamState, what: str) -> None:
    if state.final:
        how = f"{state.phase}: {state.phases[-1].reason}"
        raise Refused(
            f"{what} is not possible: session {state.session.id} has ended ({how})",
            remedy=f"teamlead cancel {state.session.id} --now ends its agents" if is_leaving(state) else "",
        )


def not_being_approved(state: TeamState) -> None:
    if state.approval is not None:
        raise Refused(f"session {state.session.id} is being approved: wait for the outcome")


def known_task(state: TeamState, name: str) -> Task:
    task = state.tasks.get(name)
    if task is None:
        raise NotFound(
            f"there is no task {name!r} in session {state.session.id}", remedy="see `teamlead status`"
        )
    return task


def _graph_of(state: TeamState) -> dict[str, list[str]]:
    return {name: [d.spec.id for d in task.depends_on] for name, task in state.tasks.items()}


def add_tasks(state: TeamState, fact: f.AddTasks, now: float) -> Events:
    if state.session.pipeline.ends == "plan":
        raise Refused(
            f"session {state.session.id} makes a plan: it has no other task",
            remedy=f'say what shall be different: teamlead plan new --session {state.session.id} "TEXT"',
        )
    not_over(state, "adding a task")
    not_being_approved(state)
    if not fact.tasks:
        raise Refused("there is no task to add")
    return addition(state, fact.tasks, by=fact.by, before=fact.before)


def addition(
    state: TeamState,
    specs: Sequence[TaskSpec],
    *,
    by: str,
    before: tuple[str, ...] = (),
    planned: bool = False,
) -> Events:
    """`before`: who waits for them."""
    specs = [placed(state, spec, before) for spec in specs]
    after = _graph_of(state)
    for name in before:
        task = known_task(state, name)
        if task.attempts or task.state != "READY":
            raise Refused(f"{name} has begun ({task.state}): nothing can be put before it")
        after[name] += [spec.id for spec in specs]
    _fit(state, specs, after)
    return [e.TaskAdded(spec, by, before, planned) for spec in graph.in_order(specs)]


def _fit(state: TeamState, specs: Sequence[TaskSpec], after: Mapping[str, Sequence[str]]) -> None:
    """Refuses tasks that cannot be carried out; `after`: what waits for what once they are there."""
    problems = graph.problems(specs, after)
    if not problems and (len(state.stages) > 1 or any(spec.stage for spec in specs)):
        every = [*(task.spec for task in state.tasks.values()), *specs]
        edges = {**after, **{spec.id: spec.depends_on for spec in specs}}
        problems = tuple(pipelines.problems(state.session.pipeline, every, edges))
    if problems:
        raise Refused("; ".join(problems))
    for spec in specs:
        _usable(state, spec)


def _usable(state: TeamState, spec: TaskSpec) -> None:
    if grants_nothing(spec.budget):
        raise Refused(f"{spec.id} has a budget of nothing: no agent could start on it")
    for name in spec.depends_on:
        task = state.tasks.get(name)
        if task is not None and task.state in {"CANCELLED", "REPLACED_BY_REPLAN"}:
            raise Refused(
                f"{name} will never be done ({task.state}): nothing can depend on it", remedy=task.instead
            )


def replacement(
    state: TeamState,
    tasks: Sequence[Task],
    by_tasks: Sequence[TaskSpec],
    reason: str,
    *,
    by: str,
    except_for: str = "",
) -> Events:
    """What puts others in the place of these. Without a word on it, they depend on what these depended on.

    `except_for`: the record that this closes.
    """
    for task in tasks:
        movable(task)
    names = [task.spec.id for task in tasks]
    before = {d.spec.id: None for task in tasks for d in task.depends_on if d.spec.id not in names}
    specs = [
        placed(state, spec if spec.depends_on else replace(spec, depends_on=tuple(before)), names)
        for spec in by_tasks
    ]
    if any(name in spec.depends_on for spec in specs for name in names):
        raise Refused(f"what replaces {listed(names)} cannot depend on it")
    heirs = [spec.id for spec in specs]
    after = {
        name: [n for d in dependencies for n in (heirs if d in names else [d])]
        for name, dependencies in _graph_of(state).items()
        if name not in names
    }
    _fit(state, specs, after)
    return [
        *(e.TaskAdded(spec, by, planned=True) for spec in graph.in_order(specs)),
        *(event for task in tasks for event in _replaced(state, task, heirs, reason, except_for)),
    ]


def _replaced(state: TeamState, task: Task, heirs: list[str], reason: str, except_for: str) -> Events:
    name = task.spec.id
    return [
        *escalation.withdraw(state, f"{name} was replaced", task=name, except_for=except_for),
        *stop_live(task, reason),
        e.TaskReplaced(name, tuple(heirs), reason),
    ]


def movable(task: Task) -> None:
    """Refuses what is settled, and what git is about to settle."""
    if task.state in SETTLED:
        raise Refused(f"{task.spec.id} is {task.state} already", remedy=task.instead)
    if task.live is not None and task.live.phase == "integrating":
        raise Refused(f"{task.spec.id} is being merged: try again in a moment")


def stop_live(task: Task, reason: str) -> Events:
    if task.live is None or task.live.phase == "stopping":
        return []
    return [e.AttemptStopping(task.spec.id, task.live.number, reason)]


def skip_task(state: TeamState, fact: f.SkipTask, now: float) -> Events:
    not_over(state, "skipping a task")
    task = known_task(state, fact.task)
    movable(task)
    return [
        *escalation.withdraw(state, f"{fact.task} was skipped", task=fact.task),
        *stop_live(task, fact.reason),
        e.TaskSkipped(fact.task, fact.reason, fact.by),
    ]

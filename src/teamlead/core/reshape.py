"""What changes the graph while it runs: tasks added, replaced by a replan, skipped, reopened."""

import msgspec

from teamlead.core import escalation, graph
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.budget import grants_nothing
from teamlead.core.model import TaskSpec
from teamlead.core.staffing import newcomers
from teamlead.core.state import Task, TeamState
from teamlead.core.transitions import SETTLED
from teamlead.errors import NotFound, Refused

Events = list[e.AnyEvent]


def not_over(state: TeamState, what: str) -> None:
    if state.final:
        raise Refused(f"{what} is not possible: session {state.session.id} has ended ({state.phase})")


def not_being_approved(state: TeamState) -> None:
    if state.approval is not None:
        raise Refused(f"session {state.session.id} is being approved: wait for the outcome")


def known_task(state: TeamState, name: str) -> Task:
    task = state.tasks.get(name)
    if task is None:
        raise NotFound(f"there is no task {name!r} in session {state.session.id}")
    return task


def _graph_of(state: TeamState) -> dict[str, list[str]]:
    return {name: [d.spec.id for d in task.depends_on] for name, task in state.tasks.items()}


def add_tasks(state: TeamState, fact: f.AddTasks, now: float) -> Events:
    not_over(state, "adding a task")
    not_being_approved(state)
    if not fact.tasks:
        raise Refused("there is no task to add")
    after = _graph_of(state)
    for name in fact.before:
        task = known_task(state, name)
        if task.attempts or task.state != "READY":
            raise Refused(f"{name} has begun ({task.state}): nothing can be put before it")
        after[name] += [spec.id for spec in fact.tasks]
    problems = graph.problems(fact.tasks, after)
    if problems:
        raise Refused("; ".join(problems))
    for spec in fact.tasks:
        _usable(state, spec)
    return [
        *(e.TaskAdded(spec, fact.by, fact.before) for spec in graph.in_order(fact.tasks)),
        *(e.MemberJoined(member) for member in newcomers(state, fact.tasks, fact.talks)),
    ]


def _usable(state: TeamState, spec: TaskSpec) -> None:
    if grants_nothing(spec.budget):
        raise Refused(f"{spec.id} has a budget of nothing: no agent could start on it")
    for name in spec.depends_on:
        task = state.tasks.get(name)
        if task is not None and task.state in {"CANCELLED", "REPLACED_BY_REPLAN"}:
            raise Refused(f"{name} will never be done ({task.state}): nothing can depend on it")


def replace_task(state: TeamState, fact: f.ReplaceTask, now: float) -> Events:
    not_over(state, "replacing a task")
    task = known_task(state, fact.task)
    movable(task)
    own = tuple(d.spec.id for d in task.depends_on)
    specs = [
        spec if spec.depends_on else msgspec.structs.replace(spec, depends_on=own) for spec in fact.by_tasks
    ]
    if not specs:
        raise Refused(f"{fact.task} needs at least one task in its place")
    if any(fact.task in spec.depends_on for spec in specs):
        raise Refused(f"what replaces {fact.task} cannot depend on it")
    heirs = [spec.id for spec in specs]
    after = {
        name: [n for d in dependencies for n in (heirs if d == fact.task else [d])]
        for name, dependencies in _graph_of(state).items()
    }
    problems = graph.problems(specs, after)
    if problems:
        raise Refused("; ".join(problems))
    for spec in specs:
        _usable(state, spec)
    return [
        *(e.TaskAdded(spec, f"replan of {fact.task}") for spec in graph.in_order(specs)),
        *escalation.withdraw(state, f"{fact.task} was replaced", task=fact.task),
        *_stop_live(task, fact.reason),
        e.TaskReplaced(fact.task, tuple(heirs), fact.reason),
    ]


def movable(task: Task) -> None:
    """Refuses what is settled, and what git is about to settle."""
    if task.state in SETTLED:
        raise Refused(f"{task.spec.id} is {task.state} already")
    if task.live is not None and task.live.phase == "integrating":
        raise Refused(f"{task.spec.id} is being merged: try again in a moment")


def _stop_live(task: Task, reason: str) -> Events:
    if task.live is None or task.live.phase == "stopping":
        return []
    return [e.AttemptStopping(task.spec.id, task.live.number, reason)]


def skip_task(state: TeamState, fact: f.SkipTask, now: float) -> Events:
    not_over(state, "skipping a task")
    task = known_task(state, fact.task)
    movable(task)
    return [
        *escalation.withdraw(state, f"{fact.task} was skipped", task=fact.task),
        *_stop_live(task, fact.reason),
        e.TaskSkipped(fact.task, fact.reason, fact.by),
    ]


def reopen_task(state: TeamState, fact: f.ReopenTask, now: float) -> Events:
    not_over(state, "reopening a task")
    task = known_task(state, fact.task)
    if task.state not in {"DONE", "SKIPPED"}:
        raise Refused(f"{fact.task} is {task.state}: only a task that is done or skipped can be reopened")
    not_being_approved(state)
    return [e.TaskReopened(fact.task, fact.reason)]

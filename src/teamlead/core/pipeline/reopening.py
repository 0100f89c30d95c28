"""Settled tasks that run again, and with them everything that was built on them.

They run from the merged work, with the reason in their prompts. Those that are named have to change
something. Those that follow may find that their work still holds: if its checks pass, it counts as it is.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from teamlead.core import events as e
from teamlead.core.asking import escalation
from teamlead.core.pipeline.reshape import movable
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SETTLED
from teamlead.core.work import graph

Events = list[e.AnyEvent]


class Reopened(NamedTuple):
    task: str
    reason: str
    own: bool = False
    """In a person's own words."""


def reopen(
    state: TeamState, named: Sequence[Reopened], *, only: bool = False, bounded: bool = False
) -> Events:
    """`only`: what was built on them stays as it is. `bounded`: no person wants it."""
    tasks = [state.tasks[each.task] for each in named]
    built = () if only else followers(state, tasks)
    for follower in built:
        if follower.state not in SETTLED:
            movable(follower)
    names = " and ".join(task.spec.id for task in tasks)
    return [
        *(e.TaskReopened(each.task, each.reason, own=each.own, bounded=bounded) for each in named),
        *(event for follower in built for event in _follow(state, follower, names)),
    ]


def within_bounds(state: TeamState, names: Sequence[str]) -> bool:
    """So many may be reopened in each of their stages without a person's word."""
    stages = Counter(state.tasks[name].stage for name in names)
    most = state.session.limits.reopenings
    return all(stage.reopenings + more <= most for stage, more in stages.items())


def followers(state: TeamState, tasks: Sequence[Task]) -> list[Task]:
    """What was built on these: what depends on them, and what began in later stages on the merged work."""
    merged = [task.stage.order for task in tasks if task.spec.merges]
    later = [stage for stage in state.stages.values() if merged and stage.order > min(merged)]
    return graph.built_on(tasks, [state.tasks[name] for stage in later for name in stage.tasks])


def _follow(state: TeamState, task: Task, names: str) -> Events:
    name = task.spec.id
    reason = f"{names} runs again, and {name} was built on it"
    live = task.live is not None and task.live.phase != "stopping"
    return [
        *escalation.withdraw(state, reason, task=name),
        *([e.AttemptStopping(name, task.live.number, reason)] if live and task.live else ()),
        e.TaskReopened(name, reason, follows=names),
    ]

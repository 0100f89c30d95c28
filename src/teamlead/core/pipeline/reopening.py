"""Settled tasks that run again, and with them everything that was built on them.

They run from the merged work, with the reason in their prompts. Those that are named have to change
something. Those that follow may find that their work still holds: if its checks pass, it counts as it is.
"""

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
    followers = () if only else graph.built_on(tasks)
    for follower in followers:
        if follower.state not in SETTLED:
            movable(follower)
    names = " and ".join(task.spec.id for task in tasks)
    return [
        *(e.TaskReopened(each.task, each.reason, own=each.own, bounded=bounded) for each in named),
        *(event for follower in followers for event in _follow(state, follower, names)),
    ]


def _follow(state: TeamState, task: Task, names: str) -> Events:
    name = task.spec.id
    reason = f"{names} runs again, and {name} was built on it"
    live = task.live is not None and task.live.phase != "stopping"
    return [
        *escalation.withdraw(state, reason, task=name),
        *([e.AttemptStopping(name, task.live.number, reason)] if live and task.live else ()),
        e.TaskReopened(name, reason, follows=names),
    ]

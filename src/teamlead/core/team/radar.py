"""Changes of agents at work that will not merge: what is worth a look, who is told, and how often."""

from typing import NamedTuple

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.policy.scope import may_meet
from teamlead.core.state.records import Attempt, Foreseen, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.messages import from_lead
from teamlead.core.work.acceptance import listed

Events = list[e.AnyEvent]

MOST_TOLD = 3
"""Times that the same two are told of each other: an agent that heard it does not need it again and again."""
MOST_PATHS = 20


class Pair(NamedTuple):
    """Two attempts, or one and what was merged."""

    task: str
    attempt: int
    other: str = ""
    other_attempt: int = 0


def pairs(state: TeamState) -> list[Pair]:
    """Those of which one can still be told, and that can have changed the same path."""
    live = [task for name in state.active if _changes(task := state.tasks[name])]
    live.sort(key=lambda task: task.order)
    found = [
        Pair(one.spec.id, _number(one), other.spec.id, _number(other))
        for position, other in enumerate(live)
        for one in live[:position]
        if (_works(one) or _works(other)) and may_meet(one.spec.scope, other.spec.scope)
    ]
    tip = state.integration_tip
    found += [
        Pair(task.spec.id, _number(task))
        for task in live
        if tip and _works(task) and task.live and tip != task.live.base
    ]
    return found


def seen(state: TeamState, fact: f.ConflictSeen, now: float) -> Events:
    if fact.task == fact.other or not differs(state, fact):
        return []
    sides = [name for name, number in _sides(fact) if _is_live(state, name, number)]
    told = [name for name in sides if _works(state.tasks[name])]
    if len(sides) < len(_sides(fact)) or not told:
        return []
    paths = fact.paths[:MOST_PATHS]
    foreseen = e.ConflictForeseen(fact.task, fact.attempt, fact.other, fact.other_attempt, paths)
    if not tells(state.foreseen.get((fact.task, fact.other)), paths):
        return [foreseen]
    other_of = {fact.task: fact.other, fact.other: fact.task}
    return [
        foreseen,
        *from_lead(state, {name: _letter(state.tasks.get(other_of[name]), paths) for name in told}),
    ]


def differs(state: TeamState, fact: f.ConflictSeen) -> bool:
    """From what is known of the two."""
    known = state.foreseen.get((fact.task, fact.other))
    return fact.paths[:MOST_PATHS] != (known.paths if known else ())


def tells(known: Foreseen | None, paths: tuple[str, ...]) -> bool:
    """Whether those concerned hear of it: of paths that they have not just heard of."""
    if known is None:
        return bool(paths)
    return known.told < MOST_TOLD and bool({*paths} - {*known.paths})


def _sides(fact: f.ConflictSeen) -> list[tuple[str, int]]:
    both = [(fact.task, fact.attempt), (fact.other, fact.other_attempt)]
    return both if fact.other else both[:1]


def _is_live(state: TeamState, name: str, number: int) -> bool:
    task = state.tasks.get(name)
    return task is not None and task.live is not None and task.live.number == number and _changes(task)


def _changes(task: Task) -> bool:
    """It may still be merged, and what it has changed by now can be told."""
    attempt = task.live
    if attempt is None or not task.spec.merges or attempt.phase == "stopping":
        return False
    return attempt.phase == "working" or bool(attempt.work.commit)


def _works(task: Task) -> bool:
    return task.live is not None and task.live.phase == "working"


def _number(task: Task) -> int:
    attempt: Attempt | None = task.live
    return attempt.number if attempt else 0


def _letter(other: Task | None, paths: tuple[str, ...]) -> str:
    if other is None:
        return (
            f"What was merged since you began changes the same parts of {listed(paths)} as you do: "
            "as it is now, your work does not merge.\n"
            "Change there only what your task needs. Where that stays in conflict, your task is done again "
            "on top of the merged work."
        )
    name = other.spec.id
    return (
        f"{name} ({other.spec.title}) changes the same parts of {listed(paths)} as you do: "
        "as they are now, your work and its work do not merge.\n"
        f"Change there only what your task needs. Agree with {name} on who changes what, if you can "
        "(send_message). Whichever of you is merged later has to do it again on top of the other's work."
    )

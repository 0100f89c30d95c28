"""What carrying out a plan will be like: how long it takes, how many agents help, what gets in the way.

Two tasks that may change the same files are counted as one after the other: side by side, one of them would
have to be done again.
"""

from collections.abc import Iterator
from heapq import heapreplace
from typing import NamedTuple

from teamlead.core.amounts import show_cost
from teamlead.core.model import Plan, TaskSpec
from teamlead.core.pipeline.pipelines import places
from teamlead.plans.drawing import draw, summary
from teamlead.plans.shared_paths import Ground, Grounds, Use, grounds_of
from teamlead.plans.waves import Waves, waves

MOST_AGENTS = 32
"""More are not looked into."""
WORTH = 1.1
"""An agent that saves less than this share of the time is no help."""
DRAWN = 6
"""A graph of more tasks is for `plan graph`."""
NAMED = 2


class Overlap(NamedTuple):
    """Two tasks that could run at the same time, and what both may change."""

    first: str
    second: str
    where: str


class Cost(NamedTuple):
    """What earlier tasks of the same agent and model cost, carried over. What nobody told is unknown."""

    usd: float | None
    known: int
    """Tasks of the plan that it covers."""
    unknown: int
    samples: int
    """Earlier tasks that it is drawn from."""


class Preview(NamedTuple):
    waves: Waves
    work: float
    """Hours of all tasks."""
    agents: int
    """As many as help; at most `MOST_AGENTS`."""
    hours: float
    """What that many take."""
    overlaps: list[Overlap]
    """One for each task that would have to wait for another."""
    unscoped: int
    """Tasks of which nobody knows what they will change."""

    @property
    def several(self) -> bool:
        return self.agents > 1


def preview(plan: Plan) -> Preview:
    """For a plan without errors."""
    layered = waves(plan)
    order = [task for wave in layered.waves for task in wave]
    grounds = {task.id: grounds_of(task) for task in order}
    free = _play(order, grounds, None)
    order.sort(key=lambda task: free.starts[task.id])
    agents, hours = _enough(order, grounds, free)
    unscoped = sum(task.merges and not grounds[task.id] for task in order)
    work = sum(task.hours for task in order)
    return Preview(
        waves=layered, work=work, agents=agents, hours=hours, overlaps=free.overlaps, unscoped=unscoped
    )


class _Played(NamedTuple):
    starts: dict[str, float]
    ends: dict[str, float]
    overlaps: list[Overlap]

    @property
    def hours(self) -> float:
        return max(self.ends.values(), default=0.0)


def _play(order: list[TaskSpec], grounds: dict[str, tuple[Ground, ...]], agents: int | None) -> _Played:
    """Each task as early as its dependencies, what it changes and the agents allow; None: any number."""
    used = Grounds()
    played = _Played({}, {}, [])
    idle_from = [0.0] * (agents or 0)
    place = places(order)
    stage, opens = 0, 0.0
    for task in sorted(order, key=lambda task: place[task.id]):
        if place[task.id] > stage:
            stage, opens = place[task.id], played.hours
        start = max((played.ends[name] for name in task.depends_on), default=0.0)
        start = max(start, opens)
        in_the_way = max(((used.free(ground), ground) for ground in grounds[task.id]), default=None)
        if in_the_way is not None and in_the_way[0].until > start:
            use, ground = in_the_way
            start = use.until
            played.overlaps.append(Overlap(use.task, task.id, ground.path or "the whole repository"))
        start = max(start, idle_from[0]) if agents else start
        end = start + task.hours
        if agents:
            heapreplace(idle_from, end)
        for ground in grounds[task.id]:
            used.take(ground, Use(end, task.id))
        played.starts[task.id], played.ends[task.id] = start, end
    return played


def _enough(
    order: list[TaskSpec], grounds: dict[str, tuple[Ground, ...]], free: _Played
) -> tuple[int, float]:
    """The least number of agents that is nearly as fast as any number, and how long they take."""
    best = free.hours
    most = min(_busiest(free), MOST_AGENTS)
    fewest = min(most, int(sum(task.hours for task in order) / (best * WORTH)) if best else 1)
    fewest = max(fewest, 1)
    while fewest < most:
        middle = (fewest + most) // 2
        if _play(order, grounds, middle).hours <= best * WORTH:
            most = middle
        else:
            fewest = middle + 1
    return most, _play(order, grounds, most).hours


def _busiest(free: _Played) -> int:
    """How many run at one time, at most."""
    moments = sorted(
        [(end, -1) for end in free.ends.values()] + [(start, 1) for start in free.starts.values()]
    )
    running = most = 0
    for _, change in moments:
        running += change
        most = max(most, running)
    return max(most, 1)


def told_before_start(plan: Plan, found: Preview, jobs: int, cost: Cost) -> Iterator[str]:
    if len(plan.tasks) == 1:
        yield _cost(cost)
        return
    if len(plan.tasks) <= DRAWN:
        yield from filter(None, draw(plan).split("\n")[1:])
    else:
        yield f"{summary(plan, found.waves)} (drawn by `teamlead plan graph {plan.source}`)"
    yield from told_outlook(found, jobs, cost)


def told_outlook(found: Preview, jobs: int | None, cost: Cost) -> Iterator[str]:
    yield _agents(found, jobs)
    for each in found.overlaps[:NAMED]:
        yield f"{each.first} and {each.second} may change the same files ({each.where}), and so conflict."
    if len(found.overlaps) > NAMED:
        yield f"… and {len(found.overlaps) - NAMED} more such pairs."
    if found.unscoped > 1 and found.waves.widest > 1:
        yield f"{found.unscoped} tasks state no scope: whether they get in each other's way is not known."
    yield _cost(cost)


def _agents(found: Preview, jobs: int | None) -> str:
    if not found.several:
        return f"One agent does as well as several: {_why_one(found)}."
    many = f"{found.agents} or more" if found.agents == MOST_AGENTS else str(found.agents)
    time = f"about {found.hours:g} h in place of {found.work:g} h with one"
    if jobs is None:
        return f"{many} agents help: {time}."
    if jobs == 1:
        return f"Only one agent may work at a time; {many} would help: {time}."
    if jobs > found.agents:
        return f"{many} agents help: {time}. More than that would wait (--jobs {jobs})."
    more = f"; {many} would help more" if jobs < found.agents else ""
    return f"All {jobs} agents help{more}."


def _why_one(found: Preview) -> str:
    if found.waves.widest == 1:
        return "there is only one task" if len(found.waves.waves) == 1 else "each task waits for another"
    if found.overlaps:
        return "what could run side by side may change the same files"
    return "nearly all of the work is one chain"


def _cost(cost: Cost) -> str:
    if cost.usd is None:
        return "Cost: unknown, as no earlier task here with the same agent and model tells."
    per = f"by {cost.samples} earlier task{'s' * (cost.samples != 1)} here"
    if not cost.unknown:
        return f"Cost: about {show_cost(cost.usd)}, {per}."
    return (
        f"Cost: about {show_cost(cost.usd)} for {cost.known} of the tasks, {per}; unknown for {cost.unknown}."
    )

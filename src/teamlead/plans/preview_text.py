"""A preview in a few lines."""

from collections.abc import Iterator

from teamlead.core.amounts import show_cost
from teamlead.core.model import Plan
from teamlead.plans.drawing import draw, summary
from teamlead.plans.preview import MOST_AGENTS, Cost, Preview

DRAWN = 6
"""A graph of more tasks is for `plan graph`."""
NAMED = 2


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

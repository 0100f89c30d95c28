"""Tasks that wait for each other."""

from collections.abc import Mapping, Sequence


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

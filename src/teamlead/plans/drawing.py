"""The graph of a plan as text: one line a task, in waves, with lanes as in `git log --graph`.

    wave 1  ○    task-1  Add the user table
    wave 2  ├─●  task-2  Register  ← task-1
            ● │  task-3  Sign in   ← task-1
    wave 3  ●─╯  task-4  Reset a password  ← task-2, task-3

A lane runs from a task to the last one that needs it. ○ needs nothing; ● needs what its lanes come from.
"""

import re

from teamlead.core.model import Plan, TaskSpec
from teamlead.plans.waves import Waves, stages, waves

MAX_LANES = 24
"""More lanes than this do not fit a terminal and say nothing to a reader."""
_SPECIAL = re.compile(r'["#<>&`%\\{}]')
_SHOWN = 6


def draw(plan: Plan) -> str:
    found = waves(plan)
    order = [task for wave in found.waves for task in wave]
    lanes = _lanes(order)
    lines = [plan.title, summary(plan, found), ""]
    label_width = len(f"wave {len(found.waves)}")
    at = 0
    stage = ""
    for number, wave in enumerate(found.waves, start=1):
        if wave[0].stage != stage:
            stage = wave[0].stage
            lines.append(f"— {stage} —")
        for place, task in enumerate(wave):
            label = f"wave {number}" if place == 0 else ""
            lane = f"{lanes[at]}  " if lanes else ""
            lines.append(f"{label:<{label_width}}  {lane}{task.id}  {task.title}{_needs(task)}")
            at += 1
    return "\n".join(lines)


def summary(plan: Plan, found: Waves) -> str:
    total = sum(task.hours for task in plan.tasks)
    return (
        f"{_count(len(plan.tasks), 'task')} in {_count(len(found.waves), 'wave')}, "
        f"up to {found.widest} in parallel; {total:g} h of work, at least {found.hours:g} h: "
        f"{_shortened([task.id for task in found.chain], ' → ')}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _needs(task: TaskSpec) -> str:
    return f"  ← {_shortened(list(task.depends_on), ', ')}" if task.depends_on else ""


def _shortened(names: list[str], between: str) -> str:
    if len(names) <= _SHOWN + 1:
        return between.join(names)
    return between.join([*names[:_SHOWN], f"({len(names) - _SHOWN} more)"])


def _lanes(order: list[TaskSpec]) -> list[str]:
    """The lanes beside each task, all of one width; none where they would be too many."""
    needed: dict[str, int] = {}
    for task in order:
        for name in task.depends_on:
            needed[name] = needed.get(name, 0) + 1
    lanes: list[str] = []
    """Whose lane each column is, "" where it is free."""
    rows = []
    for task in order:
        ending = set()
        for name in task.depends_on:
            needed[name] -= 1
            if needed[name] == 0:
                ending.add(name)
        node = _place(lanes, ending)
        if len(lanes) > MAX_LANES:
            return []
        rows.append(_row(lanes, node, task, ending))
        lanes[:] = ["" if name in ending else name for name in lanes]
        lanes[node] = task.id if needed.get(task.id) else ""
        while lanes and not lanes[-1]:
            lanes.pop()
    width = max(map(len, rows), default=0)
    return [row.ljust(width) for row in rows]


def _place(lanes: list[str], ending: set[str]) -> int:
    """The lane of a need that ends here, else a free one."""
    for place, name in enumerate(lanes):
        if name in ending:
            return place
    if "" in lanes:
        return lanes.index("")
    lanes.append("")
    return len(lanes) - 1


def _row(lanes: list[str], node: int, task: TaskSpec, ending: set[str]) -> str:
    needs = set(task.depends_on)
    touched = [place for place, name in enumerate(lanes) if name in needs] + [node]
    left, right = min(touched), max(touched)
    row = []
    for place, name in enumerate(lanes):
        if place == node:
            row.append("●" if needs else "○")
        elif name in needs:
            row.append(_joint(ends=name in ending, edge=place in (left, right), before=place < node))
        elif name:
            row.append("│")
        else:
            row.append("─" if left < place < right else " ")
        row.append("─" if left <= place < right else " ")
    return "".join(row).rstrip()


def _joint(*, ends: bool, edge: bool, before: bool) -> str:
    if not edge:
        return "┴" if ends else "┼"
    if before:
        return "╰" if ends else "├"
    return "╯" if ends else "┤"


def mermaid(plan: Plan) -> str:
    """The graph for Mermaid, which draws it elsewhere."""
    lines = ["flowchart LR"]
    groups = stages(plan)
    for number, (name, tasks) in enumerate(groups.items(), start=1):
        nodes = [f'    {_node(task.id)}["{task.id}: {_escaped(task.title)}"]' for task in tasks]
        lines += _framed(f"stage_{number}", name, nodes) if name else nodes
    lines += [f"    stage_{number} --> stage_{number + 1}" for number in range(1, len(groups))]
    lines += [f"    {_node(name)} --> {_node(task.id)}" for task in plan.tasks for name in task.depends_on]
    return "\n".join(lines)


def _framed(node: str, title: str, lines: list[str]) -> list[str]:
    return [f'    subgraph {node}["{_escaped(title)}"]', *(f"    {line}" for line in lines), "    end"]


def _node(name: str) -> str:
    return name.replace("-", "_")


def _escaped(text: str) -> str:
    """Mermaid writes characters that mean something to it, or to HTML, as numbers."""
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", text)

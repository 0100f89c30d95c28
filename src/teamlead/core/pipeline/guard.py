"""What a stage still misses before the next one may open.

Every task of it is settled, none that matters was left out without a person's word, and what it is to hand in
was handed in: an accepted delivery, not a file that is looked for.
"""

from collections.abc import Iterator

from teamlead.core.state.records import Task
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SETTLED
from teamlead.core.work.acceptance import listed


def misses(state: TeamState, stage: Stage) -> list[str]:
    """All of it but what a person goes on without."""
    return [missing for missing in _misses(state, stage) if missing not in stage.taken]


def _misses(state: TeamState, stage: Stage) -> Iterator[str]:
    tasks = [state.tasks[name] for name in stage.tasks]
    if open_ones := [task.spec.id for task in tasks if task.state not in SETTLED]:
        yield f"not settled: {listed(open_ones)}"
        return
    if not stage.spec.findings:
        return
    for task in tasks:
        if left_out(task):
            yield f"{task.spec.id} ({task.spec.title}), without anybody's word: {task.detail}"
    if tasks and not any(map(delivers, tasks)):
        yield f"nobody has handed in anything for {stage.spec.findings}"


def left_out(task: Task) -> bool:
    return task.state == "SKIPPED" and task.spec.critical and not task.skipped_by_person


def delivers(task: Task) -> bool:
    return task.state == "DONE" and task.accepted is not None and not task.spec.function

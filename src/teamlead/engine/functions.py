"""What the lead performs itself, in the place of an agent. Its work is examined and merged like all other."""

from collections.abc import Callable, Mapping

from teamlead.core.model import Usage
from teamlead.core.runs import Run, RunEnd
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState


def perform(state: TeamState, run: Run) -> RunEnd | None:
    """None: an agent does it."""
    task = state.tasks[run.task] if run.purpose == "work" else None
    if task is None or not task.spec.function:
        return None
    return RunEnd("ok", _FUNCTIONS[task.spec.function](task), usage=Usage(0, 0, 0.0))


def _findings(task: Task) -> str:
    """The text itself is a projection of the state, which anybody can read at any time."""
    handed_in = ", ".join(each.spec.member or each.spec.id for each in task.depends_on)
    return f"What was handed in stands in one file, as it is: {handed_in or 'nothing'}."


_FUNCTIONS: Mapping[str, Callable[[Task], str]] = {"findings": _findings}

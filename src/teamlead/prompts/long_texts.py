"""What a prompt names and is too long for it: files that are put into the copy of a task."""

from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.prompts.dependencies import long_results
from teamlead.prompts.material import fenced
from teamlead.prompts.task_texts import LONGEST
from teamlead.system.repository import PROJECTIONS

WRITTEN = """\
What the plan says for all of its tasks. Yours is told to you elsewhere; the others are not yours."""


def long_texts(state: TeamState, task: Task) -> dict[str, str]:
    """By their paths in the copy."""
    plan = (
        {file: f"{WRITTEN}\n\n{fenced(state.session.plan.holds_for_all, 'plan')}\n"}
        if (file := plan_file(state))
        else {}
    )
    return plan | long_results(state, task)


def plan_file(state: TeamState) -> str:
    """Empty: what the plan says for all of its tasks stands in the prompt."""
    whole = state.session.plan.holds_for_all
    fits = len(whole.encode(errors="replace")) <= LONGEST
    return "" if fits else f"{PROJECTIONS}{state.session.id}/plan.md"

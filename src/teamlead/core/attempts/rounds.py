"""A guard against work that goes on and on: so many attempts in a row, and no task is settled."""

from teamlead.core import events as e
from teamlead.core.asking import escalation
from teamlead.core.asking.escalation import OPTIONS
from teamlead.core.model import Question
from teamlead.core.state.team_state import TeamState


def guard(state: TeamState) -> list[e.AnyEvent]:
    """Asks a person whether to go on; nothing new starts meanwhile."""
    if state.rounds < state.session.limits.rounds:
        return []
    if any(record.kind == "rounds" for record in state.halts.values()):
        return []
    reason = f"{state.rounds} attempts in a row have settled no task"
    text = f"{reason}\nGo on for as many more, or stop the session?"
    return escalation.ask(state, "rounds", reason, Question(text, OPTIONS["rounds"]))

"""The phase of a session, as a document: where it has been, and where it may go."""

from teamlead.core.people.moving import missing
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import PHASES
from teamlead.views.documents.phases import FixLoopPart, StateDocument
from teamlead.views.report import phase_view


def state_document(state: TeamState) -> StateDocument:
    moves = PHASES[state.phase]
    return StateDocument(
        id=state.session.id,
        phase=state.phase,
        active=not state.final,
        fix_loop=fix_loop_view(state),
        transitions=moves,
        missing={phase: told for phase in moves if (told := missing(state, phase))},
        phase_history=tuple(map(phase_view, state.phases)),
    )


def fix_loop_view(state: TeamState) -> FixLoopPart:
    return FixLoopPart(attempt=state.revisions, max_attempts=state.session.limits.revisions)

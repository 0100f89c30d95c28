"""A task as a ticket: a file each, for people and their scripts."""

from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SATISFYING
from teamlead.views.documents.session_file import TicketDocument

FOLDER = "tickets"


def ticket(state: TeamState, task: Task) -> TicketDocument:
    return TicketDocument(
        id=task.spec.id,
        session_id=state.session.id,
        title=task.spec.title,
        state=task.state,
        version=task.version,
        stage=task.stage.spec.name,
        phase=task.stage.spec.phase,
        member=task.spec.member,
        role=task.spec.role,
        agent=state.staff_of(task.spec).agent,
        blocked_by=_blocked_by(task),
        attempts_total=len(task.attempts),
        reason=task.detail,
        commit=task.commit,
    )


def edition(task: Task) -> object:
    """Equal as long as its ticket says the same: to ask costs less than to write one."""
    attempts = len(task.attempts)
    return task.state, task.version, task.spec, attempts, task.detail, task.commit, _blocked_by(task)


def _blocked_by(task: Task) -> tuple[str, ...]:
    return tuple(each.spec.id for each in task.depends_on if each.state not in SATISFYING)

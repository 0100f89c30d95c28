"""The integration branch stays where leads left it: nobody would look at what others put there."""

from teamlead.workspaces.reflogs import entries, log_of
from teamlead.workspaces.refs import read_ref
from teamlead.workspaces.session import INTEGRATION, Session


def put_right(session: Session, known: str = "") -> str:
    """Brings the branch back if need be, and returns where it is; "" if it is still to be made.

    The caller holds the lock for shared branches. `known`: where it was once, for one that is gone.
    """
    now = read_ref(session.repository.common_dir, session.integration)
    right = session.fence.latest.get(session.integration) or _left_by_a_lead(session) or (now or known)
    if now != right:
        if session.git.commit(now):
            session.keep(INTEGRATION, now)
        session.move(session.integration, right, now, "put back")
    return right


def _left_by_a_lead(session: Session) -> str:
    """Returns where a lead left it, as git's log says; "" if the log says nothing."""
    log = list(entries(log_of(session.repository.common_dir, session.integration)))
    led = [entry.new for entry in log if entry.by_a_lead]
    return led[-1] if led else session.base_commit if log else ""

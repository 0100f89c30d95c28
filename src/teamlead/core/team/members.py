"""What is known of a member: what it is doing, and in which conversation."""

from teamlead.core.runs import Run
from teamlead.core.state.records import Member
from teamlead.core.transitions import SETTLED, MemberState


def run_of(member: Member) -> Run | None:
    """Its current one, else its last."""
    return member.task.attempts[-1].run if member.task.attempts else None


def state_of(member: Member) -> MemberState:
    """joined: it has not begun. idle: its turn has ended, and its task is not settled. left: that is.

    Once it was asked to leave, it has left when nothing of it is alive.
    """
    leaver = member.leaver
    if leaver is not None and leaver.requests and leaver.how is None:
        return "asked to leave" if len(leaver.requests) == 1 else "asked again"
    if member.task.state in SETTLED:
        return "left"
    run = run_of(member)
    if run is None:
        return "joined"
    return "working" if run.ended_at is None else "idle"


def conversation_of(member: Member, agent: str) -> str:
    """The one that its next or live run continues; empty: it begins a new one.

    A conversation speaks of the copy it was held in, so none outlives it.
    """
    task = member.task
    if task.live is None and task.fresh:
        return ""
    for attempt in reversed(task.attempts):
        if task.spec.plans and attempt.outcome == "failed":
            # Perhaps over what was said in it, such as too much.
            return ""
        if attempt.run.conversation:
            return attempt.run.conversation if attempt.run.agent == agent else ""
        # A run that was to continue one and is lost without it has found that it is not there any more.
        if attempt.fresh or attempt.run.status == "lost":
            return ""
    return ""

"""How the team of a session that has ended leaves."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.effects import AwaitAnswer
from teamlead.core.state.indexes import make_due
from teamlead.core.state.records import Attempt, Leaver, Leaving, Member, Message
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.members import state_of
from teamlead.core.transitions import MemberState, check_move

ASKED: tuple[MemberState, ...] = ("asked to leave", "asked again")


def _team_leaving(state: TeamState, event: e.TeamLeaving, at: float) -> None:
    if state.leaving is None:
        state.leaving = Leaving(at, event.at_once)
    elif event.at_once:
        state.leaving.at_once = True


def asked(state: TeamState, member: Member, request: Message) -> None:
    """It has its time to answer."""
    before = state_of(member)
    check_move("member", before, ASKED[before in ASKED])
    leaver = member.leaver or _leaver(state, member, request.attempt)
    _wait_no_more(state, member)
    leaver.requests.append(request.id)
    limits = state.session.limits
    patience = limits.leaving if len(leaver.requests) == 1 else limits.leaving_again
    make_due(state, AwaitAnswer(member.name, request.attempt, request.id, patience))


def _leaver(state: TeamState, member: Member, attempt: int) -> Leaver:
    assert state.leaving is not None, "nobody leaves a session that goes on"
    leaver = member.leaver = state.leaving.leavers[member.name] = Leaver(attempt)
    return leaver


def answered(member: Member, answer: Message) -> None:
    if member.leaver is not None and answer.type == "shutdown_response":
        member.leaver.approved = answer.approve
        member.leaver.reason = answer.text


def stopped(state: TeamState, member: Member, attempt: Attempt) -> None:
    """It is ended while it is at work."""
    if state.leaving is not None:
        leaver = member.leaver or _leaver(state, member, attempt.number)
        leaver.stopped = True
        _wait_no_more(state, member)


def attempt_over(state: TeamState, member: Member, attempt: Attempt) -> None:
    """What was meant for this one alone reaches no other."""
    if member.unread:
        own = [name for name in member.unread if state.messages[name].attempt == attempt.number]
        member.unread = tuple(name for name in member.unread if name not in own)
    _wait_no_more(state, member)


def _wait_no_more(state: TeamState, member: Member) -> None:
    leaver = member.leaver
    if leaver is not None and leaver.requests:
        state.due.pop(f"AwaitAnswer:{member.name}:{leaver.attempt}:{leaver.requests[-1]}", None)


def _member_left(state: TeamState, event: e.MemberLeft, at: float) -> None:
    leaver = state.members[event.member].leaver
    assert leaver is not None, "only who was at work leaves"
    leaver.how = event.how
    leaver.left_at = at
    state.touched[event.member] = None


def _team_deleted(state: TeamState, event: e.TeamDeleted, at: float) -> None:
    assert state.leaving is not None, "a team leaves before it is deleted"
    state.leaving.rules = event.rules
    state.leaving.deleted_at = at


def leader_changed(state: TeamState) -> None:
    """Whoever was at work went with the leader before."""
    if state.leaving is not None and state.leaving.deleted_at is None:
        state.leaving.at_once = True


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.TeamLeaving: _team_leaving,
    e.MemberLeft: _member_left,
    e.TeamDeleted: _team_deleted,
}

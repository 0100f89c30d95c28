"""How the team leaves of a session that has ended."""

from collections.abc import Iterator

from teamlead.core.state.records import Leaver
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.leaving import HOW
from teamlead.views.documents.sessions import LeaverPart, LeavingPart, LeavingRulePart
from teamlead.views.moments import iso


def leaving_view(state: TeamState) -> LeavingPart | None:
    leaving = state.leaving
    if leaving is None:
        return None
    return LeavingPart(
        since=iso(leaving.since),
        at_once=leaving.at_once,
        members=tuple(_leaver(state, name, leaver) for name, leaver in leaving.leavers.items()),
        rules=tuple(
            LeavingRulePart(rule=each.rule, held=each.held, found=each.found) for each in leaving.rules
        ),
        deleted_at=iso(leaving.deleted_at),
    )


def _leaver(state: TeamState, name: str, leaver: Leaver) -> LeaverPart:
    asked = state.messages[leaver.requests[0]].sent_at if leaver.requests else None
    return LeaverPart(
        member=name,
        attempt=leaver.attempt,
        requests=tuple(leaver.requests),
        asked_at=iso(asked),
        approved=leaver.approved,
        reason=leaver.reason,
        how=leaver.how,
        left_at=iso(leaver.left_at),
    )


def told_leaving(leaving: LeavingPart) -> Iterator[str]:
    """A line each: who left how, and what was made sure of before the team was deleted."""
    for each in leaving["members"]:
        how = HOW[each["how"]] if each["how"] else "it has not left yet"
        said = f"; it said: {' '.join(each['reason'].split())}" if each["reason"] else ""
        yield f"{each['member']} attempt {each['attempt']}: {how}{said}"
    for rule in leaving["rules"]:
        yield f"{rule['rule']}: {'held' if rule['held'] else 'broken'} ({rule['found']})"
    yield f"deleted at {leaving['deleted_at']}" if leaving["deleted_at"] else "not deleted yet"

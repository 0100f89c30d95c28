"""When a kind of agent may not be used: its account met a limit, its service fails, or it lets nobody in.

The whole kind is held, since all its agents share the account, and nobody's work has failed. A hold that time
will end is nobody's question. Afterwards, if it had come again and again, one run goes before all others.

The machine is held likewise, for all agents and checks, while it is out of processes, descriptors or memory.
"""

from teamlead.core import escalation
from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.records import MACHINE, Hold
from teamlead.core.runs import AgentStatus, RunEnd
from teamlead.core.state import TeamState
from teamlead.errors import Refused

Events = list[e.AnyEvent]

DAY = 86400.0
LONGEST = 8 * DAY
"""A reset time further ahead is an error of whoever told it."""
MOST_STRIKES = 6
"""In a row, until a person is asked, where nobody knows when it will be over."""

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 8.0
"""Seconds until something is started again on an exhausted machine; the first doubles each time."""
FORGOTTEN = 60.0
"""Seconds after a pause of the machine, until another one begins at the first again."""

FIRST_DELAY: dict[AgentStatus, float] = {"limit": 60.0, "unavailable": 15.0}
"""Seconds; doubles with each strike."""


def hold(state: TeamState, kind: str, began: int, end: RunEnd, now: float) -> Events:
    """What follows for a kind when a run of it, `began` then, ended because it could not be served."""
    known = state.holds.get(kind)
    if known is not None and known.until is None:
        return []
    # What began before the hold met the same obstacle as whoever raised it.
    same = known is not None and began < known.raised
    before = known.strikes - same if known is not None else 0
    until = ends(end.status, end.reset_at, before, now)
    if same and known is not None and until is not None and until <= (known.until or 0.0):
        return []
    return [e.AgentHeld(kind, until, end.detail or WORDS[end.status], before + 1)]


WORDS: dict[AgentStatus, str] = {
    "limit": "its account met a limit",
    "unavailable": "its service does not answer as it should",
    "denied": "its service lets it not in",
}


def ends(status: AgentStatus, reset_at: float | None, strikes: int, now: float) -> float | None:
    """When a kind may be tried again that was not served, after so many times before. None: a person says."""
    if status == "denied":
        return None
    if status == "limit" and reset_at is not None and reset_at > now:
        return min(reset_at, now + LONGEST)
    if strikes + 1 >= MOST_STRIKES:
        return None
    delay: float = FIRST_DELAY[status] * 2**strikes
    return now + delay


def machine_short(state: TeamState, fact: f.MachineShort, now: float) -> Events:
    known = state.holds.get(MACHINE)
    if known is None or known.until is None:
        strikes = 0
    elif known.until > now:
        # What was started before met the same obstacle.
        return []
    else:
        strikes = known.strikes if now < known.until + FORGOTTEN else 0
    pause = min(FIRST_PAUSE * 2**strikes, LONGEST_PAUSE)
    return [e.AgentHeld(MACHINE, now + pause, fact.reason, strikes + 1)]


def kind_held(state: TeamState, fact: f.KindHeld, now: float) -> Events:
    known = state.holds.get(fact.kind)
    until = min(fact.until, now + LONGEST)
    needed = fact.kind in state.kinds
    if not needed or state.final or until <= now or _lasts(known, until):
        return []
    return [e.AgentHeld(fact.kind, until, fact.reason, known.strikes if known else 0)]


def release(state: TeamState, fact: f.ReleaseAgent, now: float) -> Events:
    if fact.kind not in state.holds:
        held = ", ".join(state.holds) or "none is"
        raise Refused(
            f"{fact.kind!r} is not on hold in session {state.session.id}", remedy=f"on hold: {held}"
        )
    question = state.asked.get(("agent", fact.kind))
    answered = [e.EscalationResolved(question, escalation.RETRY, fact.by)] if question else []
    return [*answered, e.AgentReleased(fact.kind)]


def _lasts(known: Hold | None, until: float) -> bool:
    return known is not None and (known.until is None or known.until >= until)

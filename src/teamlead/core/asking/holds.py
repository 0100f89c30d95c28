"""When a kind of agent may not be used: its account met a limit, its service fails, or it lets nobody in.

The whole kind is held, since all its agents share the account, and nobody's work has failed. A hold that time
will end is nobody's question. Afterwards, if it had come again and again, one run goes before all others.

The machine is held likewise, for all agents and checks, while it is out of processes, descriptors or memory.
And so is what fails for several tasks in the same way, until the one question about it is answered: an agent,
a judge, a planner, what copies are made with. See `causes`.
"""

from collections.abc import Sequence

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.causes import Cause
from teamlead.core.runs import AgentStatus, RunEnd
from teamlead.core.state.records import MACHINE, Hold
from teamlead.core.state.team_state import TeamState

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
    "denied": "its service does not let it in",
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


def others(state: TeamState, task: str, cause: Cause | None) -> list[str]:
    """Tasks that have failed for the same cause, with nothing of the thing that went well since."""
    if cause is None or not cause.thing:
        return []
    met = state.troubles.get(cause.thing, {}).get(cause.name, {})
    return [name for name in met if name != task]


def hold_thing(state: TeamState, cause: Cause | None, tasks: Sequence[str]) -> Events:
    """Nothing more of what fails for these tasks in the same way starts, until their question is answered."""
    if cause is None or len(tasks) < 2:
        return []
    known = state.holds.get(cause.thing)
    if known is not None and known.cause == cause.name:
        return []
    reason = f"it fails in the same way for {' and '.join(tasks)}: {cause.how}"
    return [e.AgentHeld(cause.thing, None, reason, cause=cause.name)]


def moot(state: TeamState) -> Events:
    """A thing is held as long as somebody is asked about it."""
    held = ((thing, hold.cause) for thing, hold in state.holds.items() if hold.cause)
    asked = {cause for _, cause in state.asked}
    return [e.AgentReleased(thing) for thing, cause in held if cause not in asked]


def _lasts(known: Hold | None, until: float) -> bool:
    return known is not None and (known.until is None or known.until >= until)

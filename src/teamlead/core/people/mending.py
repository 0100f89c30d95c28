"""What was changed in the user's repository stays open until it is put right, or the user takes it.

Until then nothing is brought onto their branch.
"""

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused

Events = list[e.AnyEvent]

SHOWN = 3
TRESPASSED = "your repository was changed while agents worked"


def looked(state: TeamState, fact: f.RepositoryLooked, now: float) -> Events:
    found = {trespass.item: trespass for trespass in fact.trespasses}
    return [
        *(e.TrespassSettled(item, "gone") for item in state.trespasses if item not in found),
        *(e.TrespassFound(each) for each in found.values() if state.trespasses.get(each.item) != each),
    ]


def mend(state: TeamState, fact: f.Mend, now: float) -> Events:
    """What is settled already was seen to be so by a leader before."""
    ends: tuple[tuple[e.TrespassEnd, tuple[str, ...]], ...] = (
        ("put back", fact.put_back),
        ("accepted", fact.accepted),
        ("gone", fact.gone),
    )
    settled = {item: how for how, items in ends for item in items if item in state.trespasses}
    return [e.TrespassSettled(item, how, fact.by) for item, how in settled.items()]


def require_none(state: TeamState) -> None:
    if state.trespasses:
        raise Refused(blocked(state), remedy=f"look and decide: teamlead mend {state.session.id}")


def blocked(state: TeamState) -> str:
    told = [trespass.told for trespass in state.trespasses.values()]
    more = f" and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    return f"{TRESPASSED}: {'; '.join(told[:SHOWN])}{more}"

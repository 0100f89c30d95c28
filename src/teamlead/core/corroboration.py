"""Whether somebody else should look at what an agent is sure of."""

from collections.abc import Iterable

from teamlead.core.references import Standing

HIGH = 85


def needs_specialist(confidence: float, standings: Iterable[Standing]) -> bool:
    """High confidence that rests on references which only the agent itself vouches for."""
    return confidence >= HIGH and any(standing != "verified" for standing in standings)

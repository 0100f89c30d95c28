"""Conflicts that are foreseen between attempts at work."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.state.records import Foreseen
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.radar import tells


def _conflict_foreseen(state: TeamState, event: e.ConflictForeseen, at: float) -> None:
    known = state.foreseen.get((event.task, event.other))
    state.foreseen[event.task, event.other] = Foreseen(
        task=event.task,
        attempt=event.attempt,
        other=event.other,
        other_attempt=event.other_attempt,
        paths=event.paths,
        since=known.since if known and known.paths else at,
        told=(known.told if known else 0) + tells(known, event.paths),
    )


def forget(state: TeamState, task: str) -> None:
    """Its attempt has ended, and what was said of it is over."""
    for pair in [pair for pair in state.foreseen if task in pair]:
        del state.foreseen[pair]


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.ConflictForeseen: _conflict_foreseen,
}

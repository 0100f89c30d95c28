"""What the user was told outside of the terminal."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.people import notices
from teamlead.core.state.team_state import TeamState


def _person_notified(state: TeamState, event: e.PersonNotified, at: float) -> None:
    state.notices[event.about] = event.problem
    notices.settle(state, event.about)


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.PersonNotified: _person_notified,
}

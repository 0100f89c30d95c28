"""Tells the user that a person is needed. Nothing waits for it, and nothing fails with it."""

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.people.notices import notice
from teamlead.core.state.team_state import TeamState
from teamlead.ports.notifier import Notifier


class Notices:
    def __init__(self, notifier: Notifier | None) -> None:
        self._notifier = notifier

    async def tell(self, state: TeamState, effect: do.Notify) -> f.AnyFact | None:
        found = notice(state, effect.about)
        if found is None:
            return None
        if self._notifier is None:
            return f.Notified(effect.about, "nothing here can notify anybody")
        problems = [await self._notifier.notify(way, found) for way in state.session.notify]
        return f.Notified(effect.about, "; ".join(filter(None, problems)))

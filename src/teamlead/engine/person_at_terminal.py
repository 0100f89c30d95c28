"""The person at the leader's terminal, if there is one: asked for what only a person can say."""

from collections.abc import Sequence

from teamlead.core import facts as f
from teamlead.core.events import AnyEvent, EscalationRaised, EscalationWithdrawn
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Person
from teamlead.engine.under_way import UnderWay

KEY = "person"


class PersonAtTerminal:
    def __init__(self, state: TeamState, person: Person | None, under_way: UnderWay) -> None:
        self._state = state
        self._person = person
        self._under_way = under_way
        self.there = person is not None
        """They would answer, as far as is known."""

    def ask(self) -> None:
        self._under_way.begin(KEY, self._ask)

    async def _ask(self) -> f.AnyFact | None:
        assert self._person is not None
        command = await self._person(self._state)
        self.there = command is not None
        return command

    def notice(self, events: Sequence[AnyEvent]) -> None:
        """An agent that waits for a word is asked about at once, not when nothing else runs any more."""
        if self._person is None:
            return
        if any(isinstance(event, EscalationWithdrawn) for event in events):
            self.leave_alone()
        if KEY in self._under_way.running:
            return
        raised = (event for event in events if isinstance(event, EscalationRaised))
        if any(self._works(asker.task, asker.attempt) for event in raised for asker in event.tasks):
            self.ask()

    def _works(self, task: str, attempt: int) -> bool:
        live = self._state.active.get(task)
        return live is not None and live.number == attempt

    def leave_alone(self) -> None:
        """Somebody else answered, or the leader ends: the prompt has no purpose any more."""
        self._under_way.cancel(KEY)

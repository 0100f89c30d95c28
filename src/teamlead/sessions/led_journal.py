"""A session's journal in the hands of who leads it, also for a moment only."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from teamlead.core.facts import AnyFact, LeaderLeft
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import step
from teamlead.engine.stopping import VANISHED
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Stamped
from teamlead.ports.leadership import Epoch
from teamlead.sessions.projections import Projections
from teamlead.sessions.replay import fold
from teamlead.system.repository import Repository
from teamlead.system.sessions import SessionFolder
from teamlead.views.rows import view_rows


class OpenJournal:
    """Implements `ports.leadership.LedJournal`."""

    def __init__(self, repository: Repository, events: SqliteJournal) -> None:
        self.events = events
        self._repository = repository
        self._state: TeamState | None = None

    @property
    def epoch(self) -> Epoch:
        return Epoch(self.events.epoch, self.events.verify, self.events.rise)

    def replay(self) -> TeamState:
        if self._state is None:
            self._state = fold(self.events.read(), str(self.events.path))
        return self._state

    def record(self, fact: AnyFact) -> None:
        state = self.replay()
        state.touched.clear()
        # Nothing is to start for a leader that is dead.
        gone = [LeaderLeft(VANISHED)] if state.leader else []
        commit = commit_of(state, [*gone, fact], max(time.time(), state.updated_at))
        if commit.events:
            with Projections(self._repository, self.events, state):
                asyncio.run(self.events.commit(commit))


@contextmanager
def open_journal(repository: Repository, folder: SessionFolder) -> Iterator[OpenJournal]:
    """For one who holds the session's lease."""
    with closing(SqliteJournal.open(folder.journal)) as events:
        yield OpenJournal(repository, events)


def commit_of(state: TeamState, facts: Sequence[AnyFact], now: float) -> Commit:
    """One turn, where no leader's loop takes it; raises what a fact is refused with."""
    turn = step(state, facts, now)
    for refusal in turn.refusals.values():
        raise refusal
    events = [Stamped(now, event) for event in turn.events]
    return Commit(events, view_rows(state, list(state.touched)), (), durable=True)

"""Puts into a session's journal what was done while nobody led it. For one who holds its lease."""

import asyncio
import time
from contextlib import closing

from teamlead.core.facts import AnyFact, LeaderLeft
from teamlead.core.state.team_state import TeamState
from teamlead.core.step import step
from teamlead.journal.lease import acquire
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Stamped
from teamlead.sessions.projections import Projections
from teamlead.sessions.replay import fold
from teamlead.system.repository import Repository
from teamlead.system.sessions import SessionFolder
from teamlead.views.rows import view_rows

COMMAND = "teamlead, putting down a fact"
GONE = "its leader ended without a word"


def tell(repository: Repository, journal: SqliteJournal, state: TeamState, fact: AnyFact) -> None:
    """Raises what the fact is refused with."""
    state.touched.clear()
    now = max(time.time(), state.updated_at)
    # Nothing is to start for a leader that is dead.
    gone = [LeaderLeft(GONE)] if state.leader else []
    turn = step(state, [*gone, fact], now)
    for refusal in turn.refusals.values():
        raise refusal
    if turn.events:
        rows = view_rows(state, list(state.touched))
        with Projections(repository, journal, state):
            stamped = [Stamped(now, event) for event in turn.events]
            asyncio.run(journal.commit(Commit(stamped, rows, (), durable=True)))


def put_down(repository: Repository, folder: SessionFolder, fact: AnyFact) -> None:
    """The same, of a session that this process does not lead. Raises LeaseHeld if another one does."""
    with acquire(folder.path, COMMAND), closing(SqliteJournal.open(folder.journal)) as journal:
        tell(repository, journal, fold(journal.read(), str(journal.path)), fact)

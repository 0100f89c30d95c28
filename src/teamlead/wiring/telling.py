"""Puts into a session's journal what was done while nobody led it. For one who holds its lease."""

import asyncio
import time

from teamlead.core.decide import decide
from teamlead.core.evolve import evolve
from teamlead.core.facts import AnyFact
from teamlead.core.state import TeamState
from teamlead.journal.writer import SqliteJournal
from teamlead.ports import Commit, Stamped
from teamlead.system.repository import Repository
from teamlead.views.rows import view_rows
from teamlead.wiring.projections import Projections


def tell(repository: Repository, journal: SqliteJournal, state: TeamState, fact: AnyFact) -> None:
    """Only what the fact itself means: what would follow from it is for the next leader."""
    state.touched.clear()
    now = max(time.time(), state.updated_at)
    events = decide(state, fact, now)
    for event in events:
        evolve(state, event, now)
    if events:
        rows = view_rows(state, list(state.touched))
        with Projections(repository, journal, state):
            stamped = [Stamped(now, event) for event in events]
            asyncio.run(journal.commit(Commit(stamped, rows, (), durable=True)))

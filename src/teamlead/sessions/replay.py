"""A session's state, replayed from its journal: for its leader, and for whoever only looks."""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from teamlead.core.events import Recorded
from teamlead.core.evolve import evolve
from teamlead.core.state.team_state import TeamState
from teamlead.errors import IllegalMove, StorageFailed
from teamlead.journal.codec import decode
from teamlead.journal.reader import JournalReader
from teamlead.system.sessions import SessionFolder


def read_state(folder: SessionFolder) -> TeamState:
    """Without the lease: as the last commit left it."""
    with JournalReader(folder.journal) as reader:
        return fold(recorded_events(reader), str(folder.journal))


def recorded_events(reader: JournalReader, since: int = 0) -> Iterator[Recorded]:
    source = str(reader.path)
    for seq, at, kind, version, body in reader.read(since):
        yield Recorded(seq, at, decode(kind, version, body, source))


def fold(events: Iterable[Recorded], source: str) -> TeamState:
    state = TeamState()
    with _no_collection():
        for recorded in events:
            try:
                evolve(state, recorded.event, recorded.at)
            except (IllegalMove, LookupError, AssertionError) as error:
                raise StorageFailed(
                    f"{source!r} cannot be replayed: event {recorded.seq} does not fit the ones before it",
                    remedy="it was written by another version, or damaged; nothing was changed",
                ) from error
    return state


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nearly all that a fold makes stays: looking for garbage in it costs a fifth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()

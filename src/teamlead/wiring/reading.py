"""A session's state for commands that only look: folded from the journal, without the lease."""

from collections.abc import Iterator

from teamlead.core.events import Recorded
from teamlead.core.state.team_state import TeamState
from teamlead.journal.codec import decode
from teamlead.journal.reader import JournalReader
from teamlead.system.sessions import SessionFolder
from teamlead.wiring.folding import fold


def read_state(folder: SessionFolder) -> TeamState:
    with JournalReader(folder.journal) as reader:
        return fold(recorded_events(reader), str(folder.journal))


def recorded_events(reader: JournalReader, since: int = 0) -> Iterator[Recorded]:
    source = str(reader.path)
    for seq, at, kind, version, body in reader.read(since):
        yield Recorded(seq, at, decode(kind, version, body, source))

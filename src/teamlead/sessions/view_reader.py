"""What `status` and its like show of a session: the rows that its journal keeps ready, or else its events.

Whoever shows what is not so would be believed. So each row has a seal, and the session's own says how many
rows there are and of which moment it is. Where anything of that is in doubt, all is told from the events.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from teamlead.errors import ViewDoubtful
from teamlead.journal.reader import JournalReader, TaskView

if TYPE_CHECKING:
    from teamlead.ports.journal import Rows
    from teamlead.views.documents.sessions import SessionRow, TaskPart


class ViewReader(JournalReader):
    def __init__(self, path: Path, tell: Callable[[str], None] = lambda _: None) -> None:
        """`tell` gets what is damaged, once."""
        super().__init__(path)
        self._tell = tell
        self._told = False
        self._folded: tuple[int, Rows] | None = None
        """The rows that the events up to a moment make."""

    def session(self) -> "SessionRow":
        with self.snapshot():
            try:
                return self._session()
            except ViewDoubtful as doubt:
                return _session(self._from_events(doubt).session or b"")

    def tasks(
        self, *, waiting_only: bool = False, states: Sequence[str] = (), limit: int = -1
    ) -> "list[TaskPart]":
        """In the plan's order. Without a limit: all of them."""
        rows = self.stored_tasks(waiting_only=waiting_only, states=states, limit=limit)
        return [json.loads(row.body) for row in rows]

    def foremost(self, first: Sequence[str], most: int) -> "list[TaskPart]":
        """In the plan's order, too. Those in one of the states `first` go before the others."""
        with self.snapshot():
            rows = self.stored_tasks(states=first, limit=most)
            others = [state for state in self.session()["task_counts"] if state not in first]
            if others and len(rows) < most:
                rows += self.stored_tasks(states=others, limit=most - len(rows))
        return [json.loads(row.body) for row in sorted(rows)]

    def stored_tasks(
        self, *, waiting_only: bool = False, states: Sequence[str] = (), limit: int = -1
    ) -> list[TaskView]:
        """As `tasks`, each as the JSON that it is."""
        with self.snapshot():
            try:
                rows = self.task_rows(waiting_only=waiting_only, states=states, limit=limit)
                if not waiting_only:
                    self._require_all(rows, states, limit)
            except ViewDoubtful as doubt:
                found = [
                    TaskView(*row)
                    for row in self._from_events(doubt).tasks
                    if (row.waiting or not waiting_only) and (not states or row.state in states)
                ]
                return found if limit < 0 else found[:limit]
        return rows

    def _session(self) -> "SessionRow":
        view = _session(self.session_row())
        if view["seq"] != self.last_seq():
            raise self._doubtful("what `status` shows of the session is older than its last event")
        return view

    def _require_all(self, rows: Sequence[TaskView], states: Sequence[str], limit: int) -> None:
        counts = self._session()["task_counts"]
        wanted = sum(count for state, count in counts.items() if not states or state in states)
        if len(rows) != (wanted if limit < 0 else min(limit, wanted)):
            raise self._doubtful("what `status` shows has more or fewer tasks than there are")

    def _from_events(self, doubt: ViewDoubtful) -> "Rows":
        from teamlead.sessions.replay import fold, recorded_events  # noqa: PLC0415 - `status` seldom needs it
        from teamlead.views.rows import view_rows  # noqa: PLC0415 - as above

        seq = self.last_seq()
        if self._folded is None or self._folded[0] != seq:
            state = fold(recorded_events(self), str(self.path))
            self._folded = seq, view_rows(state, list(state.tasks))
        if not self._told:
            self._told = True
            self._tell(f"{doubt.message}; what is shown here is told from its events")
        return self._folded[1]


def _session(row: bytes) -> "SessionRow":
    found: SessionRow = json.loads(row)
    return found

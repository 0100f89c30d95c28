"""Any process reads a journal by this, beside its leader or without one.

`status` is measured from the start of the process: this module loads neither msgspec nor asyncio, and hands
out rows as they are stored. Every call is a short transaction, because a long one stops checkpoints.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any, NamedTuple, Self

import apsw

from teamlead.errors import StorageFailed, ViewDoubtful
from teamlead.journal.schema import JOURNAL
from teamlead.journal.seal import is_sealed, seal_of_row, seal_of_session
from teamlead.journal.sqlite import failure, guarded, open_for_reading

PAGE = 1000
_ROWS = "select ord, id, state, waiting, body, seal from view_task"


EventRow = tuple[int, float, str, int, bytes]
"""seq, at, kind, version and body. Plain, because a resume reads tens of thousands."""


class TaskView(NamedTuple):
    order: int
    id: str
    state: str
    waiting: bool
    body: bytes


class Answer(NamedTuple):
    """The outcome of one inbox command."""

    command: str
    accepted: bool
    message: str
    exit_code: int


def opened_at(path: Path) -> float | None:
    """The moment of a journal's first event; None where it cannot be read. Made to be asked of many."""
    try:
        with closing(_open_quickly(path)) as connection:
            row = connection.execute("select at from events where seq = 1").fetchone()
    except (apsw.Error, StorageFailed):
        return None
    return None if row is None else float(row[0])


def _open_quickly(path: Path) -> apsw.Connection:
    """For what never changes. A file that nobody has open is read as it lies there.

    That takes a quarter of the time: SQLite makes no files beside it, by which others would know of us.
    """
    if path.with_name(f"{path.name}-wal").exists():
        return open_for_reading(path, JOURNAL)
    lies = f"{path.absolute().as_uri()}?immutable=1"
    return apsw.Connection(lies, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


class JournalReader:
    def __init__(self, path: Path, *, vfs: str = "") -> None:
        self.path = path
        self._connection = open_for_reading(path, JOURNAL, vfs=vfs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def snapshot(self) -> AbstractContextManager[object]:
        """Calls inside the `with` block see one and the same moment. Keep it short."""
        return self._connection

    def epoch(self) -> int:
        """Returns the epoch of the leader that came last."""
        with guarded(self.path):
            return int(self._connection.execute("select epoch from meta").get)

    def data_version(self) -> int:
        """Returns another number than last time if somebody has committed since. Made to be polled."""
        with guarded(self.path):
            return int(self._connection.pragma("data_version"))

    def read(self, since: int = 0) -> Iterator[EventRow]:
        """Yields events with a seq above `since`, in order, if they are committed when it gets there."""
        while rows := self._page(since):
            for seq, at, kind, version, body, stored in rows:
                if seq != since + 1:
                    raise self._damaged(f"event {since + 1} is missing")
                if not is_sealed(seq, at, body, stored):
                    raise self._damaged(f"event {seq} is not what was written")
                since = seq
                yield seq, at, kind, version, body

    def _page(self, since: int) -> list[tuple[Any, ...]]:
        query = "select seq, at, kind, version, body, seal from events where seq > ? order by seq limit ?"
        return self._all(query, (since, PAGE))

    def _damaged(self, what: str) -> StorageFailed:
        return StorageFailed(
            f"{str(self.path)!r} is damaged: {what}", remedy="restore it from a backup; nothing was changed"
        )

    def last_seq(self) -> int:
        return int(self._all("select coalesce(max(seq), 0) from events")[0][0])

    def session_row(self) -> bytes:
        """Reads the session's row. Raises ViewDoubtful, like `task_rows`, if it may have changed on disk."""
        rows = self._shown("select body, seal from view_session")
        if not rows:
            raise self._doubtful("what `status` shows of the session is missing")
        body, stored = rows[0]
        self._require_seal("the session", seal_of_session(body), stored)
        row: bytes = body
        return row

    def task_rows(
        self, *, waiting_only: bool = False, states: Sequence[str] = (), limit: int = -1
    ) -> list[TaskView]:
        """Reads tasks' rows in the plan's order; without a limit, all of them."""
        conditions = ["waiting"] if waiting_only else []
        if states:
            conditions.append(f"state in ({', '.join('?' * len(states))})")
        where = f"where {' and '.join(conditions)}" if conditions else ""
        rows = self._shown(f"{_ROWS} {where} order by ord limit ?", (*states, limit))
        for order, task, *rest, stored in rows:
            self._require_seal(repr(task), seal_of_row(order, task, *rest), stored)
        return [
            TaskView(order, task, state, bool(waiting), body) for order, task, state, waiting, body, _ in rows
        ]

    def sealed_tasks(self) -> set[str]:
        """Lists tasks whose row is what was written; none where the rows cannot be read at all."""
        try:
            rows = self._shown(_ROWS)
        except ViewDoubtful:
            return set()
        return {row[1] for row in rows if seal_of_row(*row[:-1]) == row[-1]}

    def _shown(self, query: str, bindings: tuple[str | int, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, bindings).fetchall()
        except (apsw.CorruptError, UnicodeDecodeError) as error:
            raise self._doubtful(f"what `status` shows cannot be read: {error}") from error
        except apsw.Error as error:
            raise failure(self.path, error) from error

    def _require_seal(self, whose: str, wanted: int, stored: int) -> None:
        if stored != wanted:
            raise self._doubtful(f"what `status` shows of {whose} is not what was written")

    def _doubtful(self, what: str) -> ViewDoubtful:
        return ViewDoubtful(
            f"{str(self.path)!r} is damaged: {what}",
            remedy="the events are the truth; the next leader writes it anew",
        )

    def outcome(self, command: str) -> Answer | None:
        query = "select command, accepted, message, exit_code from outcomes where command = ?"
        rows = self._all(query, (command,))
        if not rows:
            return None
        name, accepted, message, exit_code = rows[0]
        return Answer(name, bool(accepted), message, exit_code)

    def _all(self, query: str, bindings: tuple[str | int, ...] = ()) -> list[tuple[Any, ...]]:
        with guarded(self.path):
            return self._connection.execute(query, bindings).fetchall()

"""Reading a journal from any process, beside its leader or without one.

`status` is measured from the start of the process: this module loads neither msgspec nor asyncio, and hands
out rows as they are stored. Every call is a short transaction, because a long one stops checkpoints.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Self

from teamlead.errors import StorageFailed
from teamlead.journal.schema import JOURNAL
from teamlead.journal.seal import is_sealed
from teamlead.journal.sqlite import guarded, open_for_reading

PAGE = 1000


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
        """Of the leader that came last."""
        with guarded(self.path):
            return int(self._connection.execute("select epoch from meta").get)

    def data_version(self) -> int:
        """Differs from the last call's if somebody has committed since. Made to be polled."""
        with guarded(self.path):
            return int(self._connection.pragma("data_version"))

    def read(self, since: int = 0) -> Iterator[EventRow]:
        """Events with a seq above `since`, in order, as far as they are committed when it gets there."""
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
        rows = self._all("select body from view_session")
        if not rows:
            raise self._damaged("what `status` shows of the session is missing")
        body: bytes = rows[0][0]
        return body

    def task_rows(
        self, *, waiting_only: bool = False, states: Sequence[str] = (), limit: int = -1
    ) -> list[TaskView]:
        """In the plan's order. Without a limit: all of them."""
        conditions = ["waiting"] if waiting_only else []
        if states:
            conditions.append(f"state in ({', '.join('?' * len(states))})")
        where = f"where {' and '.join(conditions)}" if conditions else ""
        query = f"select ord, id, state, waiting, body from view_task {where} order by ord limit ?"  # noqa: S608 - only placeholders are put in
        return [
            TaskView(order, task, state, bool(waiting), body)
            for order, task, state, waiting, body in self._all(query, (*states, limit))
        ]

    def counts(self) -> dict[str, int]:
        """How many tasks are in each state."""
        return dict(self._all("select state, count(*) from view_task group by state order by state"))

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

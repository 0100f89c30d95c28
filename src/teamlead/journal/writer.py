"""The leader's side of the journal.

Commits run on the event loop's own thread while they are fast: handing one to a thread costs more than the
commit itself. When the disk is slow they go to one writer thread, which puts whatever has gathered into one
transaction. Order is always that of the calls: nothing runs on the loop's thread while the other has work.
"""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Self

import apsw

from teamlead.core.events import Recorded
from teamlead.errors import StaleLeader, StorageFailed, TeamleadError
from teamlead.journal import codec
from teamlead.journal.reader import JournalReader
from teamlead.journal.schema import JOURNAL
from teamlead.journal.seal import seal, seal_of_row, seal_of_session
from teamlead.journal.sqlite import create, failure, guarded, open_for_writing
from teamlead.ports.journal import Commit, Outcome, Rows
from teamlead.system.faults import reach

SLOW = 0.002
"""Seconds a commit may hold up the event loop, on a moving average."""

CHECKPOINT_PAGES = 1000
"""SQLite's own default."""

_EVENT = "insert into events(seq, at, kind, version, body, seal) values (?, ?, ?, ?, ?, ?)"
_SESSION = "insert or replace into view_session(one, body, seal) values (1, ?, ?)"
_TASK = (
    "insert into view_task(ord, id, state, waiting, body, seal) values (?, ?, ?, ?, ?, ?) on conflict(ord)"
    " do update set id = excluded.id, state = excluded.state, waiting = excluded.waiting,"
    " body = excluded.body, seal = excluded.seal"
)
_OUTCOME = "insert into outcomes(command, accepted, message, exit_code) values (?, ?, ?, ?)"


class _Transaction(NamedTuple):
    events: Sequence[tuple[int, float, str, int, bytes, int]]
    rows: Rows
    outcomes: Sequence[Outcome]
    durable: bool


class SqliteJournal:
    """Implements `ports.journal.Journal`. Whoever opens it holds the session's lease."""

    def __init__(self, path: Path, connection: apsw.Connection, reader: JournalReader, epoch: int) -> None:
        self.path = path
        self.epoch = epoch
        """Of this leader. One that opens the journal later has a higher one, and ends this one's writing."""
        self._connection = connection
        self._cursor = connection.cursor()
        self._reader = reader
        self._witness = JournalReader(path)
        self._asking = threading.Lock()
        self._seq = reader.last_seq()
        self._durable: bool | None = None
        self._pace = {False: 0.0, True: 0.0}
        self._failure: TeamleadError | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._queue: deque[_Transaction] = deque()
        # Each counter has one writing thread; they are equal when the writer thread has nothing to do.
        self._handed_over = 0
        self._taken_care_of = 0

    @staticmethod
    def create(path: Path, first: Commit = Commit((), Rows(), (), durable=True)) -> None:  # noqa: B008 - immutable
        """Makes a journal. `first` is in it as soon as it is there."""
        create(path, JOURNAL, lambda cursor: _insert(cursor, _transaction(first, seq=1)))

    @classmethod
    def open(cls, path: Path, *, vfs: str = "") -> Self:
        """Opens it for a new leader, and fences out every earlier one."""
        connection = open_for_writing(path, JOURNAL, vfs=vfs)
        try:
            with guarded(path):
                connection.pragma("synchronous", "full")
                _spare_main_file(connection, spare=True)
                reach("journal epoch: before")
                epoch = connection.execute("update meta set epoch = epoch + 1 returning epoch").get
                reach("journal epoch: after")
            return cls(path, connection, JournalReader(path, vfs=vfs), epoch)
        except BaseException:
            connection.close()
            raise

    @property
    def last_seq(self) -> int:
        """The seq of the last event given to `commit`."""
        return self._seq

    async def commit(self, commit: Commit) -> None:
        self._refuse_after_failure()
        transaction = self._prepare(commit)
        if self._handed_over == self._taken_care_of and self._pace[commit.durable] < SLOW:
            self._write((transaction,))
            return
        self._queue.append(transaction)
        self._handed_over += 1
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "journal")
        # Shielded: a cancelled caller must not take its transaction out of the order of the others.
        await asyncio.shield(asyncio.wrap_future(self._thread.submit(self._drain)))

    def read(self, since: int = 0) -> Iterator[Recorded]:
        source = os.fspath(self.path)
        for seq, at, kind, version, body in self._reader.read(since):
            yield Recorded(seq, at, codec.decode(kind, version, body, source))

    def has_outcome(self, command: str) -> bool:
        return self._reader.outcome(command) is not None

    def doubtful(self, tasks: Iterable[str]) -> list[str]:
        sealed = self._reader.sealed_tasks()
        return [task for task in tasks if task not in sealed]

    def verify(self) -> None:
        # A connection serves one thread at a time, and the reader's serves the loop.
        with self._asking:
            epoch = self._witness.epoch()
        if epoch != self.epoch:
            raise StaleLeader(self.path.parent.name)

    def rise(self, epoch: int) -> int:
        """Takes an epoch above this one, which another leader had without this journal's knowledge."""
        with guarded(self.path):
            raised = "update meta set epoch = ? where epoch = ? returning epoch"
            reach("journal epoch: before")
            found = self._connection.execute(raised, (epoch + 1, self.epoch)).get
            reach("journal epoch: after")
        if found is None:
            raise StaleLeader(self.path.parent.name)
        self.epoch = epoch + 1
        return self.epoch

    def close(self) -> None:
        """Closes after everything that was handed over is written."""
        if self._thread is not None:
            self._thread.shutdown()
        self._reader.close()
        self._witness.close()
        self._connection.close()

    def _prepare(self, commit: Commit) -> _Transaction:
        transaction = _transaction(commit, self._seq + 1)
        self._seq += len(transaction.events)
        return transaction

    def _drain(self) -> None:
        """Writes, on the writer thread, all that has gathered; nothing if an earlier call took it along."""
        batch = [self._queue.popleft() for _ in range(len(self._queue))]
        self._refuse_after_failure()
        if batch:
            self._write(batch)
            self._taken_care_of += len(batch)

    def _write(self, batch: Sequence[_Transaction]) -> None:
        started = perf_counter()
        durable = any(transaction.durable for transaction in batch)
        try:
            if self._durable is None:
                _spare_main_file(self._connection, spare=False)
            if durable is not self._durable:
                self._connection.pragma("synchronous", "full" if durable else "normal")
                self._durable = durable
            self._cursor.execute("begin immediate")
            self._check_epoch()
            for transaction in batch:
                _insert(self._cursor, transaction)
            reach("journal commit: before")
            self._cursor.execute("commit")
        except BaseException as error:
            self._failure = error if isinstance(error, TeamleadError) else failure(self.path, error)
            self._roll_back()
            if self._failure is error:
                raise
            raise self._failure from error
        reach("journal commit: after")
        self._pace[durable] += (perf_counter() - started - self._pace[durable]) / 4

    def _check_epoch(self) -> None:
        if self._cursor.execute("select epoch from meta").get != self.epoch:
            raise StaleLeader(self.path.parent.name)

    def _roll_back(self) -> None:
        """Some errors have ended the transaction already."""
        if self._connection.in_transaction:
            self._cursor.execute("rollback")

    def _refuse_after_failure(self) -> None:
        if self._failure is not None:
            raise StorageFailed(
                f"{str(self.path)!r} accepts nothing more after a failed commit: {self._failure.message}",
                remedy=self._failure.remedy,
            )


def _spare_main_file(connection: apsw.Connection, *, spare: bool) -> None:
    """Leaves the main file as it is until the first commit: reading may have shown that it is damaged."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(spare))
    connection.wal_autocheckpoint(0 if spare else CHECKPOINT_PAGES)


def _transaction(commit: Commit, seq: int) -> _Transaction:
    """`seq` is the first event's."""
    events = []
    for number, (at, event) in enumerate(commit.events, seq):
        encoded = codec.encode(event)
        events.append((number, at, *encoded, seal(number, at, encoded.body)))
    return _Transaction(events, commit.rows, commit.outcomes, commit.durable)


def _insert(cursor: apsw.Cursor, transaction: _Transaction) -> None:
    cursor.executemany(_EVENT, transaction.events)
    session, tasks = transaction.rows
    if session is not None:
        cursor.execute(_SESSION, (session, seal_of_session(session)))
    if tasks:
        cursor.executemany(_TASK, [(*row, seal_of_row(*row)) for row in tasks])
    if transaction.outcomes:
        cursor.executemany(_OUTCOME, transaction.outcomes)

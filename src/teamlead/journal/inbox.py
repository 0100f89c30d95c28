"""Commands that other processes put to a session's leader, in a file of their own.

Apart from the journal, so that a caller that is stopped in the middle cannot hold up the leader's commits. A
command stays until its outcome is in the journal. The leader reads all there is, in the order it came: a
high-water mark would lose a command that commits late. One that cannot be read keeps nobody from the others:
it is answered, too, and then lies in a table of its own, for whoever wants to look at it.
"""

import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import apsw

from teamlead.core.facts import Command, CommandUnreadable
from teamlead.errors import Refused, StorageFailed
from teamlead.journal import codec
from teamlead.journal.schema import INBOX
from teamlead.journal.sqlite import BUSY_MS, create, guarded, open_for_writing
from teamlead.system.faults import reach
from teamlead.system.process_owner import require_person
from teamlead.system.sessions import state_of

DROP_MS = 50
"""How long the leader waits to remove what it has answered. If somebody holds the file longer, next time."""


# As bytes: an id that is no text any more must not hide the others.
_WAITING = "select number, cast(id as blob), body from commands order by number"
_ASIDE = "create table if not exists set_aside(number integer primary key, id blob, body blob) strict"
_SET_ASIDE = (
    "insert or replace into set_aside select number, cast(id as blob), body from commands where number = ?"
)


class SqliteInbox:
    """`put` is for callers. The rest implements `ports.journal.Inbox`: a leader opens it with `lead`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_for_writing(path, INBOX)
        self._connection.pragma("synchronous", "full")
        # One that starts as a reader may be refused when it comes to write, without waiting its turn.
        self._connection.transaction_mode = "IMMEDIATE"
        self._seen: int | None = None
        self._numbers: dict[str, int] = {}
        """Of what was taken, by its id."""
        self._unreadable: set[str] = set()
        self._answered: set[str] = set()

    @staticmethod
    def create(path: Path) -> None:
        create(path, INBOX)

    @classmethod
    def lead(cls, path: Path) -> Self:
        """Opens it for the leader, and says which commands the leader can read."""
        inbox = cls(path)
        with guarded(path):
            # What callers put must survive a power cut. What was dropped may come back: it has its outcome.
            inbox._connection.pragma("synchronous", "normal")
            # Also where it says so already: it makes a leader that came before look up, and end.
            inbox._connection.execute("update meta set protocol = ?", (codec.PROTOCOL,))
        return inbox

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def put(self, command: Command) -> str:
        """Puts a command on disk, and returns the id that its outcome is found by. Only a person may."""
        require_person(state_of(self.path.resolve().parent))
        name = uuid.uuid4().hex
        body = codec.encode_command(command)
        with guarded(self.path), self._connection:
            reach("inbox put: before")
            self._refuse_older_leader(self._connection.execute("select protocol from meta").get)
            self._connection.execute("insert into commands(id, body) values (?, ?)", (name, body))
        reach("inbox put: after")
        # SQLite's own counter does not count what came through this very connection.
        self._seen = None
        return name

    def changed(self) -> bool:
        return self._seen is None or self._seen != self._version()

    def take(self) -> Sequence[tuple[str, Command | CommandUnreadable]]:
        # Before the rows: what is put in between is then seen as new the next time.
        self._seen = self._version()
        with guarded(self.path):
            rows: list[tuple[Any, ...]] = self._connection.execute(_WAITING).fetchall()
        named = [(number, name.decode(errors="backslashreplace"), body) for number, name, body in rows]
        self._numbers = {name: number for number, name, _ in named}
        return [(name, self._read(name, body)) for _, name, body in named if name not in self._answered]

    def _read(self, name: str, body: bytes) -> Command | CommandUnreadable:
        try:
            return codec.decode_command(body, str(self.path))
        except StorageFailed as error:
            self._unreadable.add(name)
            what = f"a command could not be carried out: {error.message}"
            return CommandUnreadable(f"{what}; it is kept there, in the table 'set_aside'")

    def drop(self, commands: Sequence[str]) -> None:
        self._answered.update(commands)
        gone = self._answered & self._numbers.keys()
        rows = [(self._numbers[name],) for name in gone]
        aside = [(self._numbers[name],) for name in gone & self._unreadable]
        self._connection.set_busy_timeout(DROP_MS)
        try:
            with guarded(self.path), suppress(apsw.BusyError):
                with self._connection:
                    reach("inbox drop: before")
                    if aside:
                        self._connection.execute(_ASIDE)
                        self._connection.executemany(_SET_ASIDE, aside)
                    self._connection.executemany("delete from commands where number = ?", rows)
                self._answered.clear()
        finally:
            self._connection.set_busy_timeout(BUSY_MS)
        reach("inbox drop: after")

    def _version(self) -> int:
        with guarded(self.path):
            return int(self._connection.pragma("data_version"))

    def _refuse_older_leader(self, protocol: int) -> None:
        if 0 < protocol < codec.PROTOCOL:
            raise Refused(
                f"the leader of {str(self.path.parent)!r} runs an older teamlead; nothing was written",
                remedy="stop it and resume the session with this one, or use the older command line",
            )

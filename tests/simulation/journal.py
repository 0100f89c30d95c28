"""The journal and the inbox as one leader holds them: fenced by its epoch, slow, and gone with it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tests.simulation.disk import Disk
from tests.simulation.line import Killed, Line

from teamlead.core import facts as f
from teamlead.core.events import Recorded
from teamlead.errors import StaleLeader, StorageFailed
from teamlead.ports.journal import Commit

if TYPE_CHECKING:
    from tests.simulation.world import World


class JournalOnLine:
    """Implements `ports.journal.Journal` for one leader."""

    def __init__(self, world: "World", line: Line) -> None:
        self._world = world
        self._line = line

    async def commit(self, commit: Commit) -> None:
        world, line = self._world, self._line
        line.step("commit")
        if world.weather.slow:
            if world.random.random() < 0.01:
                await line.hang()
            await world.pause(line)
        try:
            world.disk.write(commit, line.epoch)
        except (StaleLeader, StorageFailed):
            line.leaving = True
            raise
        if commit.durable:
            world.truth.sync()
        if world.trace is not None:
            self._tell(commit)
        if line.full_late:
            line.leaving = True
            raise StorageFailed("the journal was written, and the disk said no")
        line.step("commit")

    def _tell(self, commit: Commit) -> None:
        for stamped in commit.events:
            self._world.tell("event" if commit.durable else "event, not synced", stamped.event)
        for outcome in commit.outcomes:
            self._world.tell("outcome", *outcome)

    def read(self, since: int = 0) -> Iterator[Recorded]:
        return iter(self._world.disk.events[since:])

    def doubtful(self, tasks: Iterable[str]) -> Sequence[str]:
        return ()

    def verify(self) -> None:
        if self._line.stale:
            raise StaleLeader("s-1")

    def has_outcome(self, command: str) -> bool:
        return command in self._world.disk.outcomes


class InboxOnLine:
    """Implements `ports.journal.Inbox` for one leader."""

    def __init__(self, disk: Disk, line: Line) -> None:
        self._disk = disk
        self._line = line
        self._seen = -1

    def changed(self) -> bool:
        if self._line.cut:
            raise Killed
        return self._seen != self._disk.arrivals

    def take(self) -> list[tuple[str, f.Command]]:
        self._seen = self._disk.arrivals
        return list(self._disk.inbox.items())

    def drop(self, commands: Sequence[str]) -> None:
        self._line.step("drop")
        for command in commands:
            self._disk.drop(command)
        self._line.step("drop")

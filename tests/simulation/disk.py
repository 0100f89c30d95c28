"""The journal and the inbox of a session, on a disk that may be full, slow to keep, and cut off its power."""

from tests.core.oracle import law as promise
from tests.simulation.promises import Promises

from teamlead.core import facts as f
from teamlead.core.events import LAZY, Recorded
from teamlead.errors import StaleLeader, StorageFailed
from teamlead.ports.journal import Commit, Outcome


class Disk:
    """It survives its leaders. What was not synced survives them too, but not a power cut."""

    def __init__(self, promises: Promises) -> None:
        self._promises = promises
        self.events: list[Recorded] = []
        self.outcomes: dict[str, Outcome] = {}
        self.synced = 0
        """Events that a power cut leaves."""
        self.epoch = 0
        self.full = False
        self.inbox: dict[str, f.Command] = {}
        self.asked: dict[str, f.Command] = {}
        """Every command that was ever put."""
        self.arrivals = 0

    def open(self) -> int:
        self.epoch += 1
        return self.epoch

    def write(self, commit: Commit, epoch: int) -> None:
        if epoch != self.epoch:
            raise StaleLeader("s-1")
        if self.full:
            raise StorageFailed("the journal cannot be written: no space left")
        for outcome in commit.outcomes:
            promise(outcome.command not in self.outcomes, f"{outcome.command} was answered twice")
            promise(commit.durable, f"{outcome.command} is answered by a commit that a power cut takes")
        first = len(self.events) + 1
        recorded = [Recorded(seq, at, event) for seq, (at, event) in enumerate(commit.events, first)]
        self.events += recorded
        self.outcomes.update((outcome.command, outcome) for outcome in commit.outcomes)
        if commit.durable:
            self.synced = len(self.events)
        else:
            for event in recorded:
                promise(type(event.event) in LAZY, f"{event.event!r} is not synced")
        self._promises.written(recorded)
        for outcome in commit.outcomes:
            self._promises.answered(self.asked[outcome.command], outcome, recorded)

    def lose_unsynced(self) -> None:
        if self.synced < len(self.events):
            del self.events[self.synced :]
            self._promises.rewind(self.events)

    def put(self, command: f.Command) -> str:
        name = f"command-{len(self.asked) + 1}"
        self.inbox[name] = self.asked[name] = command
        self.arrivals += 1
        return name

    def drop(self, command: str) -> None:
        promise(command in self.outcomes, f"{command} was taken out of the inbox without an outcome on disk")
        self.inbox.pop(command, None)

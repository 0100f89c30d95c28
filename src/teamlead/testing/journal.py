"""A journal and an inbox in memory. They pass the same contract suite as the real ones."""

import uuid
from collections.abc import Iterable, Iterator, Sequence

from teamlead.core.events import Recorded
from teamlead.core.facts import Command, CommandUnreadable
from teamlead.errors import StaleLeader, StorageFailed
from teamlead.ports.journal import Commit, Outcome, TaskRow


class MemoryJournal:
    """Implements `ports.journal.Journal`."""

    def __init__(self, *, fail_at: int = 0) -> None:
        self.fail_at = fail_at
        """The number of the commit that fails, counted from 1; 0 for none."""
        self.commits: list[Commit] = []
        self.events: list[Recorded] = []
        self.session: bytes | None = None
        self.tasks: dict[int, TaskRow] = {}
        self.outcomes: dict[str, Outcome] = {}
        self.replaced = False
        """Another leader has taken over."""
        self._failed = False

    async def commit(self, commit: Commit) -> None:
        self.verify()
        if self._failed:
            raise StorageFailed("the journal accepts nothing more after a failed commit")
        answered = [outcome.command for outcome in commit.outcomes]
        twice = len(set(answered)) < len(answered) or not self.outcomes.keys().isdisjoint(answered)
        if twice or len(self.commits) + 1 == self.fail_at:
            self._failed = True
            raise StorageFailed("a command was answered twice" if twice else "the journal was told to fail")
        self._apply(commit)

    def read(self, since: int = 0) -> Iterator[Recorded]:
        index = since
        while index < len(self.events):
            yield self.events[index]
            index += 1

    def has_outcome(self, command: str) -> bool:
        return command in self.outcomes

    def doubtful(self, tasks: Iterable[str]) -> Sequence[str]:
        known = {row.id for row in self.tasks.values()}
        return [task for task in tasks if task not in known]

    def verify(self) -> None:
        if self.replaced:
            raise StaleLeader("in memory")

    def _apply(self, commit: Commit) -> None:
        self.commits.append(commit)
        first = len(self.events) + 1
        self.events += [Recorded(seq, at, event) for seq, (at, event) in enumerate(commit.events, first)]
        if commit.rows.session is not None:
            self.session = commit.rows.session
        self.tasks.update((row.order, row) for row in commit.rows.tasks)
        self.outcomes.update((outcome.command, outcome) for outcome in commit.outcomes)


class MemoryInbox:
    """Implements `ports.journal.Inbox`."""

    def __init__(self) -> None:
        self._commands: dict[str, Command | CommandUnreadable] = {}
        self._changed = True

    def put(self, command: Command | CommandUnreadable) -> str:
        name = uuid.uuid4().hex
        self._commands[name] = command
        self._changed = True
        return name

    def changed(self) -> bool:
        return self._changed

    def take(self) -> Sequence[tuple[str, Command | CommandUnreadable]]:
        self._changed = False
        return list(self._commands.items())

    def drop(self, commands: Sequence[str]) -> None:
        for name in commands:
            self._commands.pop(name, None)

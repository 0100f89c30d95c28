from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from teamlead.core.events import AnyEvent, TaskDone
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Outcome, Rows, Stamped, TaskRow

Commits = Callable[..., Commit]


@pytest.fixture
def commit_of() -> Commits:
    """A commit of the given events, or of one event for each given task."""

    def make(
        *events: AnyEvent | str,
        at: float = 5.0,
        session: bytes | None = None,
        tasks: Sequence[TaskRow] = (),
        outcomes: Sequence[Outcome] = (),
        durable: bool = True,
    ) -> Commit:
        stamped = [
            Stamped(at, TaskDone(event, "c0ffee") if isinstance(event, str) else event) for event in events
        ]
        return Commit(stamped, Rows(session, tasks), outcomes, durable)

    return make


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An empty journal."""
    path = tmp_path / "journal.db"
    SqliteJournal.create(path)
    return path

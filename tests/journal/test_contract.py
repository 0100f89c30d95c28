"""What every journal and every inbox does, the real ones and the doubles."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from teamlead.core.events import Recorded, TaskAdded, TaskDone
from teamlead.core.facts import Cancel, Command, Resolve, SkipTask
from teamlead.core.model import TaskSpec
from teamlead.errors import StorageFailed
from teamlead.journal.inbox import SqliteInbox
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Commit, Inbox, Journal, Outcome
from teamlead.testing.journal import MemoryInbox, MemoryJournal


@pytest.fixture(params=["sqlite", "memory"])
def journal(request: pytest.FixtureRequest, path: Path) -> Iterator[Journal]:
    if request.param == "memory":
        yield MemoryJournal()
        return
    journal = SqliteJournal.open(path)
    yield journal
    journal.close()


class Post:
    """A leader's inbox and somebody who puts commands into it."""

    def __init__(self, inbox: Inbox, caller: SqliteInbox | MemoryInbox) -> None:
        self.inbox = inbox
        self._caller = caller

    def put(self, command: Command) -> str:
        return self._caller.put(command)


@pytest.fixture(params=["sqlite", "sqlite, the leader itself", "memory"])
def post(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Post]:
    if request.param == "memory":
        inbox = MemoryInbox()
        yield Post(inbox, inbox)
        return
    path = tmp_path / "inbox.db"
    SqliteInbox.create(path)
    with SqliteInbox.lead(path) as leader, SqliteInbox(path) as caller:
        yield Post(leader, caller if request.param == "sqlite" else leader)


def tasks_in(journal: Journal) -> list[str]:
    return [recorded.event.task for recorded in journal.read() if isinstance(recorded.event, TaskDone)]


def test_events_come_back_in_order_numbered_from_one(
    journal: Journal, commit_of: Callable[..., Commit]
) -> None:
    added = TaskAdded(TaskSpec("task-9", "Título, 日本", scope=("src/**",), hours=0.5), "user")

    async def run() -> None:
        await journal.commit(commit_of("task-1", added, at=1.5))
        await journal.commit(commit_of("task-2", at=2.5, durable=False))

    asyncio.run(run())
    assert list(journal.read()) == [
        Recorded(1, 1.5, TaskDone("task-1", "c0ffee")),
        Recorded(2, 1.5, added),
        Recorded(3, 2.5, TaskDone("task-2", "c0ffee")),
    ]


def test_reading_starts_after_the_given_event(journal: Journal, commit_of: Callable[..., Commit]) -> None:
    asyncio.run(journal.commit(commit_of("task-1", "task-2", "task-3")))
    assert [recorded.seq for recorded in journal.read(since=1)] == [2, 3]
    assert list(journal.read(since=3)) == []


def test_commits_made_at_the_same_time_keep_the_order_of_the_calls(
    journal: Journal, commit_of: Callable[..., Commit]
) -> None:
    async def run() -> None:
        await asyncio.gather(*(journal.commit(commit_of(f"task-{number}")) for number in range(20)))

    asyncio.run(run())
    assert tasks_in(journal) == [f"task-{number}" for number in range(20)]


def test_an_outcome_is_known_once_it_is_committed(journal: Journal, commit_of: Callable[..., Commit]) -> None:
    assert not journal.has_outcome("a")
    asyncio.run(journal.commit(commit_of(outcomes=[Outcome("a", accepted=False, message="no", exit_code=5)])))
    assert journal.has_outcome("a")
    assert not journal.has_outcome("b")


def test_a_second_outcome_for_a_command_is_refused_with_everything_in_its_commit(
    journal: Journal, commit_of: Callable[..., Commit]
) -> None:
    answered = Outcome("a", accepted=True, message="done")
    asyncio.run(journal.commit(commit_of("task-1", outcomes=[answered])))
    with pytest.raises(StorageFailed):
        asyncio.run(journal.commit(commit_of("task-2", outcomes=[Outcome("b", True, ""), answered])))
    assert tasks_in(journal) == ["task-1"]
    assert not journal.has_outcome("b")


def test_nothing_is_accepted_after_a_failed_commit(
    journal: Journal, commit_of: Callable[..., Commit]
) -> None:
    twice = [Outcome("a", accepted=True, message=""), Outcome("a", accepted=True, message="")]
    with pytest.raises(StorageFailed):
        asyncio.run(journal.commit(commit_of(outcomes=twice)))
    with pytest.raises(StorageFailed, match="after a failed commit"):
        asyncio.run(journal.commit(commit_of("task-1")))
    assert list(journal.read()) == []


def test_a_memory_journal_fails_at_the_commit_it_was_told_to(commit_of: Callable[..., Commit]) -> None:
    journal = MemoryJournal(fail_at=2)
    asyncio.run(journal.commit(commit_of("task-1")))
    with pytest.raises(StorageFailed, match="told to fail"):
        asyncio.run(journal.commit(commit_of("task-2")))
    with pytest.raises(StorageFailed, match="after a failed commit"):
        asyncio.run(journal.commit(commit_of("task-3")))
    assert [recorded.seq for recorded in journal.read()] == [1]


def test_commands_are_taken_in_the_order_they_came_and_stay_until_dropped(post: Post) -> None:
    first = post.put(Resolve("esc-1", "use PostgreSQL, 日本"))
    second = post.put(Cancel("enough"))
    expected = [(first, Resolve("esc-1", "use PostgreSQL, 日本")), (second, Cancel("enough"))]
    assert list(post.inbox.take()) == expected
    assert list(post.inbox.take()) == expected
    post.inbox.drop([first])
    assert list(post.inbox.take()) == expected[1:]


def test_dropping_what_is_gone_changes_nothing(post: Post) -> None:
    kept = post.put(SkipTask("task-1", "not needed"))
    post.inbox.drop(["unknown"])
    post.inbox.drop([])
    assert [name for name, _ in post.inbox.take()] == [kept]


def test_an_inbox_says_whether_something_may_be_new(post: Post) -> None:
    assert post.inbox.changed()
    post.inbox.take()
    assert not post.inbox.changed()
    name = post.put(Cancel("enough"))
    assert post.inbox.changed()
    assert post.inbox.changed()
    post.inbox.take()
    post.inbox.drop([name])
    assert not post.inbox.changed()

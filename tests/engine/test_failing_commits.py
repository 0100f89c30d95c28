"""A commit that fails ends the leader, and nothing that depended on it has happened."""

import pytest
from tests.engine.support import (
    SlowJournal,
    check_eventful,
    eventful,
    says_blue,
    surviving,
    watch_order,
)

from teamlead.errors import StorageFailed
from teamlead.testing.journal import MemoryJournal


@pytest.mark.parametrize("kind", [MemoryJournal, SlowJournal])
def test_any_commit_may_fail(kind: type[MemoryJournal]) -> None:
    undisturbed = eventful(kind())
    undisturbed.lead(person=says_blue)
    for number in range(2, len(undisturbed.journal.commits) + 1):
        world = eventful(kind(fail_at=number))
        watch_order(world)
        with pytest.raises(StorageFailed, match="told to fail"):
            world.lead(person=says_blue)
        assert len(world.journal.commits) == number - 1
        world.journal = surviving(world.journal)
        assert world.lead(person=says_blue) == "finished", f"commit {number} failed"
        check_eventful(world)


def test_nothing_is_left_running_behind_a_failed_commit() -> None:
    world = eventful(MemoryJournal(fail_at=4))
    with pytest.raises(StorageFailed):
        world.lead(person=says_blue)
    assert world.started()
    assert all(run.done for run in world.runner._runs.values())

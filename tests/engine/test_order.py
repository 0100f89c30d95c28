"""Decisions are on disk before anything acts on them, and cost one durable commit a task."""

import asyncio
from pathlib import Path

import pytest
from tests.engine.support import (
    SlowJournal,
    World,
    check_eventful,
    eventful,
    says_blue,
    task,
    watch_order,
)

from teamlead.core import events as e
from teamlead.core.facts import Resolve
from teamlead.core.model import Question
from teamlead.core.runs import RunEnd
from teamlead.journal.writer import SqliteJournal
from teamlead.ports.journal import Rows
from teamlead.ports.runner import RunSpec

OPENING = 2
"""Events that were there before the leader came."""


def test_nothing_acts_before_the_disk_has_the_decision() -> None:
    world = eventful(SlowJournal())
    watch_order(world)
    assert world.lead(person=says_blue) == "finished"
    check_eventful(world)


def test_an_answer_is_acknowledged_in_the_commit_of_what_it_caused() -> None:
    def asks_once(spec: RunSpec) -> RunEnd:
        done = world.write(spec)
        return done if "blue" in spec.prompt else RunEnd("ok", question=Question("Which colour?"))

    world = World(task(1), work=asks_once)
    world.lead()
    command = world.inbox.put(Resolve("esc-1", "blue"))
    world.lead()
    commit = next(c for c in world.journal.commits if c.outcomes)
    assert [outcome.command for outcome in commit.outcomes] == [command]
    assert commit.durable
    assert e.EscalationResolved("esc-1", "blue", "user") in [event for _, event in commit.events]


def test_what_may_wait_for_the_disk_is_there_soon_and_all_of_it_at_the_end() -> None:
    async def looks_around(spec: RunSpec) -> RunEnd:
        await asyncio.sleep(1)
        prepared.extend(world.events(e.CopyPrepared))
        return world.write(spec)

    prepared: list[e.CopyPrepared] = []
    world = World(task(1), work=looks_around)
    world.lead()
    assert prepared == [e.CopyPrepared("task-1", 1, "base")]
    assert world.observed == list(world.journal.read(since=OPENING))
    assert world.events(e.CopyRemoved) == [e.CopyRemoved("task-1")]


def test_a_chain_costs_one_durable_commit_a_task() -> None:
    count = 40
    world = World(*(task(n, *([n - 1] if n > 1 else [])) for n in range(1, count + 1)), checks=("make",))
    world.lead()
    assert set(world.states().values()) == {"DONE"}
    assert sum(commit.durable for commit in world.journal.commits) <= 1.2 * count


def test_rows_are_asked_for_with_the_events_that_changed_them() -> None:
    asked: list[list[str]] = []

    def view(_: object, touched: list[str]) -> Rows:
        asked.append(list(touched))
        return Rows()

    world = World(task(1), task(2, 1))
    world.lead(view=view)
    commits = world.journal.commits[1:]
    done = next(n for n, c in enumerate(commits) if e.TaskDone in [type(event) for _, event in c.events])
    assert {"task-1", "task-2"} <= set(asked[done])
    assert len(asked) == len(commits)


@pytest.mark.parametrize("count", [1, 12])
def test_a_session_in_a_real_journal_is_what_its_leader_said(count: int, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    SqliteJournal.create(path)
    journal = SqliteJournal.open(path)
    try:
        world = World(*(task(n) for n in range(1, count + 1)), auto_approve=True)
        world.open(journal)
        end = asyncio.run(world.leader(journal=journal).run("somebody", journal.epoch))
        assert end == "finished"
        assert list(journal.read(since=OPENING)) == world.observed
    finally:
        journal.close()
    assert len(world.delivered()) == count + 1

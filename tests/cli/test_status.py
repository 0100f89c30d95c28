from typing import Any, cast

from tests.core.support import World, session, task

from teamlead.cli.status import _columns
from teamlead.core import effects as do
from teamlead.views.documents.sessions import RunsSpentPart, TaskPart
from teamlead.views.rows import task_view

SOME = RunsSpentPart(
    input_tokens=900,
    output_tokens=100,
    cost_usd=0.25,
    unpriced=0,
    turns=2,
    runs=1,
    agent_seconds=0.0,
)


def row(number: int, **fields: Any) -> TaskPart:
    world = World(session(task(1, agent="claude", model="sonnet")))
    world.advance(1, do.RunAgent)
    shown: Any = task_view(world.state, world.task(1))
    return cast("TaskPart", {**shown, "id": f"task-{number}", "title": "Do it", **fields})


def test_who_works_and_what_it_cost_have_no_column_where_they_tell_nothing() -> None:
    assert _columns([row(1), row(2)]) == [
        ["TASK", "STATE", "TRY", "CHANGE", "TITLE"],
        ["task-1", "RUNNING", "1", "", "Do it (working)"],
        ["task-2", "RUNNING", "1", "", "Do it (working)"],
    ]


def test_a_mix_of_agents_and_what_each_task_cost_are_shown() -> None:
    mixed = [row(1, spent=SOME), row(2, model="opus"), row(3, agent="scripted:/a/long/path.toml", model="")]
    head, first, second, third = _columns(mixed)
    assert head == ["TASK", "STATE", "TRY", "CHANGE", "AGENT", "SPENT", "TITLE"]
    assert first[4:6] == ["claude sonnet", "cost $0.25, 1k tokens, 2 turns"]
    assert (second[4:6], third[4]) == (["claude opus", ""], "scripted")


def test_what_an_agent_last_reported_stands_with_its_step() -> None:
    (_, shown) = _columns([row(1, progress="half of it\nand more")])
    assert shown[-1] == "Do it (working: half of it)"

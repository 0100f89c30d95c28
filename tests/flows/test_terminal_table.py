"""The table at a terminal, as it is drawn for a state."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests.core.support import World, session, task

from teamlead.cli.live import SHOWN, Table
from teamlead.core import effects as do
from teamlead.core.events import Recorded
from teamlead.core.model import Limits
from teamlead.system.sessions import SessionFolder

ASK = 5


def drawn(world: World, folder: Path, last: int = 0) -> list[str]:
    table = Table(SessionFolder(folder))
    recorded = [Recorded(seq, at, event) for seq, (at, event) in enumerate(world.log, 1)]
    table.observe(recorded[-last:] if last else [], world.state)
    screen = StringIO()
    Console(file=screen, width=160).print(table.render())
    return [line.rstrip() for line in screen.getvalue().splitlines()]


def shown(lines: list[str]) -> list[int]:
    words = [line.split() for line in lines]
    return [int(row[1].removeprefix("task-")) for row in words if row[1:] and row[1].startswith("task-")]


@pytest.fixture
def many() -> World:
    """Thirty tasks: the first 26 are done, the 27th runs, the 28th asks, and the last two wait for it."""
    tasks = [task(n, *([28] if n > 28 else [])) for n in range(1, 31)]
    world = World(session(*tasks, limits=Limits(jobs=30)))
    world.finish(*range(1, 27))
    world.advance(27, do.RunAgent)
    world.advance(28, do.RunAgent)
    world.answer(world.due(do.RunAgent, 28), ASK)
    return world


def test_of_more_tasks_than_fit_the_urgent_ones_are_shown_in_the_order_of_the_plan(
    many: World, tmp_path: Path
) -> None:
    lines = drawn(many, tmp_path)
    assert shown(lines) == [*range(1, SHOWN - 3), 27, 28, 29, 30]
    assert any("… and 10 more" in line for line in lines)
    assert "A plan: 26 of 30 done" in lines[0]


def test_what_is_blocked_or_runs_comes_before_what_waits(tmp_path: Path) -> None:
    tasks = [task(n, *([n - 1] if n % 2 == 0 else [])) for n in range(1, 41)]
    world = World(session(*tasks, limits=Limits(jobs=40)))
    world.advance(39, do.RunAgent)
    world.answer(world.due(do.RunAgent, 39), ASK)
    assert shown(drawn(world, tmp_path)) == list(range(1, 41, 2))


def test_tasks_that_fit_are_all_shown(tmp_path: Path) -> None:
    world = World(session(*(task(n) for n in range(1, SHOWN + 1)), limits=Limits(jobs=1)))
    lines = drawn(world, tmp_path)
    assert shown(lines) == list(range(1, SHOWN + 1))
    assert not any("more" in line for line in lines)


def test_what_an_agent_said_last_is_shown_beside_its_task(tmp_path: Path) -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    stream = SessionFolder(tmp_path).attempt("task-1", 1) / "events.jsonl"
    stream.parent.mkdir(parents=True)
    stream.write_text(
        '{"type": "text", "text": "first"}\n{"type": "text", "text": "look\\u001b[2J"}\n{"type": "usage"}\n'
    )
    (row,) = (line for line in drawn(world, tmp_path) if "task-1" in line)
    assert "working" in row
    assert "look" in row
    assert "first" not in row
    assert "\x1b" not in row


def test_before_anything_happened_the_table_says_that_it_starts(tmp_path: Path) -> None:
    screen = StringIO()
    Console(file=screen).print(Table(SessionFolder(tmp_path)).render())
    assert screen.getvalue() == "starting …\n"


def test_the_last_event_stands_below_the_table(many: World, tmp_path: Path) -> None:
    assert drawn(many, tmp_path, last=5)[-1].startswith("esc-1: a person is needed: Which one?")

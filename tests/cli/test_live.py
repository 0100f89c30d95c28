import io
from pathlib import Path

from rich.console import Console
from tests.core.support import World, session, task
from tests.core.told import agent_ended

from teamlead.cli.live import Table
from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Question, Usage
from teamlead.system.sessions import SessionFolder


def shown(world: World, place: Path) -> str:
    table = Table(SessionFolder(place))
    table.observe([], world.state)
    drawn = io.StringIO()
    Console(file=drawn, width=160).print(table.render())
    return " ".join(drawn.getvalue().split())


def test_what_was_spent_stands_beside_what_is_done(tmp_path: Path) -> None:
    world = World(session(task(1)))
    assert "0 of 1 done task" in shown(world, tmp_path)
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "ok", usage=Usage(900, 100, 0.25), turns=2))
    assert "0 of 1 done; cost $0.25, 1k tokens, 2 turns" in shown(world, tmp_path)


def test_an_agent_on_hold_is_shown_below(tmp_path: Path) -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(agent_ended("task-1", 1, "denied", detail="no key"))
    assert "on hold: scripted until you answer: no key" in shown(world, tmp_path)


def test_an_agent_that_waits_for_an_answer_says_so(tmp_path: Path) -> None:
    world = World(session(task(1)))
    world.advance(1, do.RunAgent)
    world.tell(f.Asked("task-1", 1, Question("Which?"), "call-1"))
    assert "asks you: teamlead escalations" in shown(world, tmp_path)
    world.tell(f.Resolve("esc-1", "left"))
    assert "asks you" not in shown(world, tmp_path)

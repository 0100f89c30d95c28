"""Sessions at moments in which somebody is told something."""

from collections.abc import Callable

from tests.core.support import World, session, task
from tests.core.told import agent_ended, work_found

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.model import Change, Excerpt, Question
from teamlead.prompts.worker import Circumstances, continuation_prompt, worker_prompt


def report(world: World, number: int, attempt: int, *paths: str, summary: str = "") -> None:
    """An attempt from its copy to what it left there."""
    name = f"task-{number}"
    world.tell(f.CopyReady(name, attempt, "base"))
    world.tell(agent_ended(name, attempt, "ok", summary=summary))
    changes = tuple(Change(path, "000000", "100644", 1) for path in paths)
    world.tell(work_found(name, attempt, f"commit-{attempt}" if paths else "", changes))


def plain_world() -> World:
    return World(session(task(1)))


def plain() -> str:
    world = plain_world()
    return worker_prompt(world.state, world.task(1))


def full() -> str:
    """Every section."""
    second = task(
        2,
        1,
        description="Build on it.\n\nSlowly.",
        context="There is a cache.",
        role="qa-engineer",
        scope=("src/", "tests/"),
        acceptance=("it holds", "it is fast"),
        checks=("make test",),
    )
    world = World(session(task(1), second, checks=("make lint",)))
    report(world, 1, 1, "src/a", summary="wrote a")
    world.answer(world.due(do.Check, 1))
    world.answer(world.due(do.Integrate, 1))
    world.tell(f.CopyReady("task-2", 1, "base"))
    world.tell(f.Asked("task-2", 1, Question("Which colour?"), "call-1"))
    world.tell(f.Resolve("esc-1", "blue"))
    world.tell(agent_ended("task-2", 1, "ok", summary="done"))
    outside = (Change("elsewhere", "000000", "100644", 1),)
    world.tell(work_found("task-2", 1, "commit-1", outside))
    world.tell(f.Tell("task-2", "Mind the header.\n{{ROLE}}", "ada"))
    lent = ((Excerpt("src/b.py", 3, 2), "def b():\n    pass"),)
    given = Circumstances(team=True, sparse=True, instructions=("AGENTS.md",), lent=lent, report=True)
    return worker_prompt(world.state, world.task(2), given)


def investigation() -> str:
    world = World(session(task(1, type="investigation", role="code-explorer"), task(2, 1)))
    return worker_prompt(world.state, world.task(1))


def continued() -> str:
    world = World(session(task(1, description="Paint it.")))
    world.tell(f.CopyReady("task-1", 1, "base"))
    world.tell(f.Asked("task-1", 1, Question("Which colour?"), "call-1"))
    world.tell(f.Resolve("esc-1", "blue"))
    world.tell(agent_ended("task-1", 1, "ok", summary="painted", conversation="c-1"))
    world.tell(work_found("task-1", 1, ""))
    world.tell(f.Tell("task-1", "Mind the header.", "ada"))
    return continuation_prompt(world.state, world.task(1), Circumstances(team=True))


WORKERS: dict[str, Callable[[], str]] = {
    "plain": plain,
    "full": full,
    "investigation": investigation,
    "continued": continued,
}

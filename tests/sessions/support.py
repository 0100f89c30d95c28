"""What the tests of this folder share."""

from collections.abc import Callable

from teamlead.core.model import Plan, TaskSpec
from teamlead.sessions.desk import Desk
from teamlead.sessions.opening import Wishes, open_session
from teamlead.settings.loading import load
from teamlead.system.repository import Repository, claim
from teamlead.system.sessions import SessionFolder

PLAN = Plan("A plan", "Do it", (TaskSpec("task-1", "One"),), source="plan.md")


class Clock:
    """In place of the module `time`: it goes on only when somebody sleeps, or looks at it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.each_look = 0.0
        self.slept = 0.0
        self.on_sleep: Callable[[], None] = lambda: None

    def monotonic(self) -> float:
        self.now += self.each_look
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.now += seconds
        self.on_sleep()


def opened(repository: Repository) -> SessionFolder:
    """A session whose one agent writes a file; nobody has led it yet."""
    script = repository.root.parent / "script.toml"
    script.write_text('[[default]]\nsteps = [{write = "a.txt", text = "a"}]\n')
    settings = load(repository.root, {"agent": f"scripted:{script}"})
    return open_session(repository, settings, PLAN, Wishes())


def desk(repository: Repository, folder: SessionFolder) -> Desk:
    script = repository.root.parent / "script.toml"
    return Desk(claim(repository), folder, load(repository.root, {"agent": f"scripted:{script}"}))

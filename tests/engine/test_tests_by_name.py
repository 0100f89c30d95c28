"""Where a check told numbers only, the base and the work are run once more to ask for names."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.engine.support import World, task

from teamlead.core.evidence.values import Evidence, SuiteRun, TestStatus
from teamlead.core.work.checking import judged
from teamlead.errors import Failed
from teamlead.ports.checking import CheckEnd
from teamlead.ports.rooms import Room


class Terse:
    """Implements `ports.checking.Checker`: three tests, whose names it tells in clean copies, if asked."""

    def __init__(self, *names: str, slow: bool = False, broken: bool = False) -> None:
        self._ends = [named("a.py::x", "a.py::y", "a.py::z"), named(*names)]
        self._slow = slow
        self._broken = broken
        self.bounds: list[float] = []

    async def check(
        self,
        command: str,
        cwd: Path,
        log: Path,
        timeout: float,  # noqa: ASYNC109 - the port's
        slot: int,
        *,
        room: Room | None = None,
        environment: Mapping[str, str] = {},
    ) -> CheckEnd:
        if not environment:
            return CheckEnd(0, 20.0, "", str(log), SuiteRun("pytest", 3, 0, 0))
        self.bounds.append(timeout)
        if self._broken:
            raise Failed("no copy can be made")
        names = self._ends[len(self.bounds) - 1] or None
        return CheckEnd(None if self._slow else 0, 1.0, "", str(log), SuiteRun("pytest", 3, 0, 0, names))


def named(*names: str) -> dict[str, TestStatus]:
    return dict.fromkeys(names, "passed")


def checked(checker: Terse) -> Evidence:
    world = World(task(1, checks=("make",)))
    world.checker = checker  # type: ignore[assignment]
    world.lead()
    found = world.state().tasks["task-1"].attempts[0].checks[0]
    world_task = world.state().tasks["task-1"]
    return judged(found, world_task, world_task.attempts[0])


def test_names_acquit_what_numbers_could_not() -> None:
    item = checked(Terse("a.py::x", "a.py::y", "a.py::z"))
    assert (item.verdict, item.details) == ("proven", ())


def test_one_removed_and_one_added_elsewhere_is_a_loss() -> None:
    item = checked(Terse("a.py::x", "a.py::y", "b.py::trivial"))
    assert item.verdict == "objected"
    assert item.details == ("gone: a.py::z", "new: b.py::trivial")


def test_one_removed_and_one_added_in_its_place_is_worth_a_look() -> None:
    item = checked(Terse("a.py::x", "a.py::y", "a.py::trivial"))
    assert item.verdict == "flagged"
    assert item.details == ("gone, with others in their place: a.py::z → a.py::trivial",)


@pytest.mark.parametrize(
    ("checker", "why"),
    [
        (Terse(slow=True), "asking for names takes more than 2 times as long as the check"),
        (Terse(broken=True), "it could not be run once more to ask for names: no copy can be made"),
        (Terse(), "pytest was asked for names, and did not tell them"),
    ],
    ids=["slow", "broken", "mute"],
)
def test_where_names_cannot_be_had_it_is_said_that_numbers_were_compared(checker: Terse, why: str) -> None:
    item = checked(checker)
    assert (item.verdict, item.details) == ("proven", (f"tests were compared by number only: {why}",))


def test_both_runs_have_twice_the_time_of_the_check() -> None:
    checker = Terse("a.py::x", "a.py::y", "a.py::z")
    checked(checker)
    assert checker.bounds == [40.0, 40.0]

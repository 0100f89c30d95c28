"""What agents say is examined when their work is collected, and checks are held against the base."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from tests.engine.support import World, task

from teamlead.core.evidence.values import Evidence, SuiteRun
from teamlead.core.model import Limits
from teamlead.core.runs import RunEnd
from teamlead.errors import Failed
from teamlead.ports.checking import CheckEnd
from teamlead.ports.rooms import Room
from teamlead.ports.runner import RunSpec
from teamlead.testing.examiner import FakeExaminer

OBJECTED = Evidence("report", "objected", "a report", "it has no summary: add one")


def outcomes(world: World) -> list[str | None]:
    return [attempt.outcome for attempt in world.state().tasks["task-1"].attempts]


def test_a_claim_has_the_agents_last_words_in_full_and_what_it_changed() -> None:
    world = World(task(1, checks=("make",)))

    def work(spec: RunSpec) -> RunEnd:
        world.write(spec)
        return RunEnd("ok", "the beginning", report="the beginning and the end")

    world.runner._work = work
    examiner = FakeExaminer()
    world.lead(examiner=examiner)
    (claim,) = examiner.claims
    assert (claim.text, claim.checks) == ("the beginning and the end", ("make",))
    assert [change.path for change in claim.changes] == ["task-1.txt"]
    assert claim.commit
    assert outcomes(world) == ["accepted"]


def test_a_claim_knows_the_merged_work_of_the_others_and_whether_it_builds_on_it() -> None:
    world = World(task(1), task(2, 1), task(3, 2), task(4), limits=Limits(jobs=1))
    examiner = FakeExaminer()
    world.lead(examiner=examiner)
    of = {claim.task.id: {other.task: other for other in claim.merged} for claim in examiner.claims}
    made = world.state().tasks["task-1"].commit
    assert of["task-3"]["task-1"].commit == made
    assert of["task-3"]["task-1"].paths == frozenset({"task-1.txt"})
    assert {name: other.built_on for name, other in of["task-3"].items()} == {
        name: name != "task-4" for name in of["task-3"]
    }
    last = examiner.claims[-1]
    assert len(last.merged) == 3
    assert last.task.id not in of[last.task.id]


def test_what_the_examiner_objects_to_goes_back_once() -> None:
    found = iter([(OBJECTED,), ()])
    world = World(task(1))
    world.lead(examiner=FakeExaminer(lambda _: next(found)))
    assert outcomes(world) == ["returned", "accepted"]


class Suites:
    """Implements `ports.checking.Checker`: ends as told in copies of tasks, one by one, and on a base."""

    def __init__(self, here: Iterable[int], base: int | None = 0, *, tells: bool = True) -> None:
        self._here = list(here)
        self._base = base
        self._tells = tells
        self.at: list[str] = []

    async def check(
        self,
        command: str,
        cwd: Path,
        log: Path,
        timeout: float,  # noqa: ASYNC109 - as above
        slot: int,
        *,
        room: Room | None = None,
        environment: Mapping[str, str] = {},
    ) -> CheckEnd:
        self.at.append(cwd.name)
        on_base = cwd.name.startswith("trial")
        if on_base and self._base is None:
            raise Failed("no clean copy can be made")
        code = (self._base or 0) if on_base else self._here.pop(0)
        suite = SuiteRun("go", 1 - code, code, 0, {"calc::TestA": "failed" if code else "passed"})
        return CheckEnd(code, 1.0, "", str(log), suite if self._tells else None)


@pytest.mark.parametrize(
    ("checker", "outcome", "runs"),
    [
        (Suites([0]), "accepted", 2),
        (Suites([1, 0]), "accepted", 3),
        (Suites([1, 1, 0]), "refused", 3),
        (Suites([1], base=1), "accepted", 2),
        (Suites([1, 1, 0], base=None), "failed", 3),
        (Suites([1, 0], base=None), "accepted", 3),
        (Suites([0], tells=False), "accepted", 2),
        (Suites([1], base=1, tells=False), "accepted", 2),
        (Suites([1, 0], base=0, tells=False), "refused", 2),
    ],
    ids=[
        "passes",
        "flaky",
        "new failure",
        "old failure",
        "base unknown",
        "base unknown, flaky",
        "opaque",
        "opaque, failed before",
        "opaque, new failure",
    ],
)
def test_a_check_of_the_session_is_held_against_the_base(checker: Suites, outcome: str, runs: int) -> None:
    world = World(task(1), checks=("make",))
    world.checker = checker  # type: ignore[assignment]
    seen: list[int] = []
    world.observe = lambda _, state: (
        seen.append(len(checker.at))
        if state.tasks["task-1"].attempts and state.tasks["task-1"].attempts[0].outcome
        else None
    )
    world.lead()
    assert outcomes(world)[0] == outcome
    assert seen[0] == runs


def test_an_own_check_that_says_nothing_of_tests_has_to_pass_whatever_the_base_says() -> None:
    world = World(task(1, checks=("make",)))
    checker = Suites([1, 0], base=1, tells=False)
    world.checker = checker  # type: ignore[assignment]
    world.lead()
    assert outcomes(world)[:2] == ["refused", "accepted"]
    assert checker.at[:2] == ["task-1", "task-1"]

import msgspec
import pytest
from tests.core.support import World, session, task
from tests.core.told import work_found

from teamlead.core import effects as do
from teamlead.core.evidence.references import Standing
from teamlead.core.evidence.values import Evidence
from teamlead.core.reports import Result
from teamlead.core.work.second_look import needs_specialist


@pytest.mark.parametrize(
    ("confidence", "standings", "needed"),
    [
        (85, ["unverified"], True),
        (84.9, ["unverified"], False),
        (100, ["verified", "unverified"], True),
        (85, ["moved"], True),
        (85, ["invalid"], True),
        (100, ["verified", "verified"], False),
        (100, [], False),
        (0, ["unverified"], False),
    ],
)
def test_a_specialist_looks_at_high_confidence_in_what_nobody_else_has_verified(
    confidence: float, standings: list[Standing], needed: bool
) -> None:
    assert needs_specialist(confidence, standings) is needed


RESULT = Result("SUCCESS", "It is there.", "main calls run", (), 90, "read it")
DOUBT = Evidence(
    "references", "proven", "what it cites is there", "valid 1/1", details=("a.py:1: UNVERIFIED",)
)


def investigated(role: str, result: Result, *evidence: Evidence) -> World:
    world = World(session(task(1, role=role, type="investigation"), task(2)))
    world.advance(1, do.Collect)
    world.tell(work_found("task-1", 1, "", result=result, evidence=evidence))
    return world


@pytest.mark.parametrize("role", ["code-explorer", "system-architect", "security-auditor"])
def test_a_specialist_looks_at_what_only_a_sure_agent_vouches_for(role: str) -> None:
    world = investigated(role, RESULT, DOUBT)
    added = world.task(3).spec
    assert (added.role, added.depends_on, added.critical) == ("verification-specialist", ("task-1",), False)
    assert "a.py:1: UNVERIFIED" in added.description
    assert "90 % sure" in added.description
    assert world.state.second_looks == {}


@pytest.mark.parametrize(
    ("role", "confidence", "evidence"),
    [
        ("code-explorer", 84.5, (DOUBT,)),
        ("code-explorer", 90, ()),
        ("backend-specialist", 90, (DOUBT,)),
        ("worker", 90, (DOUBT,)),
        ("verification-specialist", 90, (DOUBT,)),
    ],
)
def test_nobody_else_looks_where_there_is_no_need(
    role: str, confidence: float, evidence: tuple[Evidence, ...]
) -> None:
    world = investigated(role, msgspec.structs.replace(RESULT, confidence=confidence), *evidence)
    assert list(world.state.tasks) == ["task-1", "task-2"]

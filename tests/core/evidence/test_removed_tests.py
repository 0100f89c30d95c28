"""Tests that a plan lets go may go, and no others."""

import pytest
from tests.core.support import World, session, task

from teamlead.core.evidence.removed_tests import let_go, lets_go
from teamlead.core.evidence.suites import compare
from teamlead.core.evidence.values import CheckResult, Evidence, GoneTest, SuiteDelta, SuiteRun, TestStatus
from teamlead.core.work.checking import judged


@pytest.mark.parametrize(
    ("named", "test"),
    [
        ("test_old", "tests/test_a.py::test_old"),
        ("test_old", "tests/test_a.py::TestIt::test_old[1-2]"),
        ("tests/test_a.py::test_old", "tests/test_a.py::test_old"),
        ("TestOld", "tests/test_a.py::TestOld::test_one"),
        ("test_legacy_*", "tests/test_a.py::test_legacy_login"),
        ("tests/test_a.py", "tests/test_a.py::test_any"),
        ("tests/legacy/", "tests/legacy/test_b.py: all 3 tests"),
        ("test_old", "tests.test_a.TestIt.test_old"),
        ("tests/test_a.py", "tests.test_a.TestIt.test_old"),
        ("tests/legacy/", "tests.legacy.test_a.TestIt.test_old"),
        ("TestOld", "example.com/shop/TestOld"),
        ("adds two", "math > adds two"),
    ],
)
def test_one_that_is_named_may_go(named: str, test: str) -> None:
    assert lets_go((named,), test)


@pytest.mark.parametrize(
    ("named", "test"),
    [
        ("test_old", "tests/test_a.py::test_older"),
        ("test_old", "tests/test_a.py: all 3 tests"),
        ("tests/test_a.py", "tests.test_ab.TestIt.test_old"),
        ("tests/legacy/", "tests/test_a.py::test_one"),
        ("test_old", "2 tests fewer ran than before"),
    ],
)
def test_no_other_may(named: str, test: str) -> None:
    assert not lets_go((named,), test)


def lost(*names: str, removes: tuple[str, ...]) -> Evidence:
    world = World(session(task(1, checks=("make",), removes_tests=removes)))
    suite = SuiteRun("pytest", 3, 0, 0)
    record = CheckResult(command="make", exit_code=0, suite=suite, delta=SuiteDelta(vanished=names))
    return judged(record, world.task(1), world.task(1).attempts[0])


def test_their_loss_is_shown_and_not_objected_to() -> None:
    item = lost("a.py::test_old", removes=("test_old",))
    assert (item.verdict, item.found) == ("flagged", "passed (3 passed); tests went that the plan lets go")
    assert lost("a.py::test_old", "a.py::test_new", removes=("test_old",)).verdict == "objected"
    assert lost("a.py::test_old", removes=()).verdict == "objected"


def test_all_that_went_has_to_be_let_go_however_many_they_are() -> None:
    old: dict[str, TestStatus] = {f"tests/old.py::test_{number}": "passed" for number in range(60)}
    new: dict[str, TestStatus] = {f"tests/test_new.py::test_{number}": "passed" for number in range(3)}
    stays: dict[str, TestStatus] = {"tests/old.py::test_stays": "passed"}

    def left(*names: dict[str, TestStatus]) -> SuiteRun:
        every = {name: end for each in names for name, end in each.items()}
        return SuiteRun("pytest", len(every), 0, 0, every)

    def verdict(after: SuiteRun) -> str:
        gone = compare(left(stays, old, new), after)
        return lost(*gone.vanished, removes=("tests/old.py",)).verdict

    assert verdict(left(stays, new)) == "flagged"
    assert verdict(left(stays)) == "objected"


@pytest.mark.parametrize(
    ("gone", "verdict"),
    [
        ((GoneTest("tests/test_a.py", "test_old"),), "flagged"),
        ((GoneTest("tests/old/test_b.py"), GoneTest("tests/old/test_b.py", "test_c")), "flagged"),
        ((GoneTest("tests/test_a.py", "test_old"), GoneTest("tests/test_a.py", "test_new")), "objected"),
        ((GoneTest("tests/test_old.py"),), "objected"),
        ((), "objected"),
    ],
)
def test_what_reading_the_change_objected_to_is_shown_only_if_nothing_else_was_lost(
    gone: tuple[GoneTest, ...], verdict: str
) -> None:
    read = Evidence("tests", "objected", "as before", "less is asserted", gone=gone)
    [item] = let_go(("test_old", "tests/old/"), (read,))
    assert item.verdict == verdict

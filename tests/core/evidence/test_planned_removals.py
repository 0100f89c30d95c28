"""A sentence of the task that says that a test goes lets it go; one that says something else does not."""

import pytest
from tests.core.support import World, session, task

from teamlead.core.evidence.planned_removals import may_go
from teamlead.core.evidence.removed_tests import lets_go
from teamlead.core.evidence.suites import compare
from teamlead.core.evidence.values import CheckResult, SuiteDelta, SuiteRun
from teamlead.core.model import TaskSpec
from teamlead.core.work.checking import judged


def lets(told: str, test: str) -> bool:
    return lets_go(may_go(TaskSpec("task-1", "Tidy up", description=told)), test)


@pytest.mark.parametrize(
    ("told", "test"),
    [
        (
            "`a.parse_td` was deprecated. Remove it, and its test `test_alias` with it; use the real name.",
            "tests/test_timeutils.py::test_alias",
        ),
        ("Delete tests/test_old.py.", "tests/test_old.py: all 4 tests"),
        ("Drop the class TestLegacy, nobody needs it.", "tests/test_a.py::TestLegacy::test_one"),
        ("`test_slow` is obsolete.", "tests/test_a.py::test_slow"),
        ("The tests `test_v1_*` can be removed.", "tests/test_a.py::test_v1_login"),
        ("`TestV1` goes, as v1 does.", "example.com/shop/TestV1"),
        ("test/stop.js is no longer needed.", "test/stop.js: all 3 tests"),
        ('Remove the test "adds two" and say why.', "math.test.js › math › adds two"),
        ("Remove 'adds two', which is in the way.", "math.test.js › math › adds two"),
        ("Replace `test_all` by one test a case.", "tests/test_a.py::test_all"),
        (
            "Remove the option from index.js and from README.md, and its test file\ntest/stop.js with it.",
            "test/stop.js: all 3 tests",
        ),
        ("Remove `parse_td` and its tests.", "tests/test_a.py::test_parse_td_alias"),
        ("Remove `parse_td` and its tests.", "tests/test_a.py::TestParseTd::test_one"),
        ("Delete the function `stopEarly` with its tests.", "a.test.js › options › stopEarly stops"),
        ("Drop `clamp` along with the tests.", "math::tests::test_clamp"),
        ("`test_old` を削除する。", "tests/test_a.py::test_old"),
        ("古いテスト `test_old` と `test_older` は廃止します。", "tests/test_a.py::test_old"),
        ("tests/test_old.py のテストはすべて削除する。", "tests/test_old.py::test_any"),
        ("Skip `test_hangs` with the reason 'hangs on ARM'.", "tests.test_rr.RRTest::test_hangs"),
        (
            "With 1.0 the eight `preferred*` aliases go, and `old names` in the tests with them.",
            "test/a.js › old names › are the new ones",
        ),
        (
            (
                "`all` is not used: remove it from `f(a, all)` with its documentation in code and in "
                "Readme.md, and the test `prefixes the count`, which is about nothing else."
            ),
            "pluralize › prefixes the count",
        ),
        ("Quarantine test_hangs.", "tests.test_rr.RRTest::test_hangs"),
        ("oldToSnake is called by nobody. Remove oldToSnake.\n\nIts tests go, too.", "x::oldToSnake"),
        (
            "Remove oldToSnake.\n\nRemove the function and its tests.",
            "example.com/shop::TestOldToSnakeEmpty",
        ),
        ("`parse_td` を削除する。テストも削除。", "tests/test_a.py::test_nothing"),
        ("`parse_td` をテストも含めて削除する。", "tests/test_a.py::test_parse_td"),
        ("`test_old` 테스트를 삭제한다.", "tests/test_a.py::test_old"),
        ("tests/test_old.py 파일은 제거한다.", "tests/test_old.py::test_any"),
    ],
)
def test_a_test_that_a_sentence_takes_away_may_go(told: str, test: str) -> None:
    # A sentence of its own does not say which tests it means.
    assert lets(told, test) is (not test.endswith("test_nothing"))


@pytest.mark.parametrize(
    "told",
    [
        "Remove the duplication in `test_old` and `test_other`.",
        "Remove the duplication in tests/test_a.py.",
        "Delete the comments from tests/test_a.py and `test_old`.",
        "Remove `parse_td`, and extend `test_old` so that it covers the new name.",
        "Do not remove `test_old`.",
        "Remove what nobody uses, but not `test_old`.",
        "Remove the cache; `test_old` stays as it is.",
        "Replace the loop by `test_old`.",
        "Remove the `test_old` fixture's state.",
        "Change `test_old` so that it says what it wants.",
        "`test_old` fails. Fix it.",
        "Delete what is dead, keep `test_old`.",
        "Remove `old`.",
        "Write it in Go with `test_old`.",
        "Remove the tests that nobody needs.",
        "`test_old` から重複を削除する。",
        "tests/test_a.py の重複を削除する。",
        "`test_old` は削除しない。",
        "`test_old` 에서 중복을 제거한다.",
        "`test_old` 는 삭제하지 않는다.",
    ],
)
def test_a_test_of_which_a_sentence_says_something_else_may_not(told: str) -> None:
    assert not lets(told, "tests/test_a.py::test_old")
    assert not lets(told, "tests/test_a.py: all 3 tests")


@pytest.mark.parametrize(
    ("told", "some"),
    [
        ("Remove the function and its tests.", True),
        ("Delete the alias in `shop.py` with whatever names it, and the tests of it.", True),
        ("Nothing is removed, and the tests stay.", False),
        ("Delete the tests that nobody needs.", True),
        ("Skip the slow tests on Windows.", True),
        ("それを削除し、テストも削除する。", True),
        ("그 함수와 테스트도 함께 삭제한다.", True),
        ("Remove debug prints from the tests.", True),
        ("Remove the option, and extend the tests.", True),
        ("The eight `preferred*` aliases go, and with them what asks for them.", True),
        ("Remove the cache; the tests stay.", False),
        ("Remove the cache, without a change of the tests.", False),
        ("Remove `cached`, and the test `test_cached`.", False),
        ("Replace the loop by a comprehension.", False),
        ("Write it in Go with the test `TestOld`, and in Go and Rust.", False),
        ("popitem() removes the item that was inserted last.", False),
        ("Do not remove any tests.", False),
        ("Never skip tests.", False),
        ("The skipped tests are to run again.", False),
        ("Mend it. All tests pass.", False),
        ("テストは削除しない。", False),
    ],
)
def test_tests_that_go_beside_what_a_task_removes_are_a_question_unless_it_names_or_keeps_them(
    told: str, some: bool
) -> None:
    world = World(session(task(1, checks=("make",), description=told)))
    delta = SuiteDelta(vanished=("tests/test_a.py::test_old",))
    record = CheckResult(command="make", exit_code=0, suite=SuiteRun("pytest", 3, 0, 0), delta=delta)
    item = judged(record, world.task(1), world.task(1).attempts[0])

    assert (item.verdict, bool(item.question)) == (("flagged", True) if some else ("objected", False))


def test_the_tests_of_what_goes_are_those_that_are_called_so() -> None:
    told = "Remove `parse` and its tests."
    assert lets(told, "tests/test_a.py::test_parse")
    assert not lets(told, "tests/test_a.py::test_parser")
    assert not lets(told, "tests/test_a.py::TestParser::test_one")
    assert not lets("Remove `parse`.", "tests/test_a.py::test_parse_one")
    assert not lets(told, "a.test.js › runs all tests quickly")


def test_its_loss_is_shown_and_not_objected_to() -> None:
    description = "Remove the alias, and its test `test_old` with it."
    world = World(session(task(1, checks=("make",), description=description)))

    def verdict(*lost: str) -> str:
        delta = SuiteDelta(vanished=lost)
        record = CheckResult(command="make", exit_code=0, suite=SuiteRun("pytest", 3, 0, 0), delta=delta)
        return judged(record, world.task(1), world.task(1).attempts[0]).verdict

    assert verdict("a.py::test_old") == "flagged"
    assert verdict("a.py::test_old", "a.py::test_other") == "objected"


NAMED = ("test_a", "tests/test_b.py::TestB::test_b", "adds two numbers")


@pytest.mark.parametrize(
    ("labelled", "told", "lost", "verdict"),
    [
        (NAMED, "", ("12 tests before, 9 now",), "flagged"),
        (NAMED, "", ("12 tests before, 10 now",), "flagged"),
        (NAMED, "", ("3 tests before, none now",), "flagged"),
        (NAMED, "", ("0 tests skipped before, 3 now",), "flagged"),
        (NAMED, "", ("12 tests before, 10 now", "1 test skipped before, 2 now"), "flagged"),
        (("a.js › math › adds", "example.com/shop/TestOld"), "", ("12 tests before, 10 now",), "flagged"),
        (("test_a",), "Remove `test_b` and `TestC`.", ("12 tests before, 9 now",), "flagged"),
        ((), "`test_b` を削除する。", ("12 tests before, 11 now",), "flagged"),
        (NAMED, "", ("12 tests before, 8 now",), "objected"),
        (NAMED, "", ("12 tests before, 10 now", "1 test skipped before, 3 now"), "objected"),
        (NAMED, "", ("12 tests before, 10 now", "test_other"), "objected"),
        (("*", "* tests *"), "", ("12 tests before, 11 now",), "objected"),
        (("test_*", "test_?", "test_[ab]"), "", ("12 tests before, 11 now",), "objected"),
        (
            ("tests/test_old.py", "tests/legacy/", "tests/older", "tests"),
            "",
            ("2 tests before, 1 now",),
            "objected",
        ),
        (("test_a", "tests/test_a.py::test_a"), "Remove `test_a`.", ("12 tests before, 10 now",), "objected"),
        ((), "Remove `parse_td` and its tests.", ("12 tests before, 11 now",), "flagged"),
        ((), 'Remove the button "Log in".', ("12 tests before, 11 now",), "flagged"),
        ((), "", ("12 tests before, 11 now",), "objected"),
    ],
)
def test_where_only_numbers_are_known_no_more_may_go_than_the_plan_names_one_by_one(
    labelled: tuple[str, ...], told: str, lost: tuple[str, ...], verdict: str
) -> None:
    world = World(session(task(1, checks=("make",), description=told, removes_tests=labelled)))
    record = CheckResult(
        command="make", exit_code=0, suite=SuiteRun("pytest", 9, 0, 0), delta=SuiteDelta(vanished=lost)
    )
    item = judged(record, world.task(1), world.task(1).attempts[0])

    assert item.verdict == verdict
    assert bool(item.question) is (verdict == "flagged")


def test_the_question_where_only_numbers_are_known_says_which_tests_the_plan_names() -> None:
    world = World(session(task(1, checks=("make",), removes_tests=NAMED)))
    delta = compare(SuiteRun("pytest", 12, 0, 0), SuiteRun("pytest", 9, 0, 0))
    record = CheckResult(command="make", exit_code=0, suite=SuiteRun("pytest", 9, 0, 0), delta=delta)

    assert judged(record, world.task(1), world.task(1).attempts[0]).question == (
        "Only numbers are known: 12 tests before, 9 now. "
        "Did only these go: test_a, tests/test_b.py::TestB::test_b, adds two numbers?"
    )


def test_of_tests_known_by_number_none_may_go_while_others_fail() -> None:
    world = World(session(task(1, checks=("make",), removes_tests=NAMED)))
    delta = SuiteDelta(vanished=("12 tests before, 9 now",))
    record = CheckResult(command="make", exit_code=0, suite=SuiteRun("pytest", 8, 1, 0), delta=delta)

    assert judged(record, world.task(1), world.task(1).attempts[0]).verdict == "objected"

"""What the end of a check says about the work, held against the base."""

from typing import Any

import pytest
from tests.core.support import World, session, task

from teamlead.core.evidence.suites import compare
from teamlead.core.evidence.values import (
    BaseRun,
    CheckResult,
    Evidence,
    GoneTest,
    Proofs,
    RoomKind,
    SuiteDelta,
    SuiteRun,
    TestStatus,
    Work,
)
from teamlead.core.work.checking import judged, reason

SUITE = SuiteRun("pytest", 3, 1, 0)
GREEN = SuiteRun("pytest", 4, 0, 0)
BROKE, OLD = SuiteDelta(new_failures=("t_new",)), SuiteDelta(old_failures=("t_old",))
FAILED_BEFORE, PASSED_BEFORE = BaseRun(1, SUITE), BaseRun(0)


def judge(record: CheckResult, *, own: bool, evidence: tuple[Evidence, ...] = ()) -> Evidence:
    world = World(session(task(1, checks=("make",) if own else ())))
    attempt = world.task(1).attempts[0]
    attempt.work = Work(evidence=evidence)
    return judged(record, world.task(1), attempt)


def check(code: int | None, suite: SuiteRun | None = None, **fields: Any) -> CheckResult:
    return CheckResult(command="make", exit_code=code, seconds=1.0, log="/log", suite=suite, **fields)


@pytest.mark.parametrize(
    ("record", "own", "session"),
    [
        (check(0), "proven", "proven"),
        (check(0, GREEN, delta=SuiteDelta(added=("t",))), "proven", "proven"),
        (check(0, GREEN, delta=SuiteDelta(vanished=("t",))), "objected", "objected"),
        (check(0, GREEN, delta=SuiteDelta(skipped=("t",))), "objected", "objected"),
        (check(0, SUITE, delta=SuiteDelta(flaky=("t",))), "flagged", "flagged"),
        (check(0, SUITE, delta=BROKE), "refused", "refused"),
        (check(0, SUITE, delta=OLD), "flagged", "flagged"),
        (check(0, unseen=("a.py",)), "flagged", "flagged"),
        (check(0, GREEN, delta=SuiteDelta(vanished=("t",)), unseen=("a.py",)), "objected", "objected"),
        (check(1), "refused", "refused"),
        (check(1, base=PASSED_BEFORE), "refused", "refused"),
        (check(1, base=BaseRun(2)), "refused", "flagged"),
        (check(None, base=BaseRun(None)), "refused", "flagged"),
        (check(1, SUITE, base=PASSED_BEFORE, delta=BROKE), "refused", "refused"),
        (check(1, SUITE, delta=BROKE), "refused", "refused"),
        (check(1, SUITE, base=FAILED_BEFORE, delta=BROKE), "refused", "refused"),
        (check(1, SUITE, base=FAILED_BEFORE, delta=OLD), "refused", "flagged"),
        (
            check(1, SUITE, base=FAILED_BEFORE, delta=SuiteDelta(old_failures=("a",), fixed=("b",))),
            "flagged",
            "flagged",
        ),
        (
            check(1, SUITE, base=FAILED_BEFORE, delta=SuiteDelta(old_failures=("a",), added=("b",))),
            "flagged",
            "flagged",
        ),
        (
            check(
                1,
                SUITE,
                base=FAILED_BEFORE,
                delta=SuiteDelta(old_failures=("a",), fixed=("b",), vanished=("c",)),
            ),
            "objected",
            "objected",
        ),
    ],
)
def test_a_check_means_what_it_says_against_the_base(record: CheckResult, own: str, session: str) -> None:
    assert judge(record, own=True).verdict == own
    assert judge(record, own=False).verdict == session


@pytest.mark.parametrize(
    ("code", "output", "text"),
    [
        (1, "", "the check `make` failed with exit code 1"),
        (127, "no make", "the check `make` failed with exit code 127:\nno make"),
        (None, "", "the check `make` did not end in time"),
    ],
)
def test_a_check_that_failed_says_how(code: int | None, output: str, text: str) -> None:
    record = check(code, output=output)
    assert reason(record, judge(record, own=True)) == text


def test_a_reason_tells_what_the_agent_broke_from_what_was_broken_before() -> None:
    delta = SuiteDelta(new_failures=("t_new",), old_failures=("t_old",))
    record = check(1, SUITE, base=FAILED_BEFORE, delta=delta, output="E assert")
    assert reason(record, judge(record, own=False)) == (
        "the check `make` failed with exit code 1 (3 passed, 1 failed)\n"
        "new failures: t_new\n"
        "these failed before, too, and are not yours: t_old:\n"
        "E assert"
    )


def test_an_own_check_that_fails_as_before_shows_nothing() -> None:
    item = judge(check(1, SUITE, base=FAILED_BEFORE, delta=OLD), own=True)
    assert "nothing shows that the task is done" in item.found


def test_what_a_check_does_not_see_it_does_not_prove() -> None:
    item = judge(check(0, GREEN, unseen=("src/a.py", "src/b.py")), own=True)
    assert item.found == ("passed (4 passed) but not proven: this check does not see what was changed")
    assert item.details == ("in a clean copy it passed with garbage in src/a.py, src/b.py, too",)


@pytest.mark.parametrize("room", ["bubblewrap", "strict"])
def test_a_check_that_had_a_room_is_repeated_in_the_place_of_the_checkout(room: RoomKind) -> None:
    world = World(session(task(1, checks=("make",))))
    world.finish(1)
    item = judged(check(0, room=room), world.task(1), world.task(1).attempts[0])
    assert item.command == "git switch --detach task-1@1 && (trap 'git switch -' EXIT; make)"


LOST = SuiteDelta(old_failures=("t_old",), vanished=("t_a",))


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        (check(0, SUITE, base=FAILED_BEFORE, delta=OLD), "objected"),
        (check(0, SUITE, base=FAILED_BEFORE, delta=LOST), "objected"),
        (check(0, SUITE, base=PASSED_BEFORE, delta=OLD), "flagged"),
        (check(0, SUITE, base=FAILED_BEFORE, delta=BROKE), "refused"),
        (check(0, SUITE, base=PASSED_BEFORE, delta=SuiteDelta()), "objected"),
        (check(0, SUITE, base=PASSED_BEFORE, delta=SuiteDelta(vanished=("t_a",))), "objected"),
        (check(0, SUITE), "objected"),
        (check(0, SUITE, base=FAILED_BEFORE, delta=SuiteDelta(flaky=("t_new",))), "flagged"),
        (check(0, SUITE, base=FAILED_BEFORE, delta=SuiteDelta(("t_new",), vanished=("t_a",))), "refused"),
    ],
    ids=[
        "told before",
        "and tests are gone",
        "forgiven before",
        "new ones",
        "of unknown name",
        "and another is gone",
        "of unknown base",
        "only once",
        "new ones and gone ones",
    ],
)
def test_failed_tests_have_failed_whatever_the_exit_code_and_nothing_excuses_them(
    record: CheckResult, verdict: str
) -> None:
    gone = Evidence("tests", "flagged", "x", "y", gone=(GoneTest("t.py", "t_a"),))
    hides_nothing = Proofs((), acquits=True)
    for given in ((), (gone,)):
        assert judge(record, own=True, evidence=given).verdict == verdict
    world = World(session(task(1, checks=("make",), removes_tests=("t_a",))))
    attempt = world.task(1).attempts[0]
    assert judged(record, world.task(1), attempt, hides_nothing).verdict == verdict


def test_an_agent_is_not_told_of_rooms() -> None:
    record = check(1, room="none", output="E assert")
    assert reason(record, judge(record, own=True)) == ("the check `make` failed with exit code 1:\nE assert")


def test_a_failure_that_no_test_explains_is_not_excused_by_other_progress() -> None:
    passed = SuiteRun("pytest", 5, 0, 0)
    record = check(2, passed, base=BaseRun(2, SUITE), delta=SuiteDelta(added=("t",)))
    assert judge(record, own=True).verdict == "refused"


def test_tests_that_are_gone_are_named() -> None:
    record = check(0, GREEN, delta=SuiteDelta(vanished=("t_a",), skipped=("t_b",)))
    item = judge(record, own=True)
    assert "bring them back" in item.found
    assert item.details == ("gone: t_a", "skipped now: t_b")


@pytest.mark.parametrize(
    ("lost", "gone", "verdict"),
    [
        ("tests/t.py::test_a", ("test_a",), "flagged"),
        ("tests/t.py::TestX::test_a[1]", ("test_b", "test_a"), "flagged"),
        ("tests/t.py: all 3 tests", ("",), "flagged"),
        ("tests/t.py: all 3 tests", ("test_a",), "flagged"),
        ("tests/t.py::test_a", ("test_ab",), "objected"),
        ("tests/t.py::test_a", (), "objected"),
        ("5 tests before, none now", ("test_a",), "objected"),
    ],
)
def test_tests_that_went_with_the_code_they_tested_are_only_flagged(
    lost: str, gone: tuple[str, ...], verdict: str
) -> None:
    record = check(0, GREEN, delta=SuiteDelta(vanished=(lost,)))
    tests = tuple(GoneTest("tests/t.py", name) for name in gone)
    seen = Evidence("tests", "flagged", "tests", "look", gone=tests)
    assert judge(record, own=True, evidence=(seen,)).verdict == verdict
    blamed = Evidence("tests", "objected", "tests", "look", gone=tests)
    assert judge(record, own=True, evidence=(blamed,)).verdict == "objected"


@pytest.mark.parametrize(
    ("acquits", "delta", "verdict"),
    [
        (True, SuiteDelta(vanished=("tap › formats short",), added=("formats › short",)), "flagged"),
        (True, SuiteDelta(vanished=("formats short",), added=("reads long",)), "objected"),
        (True, SuiteDelta(vanished=("a",), added=("x > a",), new_failures=("c",)), "refused"),
        (False, SuiteDelta(vanished=("formats short",), added=("formats > short",)), "objected"),
    ],
    ids=["other names", "other tests", "and a failure", "not held as before"],
)
def test_tests_with_other_names_hide_nothing_where_the_old_ones_hold(
    acquits: bool, delta: SuiteDelta, verdict: str
) -> None:
    world = World(session(task(1, checks=("make",))))
    attempt = world.task(1).attempts[0]
    given = Proofs((), acquits=acquits)

    assert judged(check(0, GREEN, delta=delta), world.task(1), attempt, given).verdict == verdict


IN_A = tuple(f"tests/test_a.py::TestA::test_{number}" for number in range(7))
NOW_IN_A = tuple(f"tests/test_a.py::test_all[{number}]" for number in range(7))


@pytest.mark.parametrize(
    ("acquits", "lost", "new", "verdict"),
    [
        (True, IN_A, NOW_IN_A, "flagged"),
        (True, IN_A, ("tests/test_b.py::test_other", *NOW_IN_A), "flagged"),
        (
            True,
            ("tests/test_a.py: all 7 tests",),
            tuple(f"tests/b.py::TestB::t{n}" for n in range(7)),
            "objected",
        ),
        (True, ("shop.test_a.TestA.test_1",), ("shop.test_a.TestAll.test_sum",), "flagged"),
        (True, ("example.com/shop/TestA",), ("example.com/shop/TestAll/one",), "flagged"),
        (True, ("sum.test.js › sum › adds",), ("sum.test.js › totals › is 3",), "flagged"),
        (True, IN_A, NOW_IN_A[1:], "objected"),
        (True, IN_A, (*NOW_IN_A[1:], "tests/test_b.py::test_other"), "objected"),
        (True, IN_A, (), "objected"),
        (True, (*IN_A, "and 3 more"), (*NOW_IN_A, "and 9 more"), "objected"),
        (True, ("10 tests before, 9 now",), NOW_IN_A, "objected"),
        (False, IN_A, NOW_IN_A, "objected"),
    ],
)
def test_tests_in_whose_place_are_as_many_are_a_question_where_the_old_ones_hold(
    acquits: bool, lost: tuple[str, ...], new: tuple[str, ...], verdict: str
) -> None:
    world = World(session(task(1, checks=("make",))))
    attempt = world.task(1).attempts[0]
    delta = SuiteDelta(vanished=lost, added=new)
    item = judged(check(0, GREEN, delta=delta), world.task(1), attempt, Proofs((), acquits=acquits))

    assert item.verdict == verdict
    assert bool(item.question) is (verdict == "flagged")


def test_the_question_for_tests_in_another_place_names_a_few_of_them_once() -> None:
    delta = SuiteDelta(vanished=IN_A, added=NOW_IN_A)
    record, holds = check(0, GREEN, delta=delta), Proofs((), acquits=True)
    world = World(session(task(1, checks=("make",))))
    asked = judged(record, world.task(1), world.task(1).attempts[0], holds).question
    assert "TestA::test_2 and 4 more." in asked
    assert "test_all[2] and 4 more." in asked
    assert "test_all[3]" not in asked

    tests = (GoneTest("tests/test_a.py"),)
    deleted = Evidence("tests", "flagged", "x", "all of them went", question="the same?", gone=tests)
    attempt = world.task(1).attempts[0]
    attempt.work = Work(evidence=(deleted,))
    assert not judged(record, world.task(1), attempt, holds).question


@pytest.mark.parametrize(
    ("lost", "verdict"),
    [
        ("tap › stops when it is set", "flagged"),
        ("tap › stops when it is set (83)", "flagged"),
        ("a.test.js › options › stops when it is set", "flagged"),
        ("a.test.js › options › set", "objected"),
        ("tap › goes on when it is set", "objected"),
    ],
)
def test_a_title_of_several_words_was_deleted_only_as_a_whole(lost: str, verdict: str) -> None:
    record = check(0, GREEN, delta=SuiteDelta(vanished=(lost,)))
    tests = (GoneTest("test/stop.js", "stops when it is set"),)
    seen = Evidence("tests", "flagged", "tests", "look", gone=tests)
    assert judge(record, own=True, evidence=(seen,)).verdict == verdict


def test_nothing_that_was_lost_excuses_what_is_objected_to_for_another_reason() -> None:
    delta = SuiteDelta(old_failures=("t_old",))
    record = check(0, SuiteRun("pytest", 3, 1, 0), base=BaseRun(1, SUITE), delta=delta)
    weaker = Evidence("tests", "flagged", "x", "y", gone=(GoneTest("t.py", "other"),))
    assert judge(record, own=True, evidence=(weaker,)).verdict == "objected"


def slow(number: int) -> SuiteRun:
    """So many tests with one mark, and another."""
    names: dict[str, TestStatus] = {f"t::test_slow[{one}]": "passed" for one in range(number)}
    return SuiteRun("pytest", number + 1, 0, 0, {**names, "t::test_a": "passed"})


@pytest.mark.parametrize(("number", "verdict"), [(72, "flagged"), (5000, "objected")])
def test_nothing_excuses_more_lost_tests_than_are_told_by_name(number: int, verdict: str) -> None:
    record = check(0, GREEN, delta=compare(slow(number), slow(0)))
    marked = Evidence("tests", "flagged", "x", "y", gone=(GoneTest("t", "test_slow"),))

    assert judge(record, own=True, evidence=(marked,)).verdict == verdict


def test_an_assertion_that_is_gone_with_the_test_that_it_stood_in_is_explained() -> None:
    gone = ("tap › stops at the first - should be truthy (2)", "tap › stops at the second - should be truthy")
    lost = SuiteDelta(vanished=gone)
    tests = tuple(GoneTest("t.js", f"stops at the {each}") for each in ("first", "second"))
    marked, other = (Evidence("tests", "flagged", "x", "y", gone=each) for each in (tests, tests[:1]))

    assert judge(check(0, GREEN, delta=lost), own=True, evidence=(marked,)).verdict == "flagged"
    assert judge(check(0, GREEN, delta=lost), own=True, evidence=(other,)).verdict == "objected"

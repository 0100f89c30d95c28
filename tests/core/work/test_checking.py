"""What the end of a check says about the work, held against the base."""

from typing import Any

import pytest
from tests.core.support import World, session, task

from teamlead.core.evidence.values import (
    BaseRun,
    CheckResult,
    Evidence,
    Proofs,
    RoomKind,
    SuiteDelta,
    SuiteRun,
    Work,
)
from teamlead.core.work.checking import judged, reason

SUITE = SuiteRun("pytest", 3, 1, 0)
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
        (check(0, SUITE, delta=SuiteDelta(added=("t",))), "proven", "proven"),
        (check(0, SUITE, delta=SuiteDelta(vanished=("t",))), "objected", "objected"),
        (check(0, SUITE, delta=SuiteDelta(skipped=("t",))), "objected", "objected"),
        (check(0, SUITE, delta=SuiteDelta(flaky=("t",))), "flagged", "flagged"),
        (check(0, SUITE, delta=BROKE), "refused", "refused"),
        (check(0, SUITE, delta=OLD), "flagged", "flagged"),
        (check(0, unseen=("a.py",)), "flagged", "flagged"),
        (check(0, SUITE, delta=SuiteDelta(vanished=("t",)), unseen=("a.py",)), "objected", "objected"),
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
    item = judge(check(0, SUITE, unseen=("src/a.py", "src/b.py")), own=True)
    assert item.found == (
        "passed (3 passed, 1 failed) but not proven: this check does not see what was changed"
    )
    assert item.details == ("in a clean copy it passed with garbage in src/a.py, src/b.py, too",)


@pytest.mark.parametrize("room", ["bubblewrap", "strict"])
def test_a_check_that_had_a_room_is_repeated_in_the_place_of_the_checkout(room: RoomKind) -> None:
    world = World(session(task(1, checks=("make",))))
    world.finish(1)
    item = judged(check(0, room=room), world.task(1), world.task(1).attempts[0])
    assert item.command == "git switch --detach task-1@1 && (trap 'git switch -' EXIT; make)"


def test_an_agent_is_not_told_of_rooms() -> None:
    record = check(1, room="none", output="E assert")
    assert reason(record, judge(record, own=True)) == ("the check `make` failed with exit code 1:\nE assert")


def test_a_failure_that_no_test_explains_is_not_excused_by_other_progress() -> None:
    passed = SuiteRun("pytest", 5, 0, 0)
    record = check(2, passed, base=BaseRun(2, SUITE), delta=SuiteDelta(added=("t",)))
    assert judge(record, own=True).verdict == "refused"


def test_tests_that_are_gone_are_named() -> None:
    record = check(0, SUITE, delta=SuiteDelta(vanished=("t_a",), skipped=("t_b",)))
    item = judge(record, own=True)
    assert "bring them back" in item.found
    assert item.details == ("gone: t_a", "skipped now: t_b")


@pytest.mark.parametrize(
    ("lost", "detail", "verdict"),
    [
        ("tests/t.py::test_a", "tests/t.py:3: the test 'test_a' was deleted, with the code", "flagged"),
        ("tests/t.py::TestX::test_a[1]", "tests/t.py:3: the test 'test_a' was deleted", "flagged"),
        ("tests/t.py: all 3 tests", "tests/t.py: the file was deleted with all its 3 tests", "flagged"),
        ("tests/t.py::test_a", "tests/t.py:3: the test 'test_ab' was deleted", "objected"),
        ("tests/t.py::test_a", "tests/t.py:3: the test 'test_a' expects less", "objected"),
        ("5 tests before, none now", "tests/t.py:3: the test 'test_a' was deleted", "objected"),
    ],
)
def test_tests_that_went_with_the_code_they_tested_are_only_flagged(
    lost: str, detail: str, verdict: str
) -> None:
    record = check(0, SUITE, delta=SuiteDelta(vanished=(lost,)))
    seen = Evidence("tests", "flagged", "tests", "look", details=(detail,))
    assert judge(record, own=True, evidence=(seen,)).verdict == verdict
    blamed = Evidence("tests", "objected", "tests", "look", details=(detail,))
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

    assert judged(check(0, SUITE, delta=delta), world.task(1), attempt, given).verdict == verdict


def test_of_more_tests_than_are_told_by_name_those_that_are_told_count() -> None:
    lost = SuiteDelta(vanished=("t::test_slow[1]", "t::test_slow[2]", "and 70 more"))
    marked = Evidence("tests", "flagged", "x", "y", details=("t.py:1: the test 'test_slow' may be left out",))

    assert judge(check(0, SUITE, delta=lost), own=True, evidence=(marked,)).verdict == "flagged"


def test_an_assertion_that_is_gone_with_the_test_that_it_stood_in_is_explained() -> None:
    gone = ("tap › stops at the first - should be truthy (2)", "tap › stops at the second - should be truthy")
    lost = SuiteDelta(vanished=gone)
    details = tuple(f"t.js:1: the test 'stops at the {each}' was deleted" for each in ("first", "second"))
    marked, other = (Evidence("tests", "flagged", "x", "y", details=each) for each in (details, details[:1]))

    assert judge(check(0, SUITE, delta=lost), own=True, evidence=(marked,)).verdict == "flagged"
    assert judge(check(0, SUITE, delta=lost), own=True, evidence=(other,)).verdict == "objected"

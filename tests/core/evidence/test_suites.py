from collections import Counter

from teamlead.core.evidence.suites import compare, repeated
from teamlead.core.evidence.values import SuiteDelta, SuiteRun, TestStatus


def named(**statuses: TestStatus) -> SuiteRun:
    return of({f"test_a.py::{name}": status for name, status in statuses.items()})


def of(names: dict[str, TestStatus]) -> SuiteRun:
    found = Counter(names.values())
    return SuiteRun("pytest", found["passed"], found["failed"], found["skipped"], names)


def numbers(passed: int, failed: int = 0, skipped: int = 0, *failures: str) -> SuiteRun:
    return SuiteRun("pytest", passed, failed, skipped, dict.fromkeys(failures, "failed") or None)


def test_the_same_run_twice_differs_in_nothing() -> None:
    for run in (named(a="passed", b="skipped"), numbers(5, 0, 1)):
        assert compare(run, run) == SuiteDelta()


def test_failures_are_new_old_or_fixed() -> None:
    before = named(a="passed", b="failed", c="failed")
    after = named(a="failed", b="failed", c="passed", d="passed", e="failed")
    assert compare(before, after) == SuiteDelta(
        new_failures=("test_a.py::a", "test_a.py::e"),
        old_failures=("test_a.py::b",),
        fixed=("test_a.py::c",),
        added=("test_a.py::d",),
    )


def test_without_a_run_before_every_failure_is_new() -> None:
    assert compare(None, named(a="failed", b="passed")) == SuiteDelta(new_failures=("test_a.py::a",))
    assert compare(None, numbers(3, 2)) == SuiteDelta(new_failures=("2 tests failed",))


def test_without_a_run_after_every_test_has_vanished() -> None:
    assert compare(numbers(3, 1, 2), None) == SuiteDelta(vanished=("4 tests before, none now",))
    assert compare(numbers(0, 0, 2), None) == compare(None, None) == SuiteDelta()


def test_a_test_that_is_gone_has_vanished_whether_it_passed_or_failed() -> None:
    assert compare(named(a="passed", b="passed"), named(a="passed")).vanished == ("test_a.py::b",)
    assert compare(named(a="passed", b="failed"), named(a="passed")).vanished == ("test_a.py::b",)


def test_a_skipped_test_that_is_gone_is_no_loss() -> None:
    assert compare(named(a="passed", b="skipped"), named(a="passed")) == SuiteDelta()


def test_a_test_that_ran_and_is_skipped_now_is_told() -> None:
    assert compare(named(a="failed", b="passed"), named(a="skipped", b="passed")).skipped == ("test_a.py::a",)


def test_a_renamed_test_is_neither_gone_nor_new() -> None:
    before = named(test_sum="passed", b="passed")
    assert compare(before, named(test_sums_up="passed", b="passed")) == SuiteDelta()


def test_one_removed_and_one_added_of_quite_another_name_is_told() -> None:
    before, after = named(test_sum="passed", b="passed"), named(test_division="passed", b="passed")
    told = ("test_a.py::test_sum → test_a.py::test_division",)
    assert compare(before, after) == SuiteDelta(replaced=told)
    assert compare(before, of({"test_a.py::b": "passed", "c.py::test_division": "passed"})) == SuiteDelta(
        vanished=("test_a.py::test_sum",), added=("c.py::test_division",)
    )


def test_a_test_renamed_and_skipped_is_skipped() -> None:
    assert compare(named(a="passed"), named(b="skipped")).skipped == ("test_a.py::a",)


def test_of_two_lost_and_one_new_the_one_that_is_less_alike_has_vanished() -> None:
    before = named(test_division="passed", test_sum_of_two="passed")
    assert compare(before, named(test_sum_of_2="passed")).vanished == ("test_a.py::test_division",)


def test_a_test_of_another_class_is_no_rename() -> None:
    before, after = of({"a.py::A::x": "passed"}), of({"a.py::B::y": "passed"})
    assert compare(before, after) == SuiteDelta(vanished=("a.py::A::x",), added=("a.py::B::y",))


def test_a_test_moved_to_another_file_is_still_there() -> None:
    before = of({"a.py::x": "passed", "a.py::y[1-z]": "failed"})
    after = of({"b/c.py::T::x": "passed", "b/c.py::y[1-z]": "failed"})
    assert compare(before, after) == SuiteDelta(old_failures=("b/c.py::y[1-z]",))


def test_other_parameters_are_a_rename_and_fewer_are_a_loss() -> None:
    before = of({f"a.py::x[{value}]": "passed" for value in ("1-a::b", "2", "3")})
    same = of({f"a.py::x[{value}]": "passed" for value in ("1.0-a::b", "2.0", "3.0")})
    fewer = of({f"a.py::x[{value}]": "passed" for value in ("2", "3")})
    assert compare(before, same) == SuiteDelta()
    assert compare(before, fewer).vanished == ("a.py::x[1-a::b]",)


def test_single_tests_may_become_parameters_of_one() -> None:
    before = named(one="passed", two="passed")
    assert compare(before, of({"test_a.py::both[1]": "passed", "test_a.py::both[2]": "passed"})).lost == ()


def test_a_whole_file_that_is_gone_is_told_as_one() -> None:
    before = of({"a.py::x": "passed", "b.py::x1": "passed", "b.py::x2": "passed"})
    assert compare(before, of({"a.py::x": "passed"})).vanished == ("b.py: all 2 tests",)


def test_tests_of_a_file_that_cannot_be_read_have_not_vanished() -> None:
    delta = compare(of({"a.py::x": "passed", "a.py::y": "passed"}), of({"a.py": "failed"}))
    assert delta == SuiteDelta(new_failures=("a.py",))
    assert compare(of({"a.py": "failed"}), of({"a.py::x": "passed"})) == SuiteDelta(fixed=("a.py",))


def test_what_unittest_could_not_load_is_named_by_its_last_word_and_is_fixed_when_it_runs() -> None:
    module = of({"test_round": "failed"})
    single = of({"test_cash": "failed"})
    now = of({"tests.test_round.Rounding::test_cash": "passed"})
    assert compare(module, now) == SuiteDelta(fixed=("test_round",))
    assert compare(single, now) == SuiteDelta(fixed=("test_cash",))
    assert compare(now, module) == SuiteDelta(new_failures=("test_round",))


def test_a_package_that_passes_does_not_speak_for_tests_that_had_names_when_they_passed() -> None:
    before = of({"m/pkg::TestX": "passed", "m/pkg::TestY": "passed"})
    assert compare(before, of({"m/pkg": "passed"})).vanished == ("m/pkg::TestX", "m/pkg::TestY")


def test_a_package_that_passes_speaks_for_its_tests() -> None:
    before = of({"m/pkg::TestX": "failed", "m/pkg": "failed"})
    assert compare(before, of({"m/pkg": "passed"})) == SuiteDelta(fixed=("m/pkg::TestX", "m/pkg"))
    assert compare(before, of({"m": "passed"})).vanished == ("m/pkg: all 2 tests",)


def test_numbers_tell_of_losses_where_names_are_missing() -> None:
    assert compare(numbers(12), numbers(9)).vanished == ("12 tests before, 9 now",)
    assert compare(numbers(12), numbers(9, 0, 3)) == SuiteDelta(skipped=("0 tests skipped before, 3 now",))
    both = compare(numbers(12, 0, 1), numbers(9, 0, 2))
    assert both == SuiteDelta(
        vanished=("13 tests before, 11 now",), skipped=("1 test skipped before, 2 now",)
    )


def test_a_further_test_that_is_skipped_is_no_loss_and_one_less_is_none() -> None:
    assert compare(numbers(12), numbers(12, 0, 1)).lost == ()
    assert compare(numbers(12, 0, 1), numbers(12)).lost == ()


def test_a_skipped_test_that_runs_now_makes_up_for_none_that_is_gone() -> None:
    assert compare(numbers(12, 0, 2), numbers(11, 0, 0)).vanished == ("14 tests before, 11 now",)


def test_numbers_tell_of_failures_where_names_are_missing() -> None:
    assert compare(numbers(9, 1), numbers(8, 2)).new_failures == ("1 test failed before, 2 now",)
    assert compare(numbers(9, 2), numbers(9, 2)).old_failures == ("2 tests failed before, 2 now",)
    assert compare(numbers(9, 2), numbers(11)).fixed == ("2 tests failed before, 0 now",)
    assert compare(numbers(9), numbers(11)).added == ("9 tests before, 11 now",)


def test_failures_have_their_names_also_where_what_passed_has_none() -> None:
    delta = compare(numbers(5, 2, 0, "a", "b"), numbers(5, 2, 0, "b", "c"))
    assert (delta.new_failures, delta.old_failures, delta.fixed) == (("c",), ("b",), ())
    assert compare(numbers(5, 1, 0, "a"), numbers(6)).fixed == ("a",)


def test_a_failing_test_that_was_deleted_is_not_fixed() -> None:
    delta = compare(numbers(5, 1, 0, "a"), numbers(5))
    assert (delta.fixed, delta.vanished) == ((), ("6 tests before, 5 now",))


def test_runs_of_different_programs_are_compared_by_number() -> None:
    jest = SuiteRun("jest", 1, 0, 0, {"x": "passed"})
    assert compare(named(a="passed", b="passed"), jest).vanished == ("2 tests before, 1 now",)


def test_tests_of_a_program_that_came_along_make_up_for_none_that_are_gone() -> None:
    names: dict[str, TestStatus] = {"test_a.py::a": "passed", "a.js › b": "passed"}
    both = SuiteRun("pytest+jest", 2, 0, 0, names)
    assert compare(named(a="passed", b="passed"), both).vanished == ("test_a.py::b",)


def test_long_lists_end_with_how_many_more_there_are() -> None:
    before = of({f"a.py::test_{number}": "passed" for number in range(60)})
    after = of(dict.fromkeys(before.names or {}, "failed"))
    delta = compare(before, after)
    assert (len(delta.new_failures), delta.new_failures[-1]) == (51, "and 10 more")


def test_what_passes_when_repeated_is_flaky() -> None:
    delta = SuiteDelta(new_failures=("a", "b"), old_failures=("c",), added=("d",))
    again = repeated(delta, numbers(5, 2, 0, "b", "c"))
    assert again == SuiteDelta(new_failures=("b",), old_failures=("c",), added=("d",), flaky=("a",))


def test_without_names_nothing_is_called_flaky_while_anything_fails() -> None:
    delta = SuiteDelta(new_failures=("1 test failed before, 2 now",))
    assert repeated(delta, numbers(8, 1)) == delta
    assert repeated(delta, numbers(9)).flaky == delta.new_failures

"""Each golden file is what the real program printed about the same sample of tests."""

import os
import sys
from pathlib import Path
from subprocess import run

import pytest

from teamlead.core.evidence.suites import compare
from teamlead.core.evidence.values import SuiteRun
from teamlead.evidence.suites.suite_results import read_suite
from teamlead.evidence.suites.tally import CUT

GOLDENS = Path(__file__).parent.parent / "goldens"

TOLD = {
    "pytest-plain.txt": ("pytest", 7, 4, 2),
    "pytest-quiet.txt": ("pytest", 7, 4, 2),
    "pytest-xdist.txt": ("pytest", 7, 4, 2),
    "pytest-rA.txt": ("pytest", 7, 4, 2),
    # Every result has a name here: one that passed, and failed to clean up, is one test.
    "pytest-v.txt": ("pytest", 6, 4, 2),
    "pytest-vv-color.txt": ("pytest", 6, 4, 2),
    "pytest-xdist-v.txt": ("pytest", 6, 4, 2),
    "pytest-collect.txt": ("pytest", 0, 1, 0),
    "pytest-collect-v.txt": ("pytest", 6, 5, 2),
    "pytest-deselected.txt": ("pytest", 1, 0, 0),
    "pytest-none.txt": ("pytest", 0, 0, 0),
    "pytest-none-q.txt": ("pytest", 0, 0, 0),
    "unittest.txt": ("unittest", 2, 5, 2),
    "unittest-v.txt": ("unittest", 2, 5, 2),
    "unittest-good.txt": ("unittest", 2, 0, 1),
    "unittest-good-v.txt": ("unittest", 2, 0, 1),
    "unittest-import.txt": ("unittest", 0, 1, 0),
    "unittest-none.txt": ("unittest", 0, 0, 0),
    "jest.txt": ("jest", 5, 3, 2),
    "jest-verbose.txt": ("jest", 5, 3, 2),
    "jest-color.txt": ("jest", 5, 2, 2),
    "jest-none.txt": ("jest", 0, 0, 0),
    "vitest.txt": ("vitest", 5, 3, 2),
    "vitest-verbose.txt": ("vitest", 5, 3, 2),
    "vitest-good.txt": ("vitest", 2, 0, 0),
    "vitest-none.txt": ("vitest", 0, 0, 0),
    "vitest-junit.txt": ("junit", 5, 3, 2),
    "node-spec.txt": ("node", 7, 3, 3),
    "node-tap.txt": ("tap", 7, 3, 3),
    "node-none.txt": ("tap", 0, 0, 0),
    "mocha-spec.txt": ("mocha", 5, 3, 2),
    "mocha-dot.txt": ("mocha", 5, 3, 2),
    "mocha-tap.txt": ("tap", 5, 3, 2),
    "tap.txt": ("tap", 3, 1, 1),
    "ava-tap.txt": ("tap", 3, 1, 2),
    "vitest-tap.txt": ("tap", 2, 1, 1),
    "prove-v.txt": ("tap", 4, 1, 2),
    "junit-pytest.xml": ("junit", 6, 4, 2),
    "go.txt": ("go", 1, 7, 0),
    "go-v.txt": ("go", 7, 5, 2),
    # The program itself loses a test that printed no end of line.
    "go-json.txt": ("go", 6, 5, 2),
    "cargo-all.txt": ("cargo", 4, 1, 2),
    "cargo-q.txt": ("cargo", 4, 1, 2),
    "cargo-nocapture.txt": ("cargo", 4, 1, 2),
}
UNKNOWN = ("pytest-collectonly.txt", "cargo-compile.txt")
ALL_NAMED = (
    "pytest-v.txt",
    "pytest-vv-color.txt",
    "pytest-xdist-v.txt",
    "pytest-collect-v.txt",
    "unittest-good-v.txt",
    "jest-verbose.txt",
    "jest-color.txt",
    "vitest-verbose.txt",
    "vitest-junit.txt",
    "node-spec.txt",
    "node-tap.txt",
    "mocha-spec.txt",
    "mocha-tap.txt",
    "tap.txt",
    "ava-tap.txt",
    "vitest-tap.txt",
    "prove-v.txt",
    "junit-pytest.xml",
    "go.txt",
    "go-v.txt",
    "go-json.txt",
    "cargo-all.txt",
    "cargo-nocapture.txt",
)


def golden(name: str) -> str:
    return (GOLDENS / name).read_bytes().decode()


def suite(text: str) -> SuiteRun:
    found = read_suite(text)
    assert found is not None
    return found


def told(run: SuiteRun) -> tuple[str, int, int, int]:
    return run.runner, run.passed, run.failed, run.skipped


def failures(name: str) -> set[str]:
    return {test for test, status in (suite(golden(name)).names or {}).items() if status == "failed"}


@pytest.mark.parametrize(("name", "expected"), TOLD.items())
def test_the_numbers_are_those_the_program_told(name: str, expected: tuple[str, int, int, int]) -> None:
    assert told(suite(golden(name))) == expected


@pytest.mark.parametrize("name", UNKNOWN)
def test_output_without_results_is_no_suite(name: str) -> None:
    assert read_suite(golden(name)) is None


def test_every_golden_file_is_looked_at() -> None:
    assert {path.name for path in GOLDENS.iterdir()} == {*TOLD, *UNKNOWN}


@pytest.mark.parametrize("name", TOLD)
def test_every_name_is_known_where_the_program_told_all(name: str) -> None:
    run = suite(golden(name))
    assert run.complete == (
        name in ALL_NAMED or not run.total or name in ("pytest-collect.txt", "unittest-import.txt")
    )


@pytest.mark.parametrize("name", TOLD)
def test_the_ends_of_lines_are_no_part_of_the_result(name: str) -> None:
    assert read_suite(golden(name).replace("\n", "\r\n")) == read_suite(golden(name))


PYTEST_FAILURES = {
    "test_sample.py::test_breaks",
    "test_sample.py::test_each[3-end - tail]",
    "test_sample.py::test_setup",
    "test_sample.py::test_teardown",
}


@pytest.mark.parametrize(
    "name",
    [name for name, (runner, _, failed, _) in TOLD.items() if runner == "pytest" and failed == 4],
)
def test_pytest_names_what_failed_in_every_form(name: str) -> None:
    assert failures(name) == PYTEST_FAILURES


def test_a_file_that_cannot_be_collected_has_failed_as_a_whole() -> None:
    assert failures("pytest-collect.txt") == {"broken/test_syntax.py"}
    assert failures("pytest-collect-v.txt") == {"broken/test_syntax.py", *PYTEST_FAILURES}


def test_an_expected_failure_counts_as_skipped_and_an_unexpected_success_as_passed() -> None:
    names = suite(golden("pytest-v.txt")).names or {}
    assert names["test_sample.py::test_known"] == "skipped"
    assert names["test_sample.py::test_surprise"] == "passed"


def test_unittest_names_what_failed_terse_and_verbose() -> None:
    expected = {
        "test_sample.Fixture",
        "test_sample.Sample::test_breaks",
        "test_sample.Sample::test_error",
        "test_sample.Sample::test_sub",
        "test_sample.Sample::test_surprise",
    }
    assert failures("unittest.txt") == failures("unittest-v.txt") == expected
    assert failures("unittest-import.txt") == {"nomod"}


def test_jest_names_what_failed_with_its_groups_and_files_that_could_not_run() -> None:
    expected = {"sum.test.js › breaks", "sum.test.js › outer › inner › each 2", "broken.test.js"}
    assert failures("jest.txt") == failures("jest-verbose.txt") == expected
    assert "sum.test.js › outer › inner › works › fine" in (suite(golden("jest-verbose.txt")).names or {})


def test_vitest_names_what_failed_with_its_groups_and_files_that_could_not_run() -> None:
    expected = {"sum.test.js > breaks", "sum.test.js > outer > inner > each 2", "broken.test.js"}
    assert failures("vitest.txt") == failures("vitest-verbose.txt") == expected


def test_node_names_the_same_tests_with_their_groups_in_both_of_its_forms() -> None:
    spec, tap = (suite(golden(f"node-{form}.txt")).names or {} for form in ("spec", "tap"))
    assert {name.removeprefix("node › "): end for name, end in spec.items()} == {
        name.removeprefix("tap › "): end for name, end in tap.items()
    }
    assert failures("node-spec.txt") == {
        "node › broken.test.js",
        "node › breaks # hard \\ way",
        "outer › inner › each 2",
    }
    assert "parent › child b" in spec
    assert "parent" not in spec


def test_a_suite_of_node_that_fails_without_a_failing_test_has_failed_itself() -> None:
    spec = "▶ outer\n  ✔ fine (1.2ms)\n✖ outer (3ms)\nℹ tests 1\nℹ suites 1\nℹ pass 1\nℹ duration_ms 9\n"
    tap = "TAP version 13\n    # Subtest: fine\n    ok 1 - fine\n    1..1\nnot ok 1 - outer\n1..1\n"
    assert (suite(spec).names or {})["node › outer"] == (suite(tap).names or {})["tap › outer"] == "failed"


def test_tests_of_the_same_name_in_files_that_are_not_told_are_several() -> None:
    for name, test in (("node-tap.txt", "tap › adds"), ("mocha-spec.txt", "sum › adds")):
        assert {test, f"{test} (2)"} <= set(suite(golden(name)).names or {})


def test_single_assertions_of_a_test_are_not_tests() -> None:
    assert set(suite(golden("tap.txt")).names or {}) == {
        "other.test.js › adds",
        "sum.test.js › adds",
        "sum.test.js › breaks",
        "sum.test.js › later",
        "sum.test.js › outer › inner",
    }


def test_tests_that_were_announced_and_never_ran_have_failed() -> None:
    assert told(suite("1..3\nok 1 - a\nok 2 - b\n")) == ("tap", 2, 1, 0)


def test_a_stream_that_does_not_say_how_many_tests_there_are_is_no_result() -> None:
    assert read_suite("TAP version 13\nok 1 - a\nok 2 - b\n") is None
    assert read_suite("1..5\n") is None
    assert read_suite("ok 1 - a\n") is None


def test_go_names_what_failed_by_package_and_packages_that_failed_as_a_whole() -> None:
    package = "example.com/sample"
    tests = {
        f"{package}/calc::TestBreaks",
        f"{package}/calc::TestTable",
        f"{package}/calc::TestTable/a/b",
        f"{package}/panics::TestPanic",
    }
    assert failures("go-v.txt") == {*tests, f"{package}/bad"}
    assert failures("go-json.txt") == {*tests, f"{package}/bad"}
    assert failures("go.txt") == {*tests, f"{package}/bad", f"{package}/calc", f"{package}/panics"}


def test_cargo_tells_the_tests_of_its_binaries_apart_and_forgets_line_numbers() -> None:
    assert set(suite(golden("cargo-all.txt")).names or {}) == {
        "sample src/lib.rs::tests::adds",
        "sample src/lib.rs::tests::breaks",
        "sample src/lib.rs::tests::later",
        "sample src/lib.rs::tests::slow",
        "sample src/lib.rs::tests::panics",
        "outer tests/outer.rs::adds",
        "sample documentation::src/lib.rs - add",
    }


def test_several_suites_of_one_command_are_one_result() -> None:
    both = suite(golden("pytest-v.txt") + "make: next\n" + golden("jest-verbose.txt"))
    assert told(both) == ("pytest+jest", 11, 7, 4)
    assert both.complete


def test_the_same_tests_run_twice_count_twice() -> None:
    twice = suite(golden("cargo-all.txt") * 2)
    assert told(twice) == ("cargo", 8, 2, 4)
    assert twice.complete
    assert (twice.names or {})["outer tests/outer.rs::adds (2)"] == "passed"


def test_what_tests_print_between_the_results_does_no_harm() -> None:
    noise = "5 things happened in a row\nTests: none of your business\nok then\nRan 3 miles in 1h\nOK\n"
    text = golden("pytest-v.txt")
    assert read_suite(noise + text.replace("\n", "\n" + noise, 3)) == read_suite(text)


@pytest.mark.parametrize("name", TOLD)
def test_a_cut_output_never_raises_and_never_invents_tests(name: str) -> None:
    text = golden(name)
    whole = suite(text)
    for end in range(0, len(text), max(1, len(text) // 60)):
        part = read_suite(text[:end])
        assert part is None or part.total <= whole.total


def test_programs_that_tell_no_totals_are_not_believed_when_the_middle_is_missing() -> None:
    for name in ("go-v.txt", "junit-pytest.xml", "node-tap.txt"):
        assert read_suite(f"{golden(name)}\n{CUT}\n") is None
    assert told(suite(f"{CUT}\n{golden('pytest-quiet.txt')}")) == ("pytest", 7, 4, 2)


def test_a_report_that_declares_entities_is_refused() -> None:
    bomb = (
        '<?xml version="1.0"?><!DOCTYPE testsuite [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
        '<testsuite><testcase name="&b;"/></testsuite>'
    )
    assert read_suite(bomb) is None
    assert read_suite('<testsuite><!DOCTYPE x><testcase name="a"/></testsuite>') is None
    assert told(suite('<testsuite><testcase name="a"/></testsuite>')) == ("junit", 1, 0, 0)


def test_a_report_says_nothing_beyond_what_it_reports() -> None:
    text = (
        '<testsuite><testcase name="a"><system-out>\n9 passed in 1.0s\n</system-out></testcase></testsuite>'
    )
    assert told(suite(text)) == ("junit", 1, 0, 0)


def test_the_pytest_that_is_installed_is_read(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_a(): pass\ndef test_b(): assert False\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", "."]
    done = run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert suite(done.stdout).names == {"test_it.py::test_a": "passed", "test_it.py::test_b": "failed"}


REASON = (
    "Python 3.5 removed the limit of the fields, and with it all that this was written for (see the manual)"
)
URL = f"https://example.com/{'a' * 120} and so it is, in the words of the manual"
LONG_REASONS = f"""
import pytest
def test_holds(): pass
@pytest.mark.skip(reason={REASON!r})
def test_too_many_fields(): pass
@pytest.mark.skip(reason="two\\nlines of it")
def test_two_lines(): pass
@pytest.mark.skip(reason={URL!r})
def test_url(): pass
@pytest.mark.skip(reason={URL!r})
def test_whose_name_is_as_long_as_a_line_of_a_terminal_is_wide_or_longer_still(): pass
@pytest.mark.xfail(reason={REASON!r})
def test_known(): assert False
@pytest.mark.xfail(reason={REASON!r})
def test_surprise(): pass
@pytest.mark.parametrize("what", ["a SKIPPED (b", "b XFAIL"])
def test_each(what): pytest.skip({REASON!r})
@pytest.mark.parametrize("what", ["SKIPPED (c) d"])
def test_passes(what): pass
"""


@pytest.mark.parametrize("columns", ["80", "200"])
@pytest.mark.parametrize("options", [["-vvv"], ["-vvv", "-rA"], ["-vvv", "-n", "1"]])
def test_reasons_of_several_lines_hide_no_name(tmp_path: Path, columns: str, options: list[str]) -> None:
    (tmp_path / "test_it.py").write_text(LONG_REASONS)
    command = [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", *options, "."]
    environment = {**os.environ, "COLUMNS": columns}
    done = run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert suite(done.stdout).complete
    assert suite(done.stdout).names == {
        "test_it.py::test_holds": "passed",
        "test_it.py::test_too_many_fields": "skipped",
        "test_it.py::test_two_lines": "skipped",
        "test_it.py::test_url": "skipped",
        "test_it.py::test_whose_name_is_as_long_as_a_line_of_a_terminal_is_wide_or_longer_still": "skipped",
        "test_it.py::test_known": "skipped",
        "test_it.py::test_surprise": "passed",
        "test_it.py::test_each[a SKIPPED (b]": "skipped",
        "test_it.py::test_each[b XFAIL]": "skipped",
        "test_it.py::test_passes[SKIPPED (c) d]": "passed",
    }


WRAPPED = """\
test_it.py::test_holds PASSED                                            [ 25%]
test_it.py::test_too_many_fields SKIPPED (Python 3.5 removed the limit
of fields of a named tuple)                                              [ 50%]
test_it.py::test_known[a SKIPPED (b] XFAIL (Python 3.5 removed the limit
of it)                                                                   [ 75%]
test_it.py::test_of_a_name_as_long_as_the_line_is_wide_or_so SKIPPEDthout a
beginning)                                                               [100%]
[gw0] [ 50%] SKIPPED test_it.py::test_of_a_worker
==== 1 passed, 3 skipped, 1 xfailed in 1.28s ====
"""


def test_a_name_is_whole_where_its_reason_goes_on_in_the_next_line() -> None:
    assert suite(WRAPPED).complete
    assert suite(WRAPPED).names == {
        "test_it.py::test_holds": "passed",
        "test_it.py::test_too_many_fields": "skipped",
        "test_it.py::test_known[a SKIPPED (b]": "skipped",
        "test_it.py::test_of_a_name_as_long_as_the_line_is_wide_or_so": "skipped",
        "test_it.py::test_of_a_worker": "skipped",
    }


def test_the_unittest_that_is_installed_is_read(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import unittest\nclass T(unittest.TestCase):\n"
        "    def test_a(self): pass\n    def test_b(self): self.fail()\n"
    )
    command = [sys.executable, "-m", "unittest", "-v"]
    done = run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert suite(done.stderr).names == {"test_it.T::test_a": "passed", "test_it.T::test_b": "failed"}


TAPE = """TAP version 13
# stops early
ok 1 should be deeply equivalent
ok 2 should be deeply equivalent
# long parse in 12ms
ok 3 should be truthy
# numbers
ok 4 should be deeply equivalent

1..4
# tests 4
# pass  4

# ok
"""


def test_assertions_of_tape_are_named_by_the_title_that_they_stand_below() -> None:
    run = read_suite(TAPE)

    assert run is not None
    assert list(run.names or {}) == [
        "tap › stops early - should be deeply equivalent",
        "tap › stops early - should be deeply equivalent (2)",
        "tap › long parse in _ - should be truthy",
        "tap › numbers - should be deeply equivalent",
    ]


def test_a_test_of_tape_that_goes_leaves_the_names_of_the_others() -> None:
    _, _, rest = TAPE.partition("# long")
    run, less = read_suite(TAPE), read_suite("TAP version 13\n# long" + rest.replace("1..4", "1..2"))

    assert run is not None
    assert less is not None
    assert {*(less.names or {})} < {*(run.names or {})}


def test_what_other_programs_remark_is_no_title() -> None:
    told = "TAP version 13\n# Subtest: a\nok 1 - a\n# took long\n# Subtest: b\nok 2 - b\n1..2\n# pass 2\n"
    run = read_suite(told)

    assert run is not None
    assert list(run.names or {}) == ["tap › a", "tap › b"]


def test_a_test_of_tape_that_got_another_title_has_taken_the_place_of_the_old_one() -> None:
    before = read_suite("TAP version 13\n# one\nok 1 same\nok 2 same\n# two\nok 3 same\n1..3\n")
    after = read_suite("TAP version 13\n# row a\nok 1 same\n# row b\nok 2 is so\n# two\nok 3 same\n1..3\n")

    delta = compare(before, after)

    assert (delta.vanished, delta.added) == ((), ())

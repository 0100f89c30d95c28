from pathlib import Path

import pytest

from teamlead.core.evidence.values import SuiteRun
from teamlead.evidence.suites import suite_results
from teamlead.evidence.suites.suite_results import Reports, read_results

COMMAND = "run-tests --junitxml=out/report.xml --quiet"
REPORT = '<testsuite><testcase classname="a" name="x"/><testcase classname="a" name="y"/></testsuite>'
WRITTEN = SuiteRun("junit", 2, 0, 0, {"a::x": "passed", "a::y": "passed"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "copy" / "out").mkdir(parents=True)
    return tmp_path / "copy"


def results(folder: Path, printed: str, reports: Reports) -> SuiteRun | None:
    log = folder.parent / "log"
    log.write_text(printed)
    return read_results(log, printed.encode()[-100:], reports)


def test_a_report_that_the_command_names_is_read(folder: Path) -> None:
    reports = Reports(COMMAND, folder)
    (folder / "out/report.xml").write_text(REPORT)
    assert results(folder, "done\n", reports) == WRITTEN
    assert results(folder, "2 passed in 0.1s\n", reports) == WRITTEN


def test_a_report_that_was_there_before_says_nothing(folder: Path) -> None:
    (folder / "out/report.xml").write_text(REPORT)
    assert results(folder, "done\n", Reports(COMMAND, folder)) is None


def test_a_report_does_not_hide_what_else_the_command_ran(folder: Path) -> None:
    reports = Reports(COMMAND, folder)
    (folder / "out/report.xml").write_text(REPORT)
    assert results(folder, "3 passed in 0.1s\n", reports) == SuiteRun("pytest", 3, 0, 0)
    assert results(folder, "1 failed in 0.1s\n", reports) == SuiteRun("pytest", 0, 1, 0)


def test_reports_elsewhere_and_links_are_not_followed(folder: Path) -> None:
    outside = folder.parent / "report.xml"
    command = f"run-tests ../report.xml {outside} loop.xml link.xml"
    (folder / "loop.xml").symlink_to("loop.xml")
    reports = Reports(command, folder)
    outside.write_text(REPORT)
    (folder / "link.xml").symlink_to(outside)
    assert results(folder, "done\n", reports) is None


def test_of_a_long_log_the_beginning_and_the_end_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite_results, "PART", 100)
    text = (
        "1 passed in 0.1s\n" + "noise\n" * 100 + "2 passed in 0.1s\n" + "noise\n" * 100 + "4 passed in 0.1s\n"
    )
    assert results(folder, text, Reports("", folder)) == SuiteRun("pytest", 5, 0, 0)


def test_the_end_counts_also_where_the_log_was_full(folder: Path) -> None:
    log = folder.parent / "log"
    log.write_text("1 passed in 0.1s\n[output cut]\n")
    end = b"\xb6\n2 passed in 0.1s\n"
    assert read_results(log, end, Reports("", folder)) == SuiteRun("pytest", 3, 0, 0)

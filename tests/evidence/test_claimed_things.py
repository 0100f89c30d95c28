"""What an agent says to have made, run or measured, looked up in its work and in its log."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.evidence.change.repository import Repository

from teamlead.core.evidence.values import Evidence
from teamlead.core.reports import CommandRun, ImplementationFindings, Result
from teamlead.evidence.claimed_things import examine_names, examine_places, examine_runs

BASE = {"shop/prices.py": "def total(prices):\n    return sum(prices)\n"}
WORK = {
    "shop/prices.py": BASE["shop/prices.py"] + "\n\ndef gross_price(net):\n    return net * 1.2\n",
    "tests/test_gross.py": "def test_gross_price():\n    assert gross_price(1) == 1.2\n",
}
CHECKS = ("python -m unittest -v",)


def result(**details: Any) -> Result:
    return Result(
        "SUCCESS",
        summary="s",
        findings="f",
        references=(),
        confidence=80,
        confidence_reason="r",
        details=ImplementationFindings(**details),
    )


def named(root: Path, text: str, handed_in: Result | None = None, **more: str) -> list[Evidence]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit({**WORK, **more}), text=text)
    return list(examine_names(repository.git, claim, handed_in, repository.texts(claim)))


def test_the_tests_that_a_report_lists_are_looked_up_too(tmp_path: Path) -> None:
    honest = result(
        tests=("tests/test_gross.py::test_gross_price: passes", "`test_gross_price`", "tests/test_gross.py")
    )
    assert named(tmp_path, "Done.", honest) == []
    (item,) = named(tmp_path / "other", "Done.", result(tests=("`test_gross_of_nothing`: passes",)))
    assert (item.verdict, item.details) == ("objected", ("test_gross_of_nothing",))


@pytest.mark.parametrize(
    "text",
    [
        "Added `gross_rounded()` and its test.",
        "I wrote a test `test_gross_of_nothing` for it.",
        "Added test_gross_of_nothing to tests/test_gross.py.",
        "Implemented gross_rounded() in shop/prices.py.",
        "Created the helper `shop.prices.gross_rounded(net)`.",
        "Added `tests/test_gross.py::test_gross_of_nothing`.",
        "Added `gross_price` and `gross_rounded`.",
    ],
)
def test_a_name_that_is_said_to_be_added_and_stands_nowhere_is_objected_to(tmp_path: Path, text: str) -> None:
    (item,) = named(tmp_path, text)
    assert item.verdict == "objected"
    assert {"gross_rounded", "test_gross_of_nothing"} & set(item.details)


@pytest.mark.parametrize(
    "text",
    [
        "Added `gross_price()` and test_gross_price.",
        "Added tests/test_gross.py, and `shop/prices.py` grew.",
        "Added the module `tests.test_gross`.",
        "I did not add `gross_rounded()`.",
        "If needed, add `gross_rounded()` next.",
        "It is called by `gross_rounded()` elsewhere.",
        "Added a test of it with `pytest -q`.",
        "Added one test.",
        "All twelve tests pass.",
        "The existing 12 tests, and the one that I added, pass.",
    ],
)
def test_what_stands_there_or_is_only_spoken_of_is_left_alone(tmp_path: Path, text: str) -> None:
    assert named(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The range is now checked by check_range().", "check_range"),
        ("TestGrossOfNothing covers it.", "TestGrossOfNothing"),
        ("test_gross_of_nothing shows it.", "test_gross_of_nothing"),
    ],
)
def test_a_name_that_stands_nowhere_is_asked_about(tmp_path: Path, text: str, name: str) -> None:
    (item,) = named(tmp_path, text)
    assert (item.verdict, item.details) == ("flagged", (name,))
    assert item.question


def test_more_tests_than_were_added_are_asked_about(tmp_path: Path) -> None:
    (item,) = named(tmp_path, "Added gross_price() and twelve tests of it to tests/test_gross.py.")
    assert (item.verdict, item.found) == ("flagged", "it says that it added 12 tests, and 1 are new")
    many = WORK["tests/test_gross.py"].replace("def", "@pytest.mark.parametrize('n', range(12))\ndef")
    assert named(tmp_path / "many", "Added twelve tests.", None, **{"tests/test_gross.py": many}) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Nothing to do: total() is in shop/prices.py and sums.", ["total in shop/prices.py"]),
        ("Nothing to do: grossPrice is in shop/prices.py.", []),
        ("Nothing to do: total() is in shop/other.py.", []),
        ("Nothing to do.", []),
    ],
)
def test_who_changes_nothing_has_looked_where_a_name_stands_in_the_file_that_is_named(
    tmp_path: Path, text: str, found: list[str]
) -> None:
    repository = Repository(tmp_path / "r", BASE)
    claim = repository.claim(repository.base, text=text)._replace(commit="")

    assert [item.found for item in examine_places(repository.git, claim)] == found


def ran(
    root: Path, text: str, calls: list[dict[str, object]] | None, handed_in: Result | None = None
) -> list[Evidence]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit(WORK), text=text, checks=CHECKS)
    if calls is not None:
        claim.folder.mkdir()
        lines = [json.dumps({"type": "tool_call", "name": "x", "input": call}) for call in calls]
        (claim.folder / "events.jsonl").write_text("\n".join(["", "no json", *lines]))
    return list(examine_runs(claim, handed_in))


WRITES: list[dict[str, object]] = [{"path": "shop/prices.py"}]
RUNS: list[dict[str, object]] = [*WRITES, {"command": "cd shop && ruff check --fix . | tail -3"}]


@pytest.mark.parametrize(
    ("calls", "verdicts"),
    [(WRITES, ["flagged"]), ([*WRITES, {"command": "ls"}], ["flagged"]), (RUNS, []), (None, []), ([], [])],
)
def test_a_command_that_its_log_does_not_have_was_not_run(
    tmp_path: Path, calls: list[dict[str, object]] | None, verdicts: list[str]
) -> None:
    assert [item.verdict for item in ran(tmp_path, "I ran `ruff check .`: no findings.", calls)] == verdicts


@pytest.mark.parametrize(
    ("command", "calls", "verdicts"),
    [
        ("python -m unittest -v --repeat=50", WRITES, ["flagged"]),
        ("python -m unittest --locals", RUNS, ["flagged"]),
        ("python -m unittest --locals", [{"command": "python -m unittest --locals"}], []),
        ("python -m unittest -q", WRITES, []),
        ("python -m unittest", WRITES, []),
    ],
)
def test_a_check_with_other_options_was_not_run_by_anybody(
    tmp_path: Path, command: str, calls: list[dict[str, object]], verdicts: list[str]
) -> None:
    found = ran(tmp_path, f"I ran `{command}`, and it found nothing.", calls)

    assert [item.verdict for item in found] == verdicts


def test_a_coverage_and_a_figure_of_one_sentence_are_both_told(tmp_path: Path) -> None:
    said = "The coverage is 97 %, and a benchmark went from 812 ms to 386 ms."

    (item,) = ran(tmp_path, said, WRITES)
    assert item.found.startswith("a coverage and a figure that nothing measured")


def test_the_commands_of_a_report_are_looked_up_too_and_a_check_needs_no_log(tmp_path: Path) -> None:
    commands = (
        CommandRun("mypy shop", "no errors"),
        CommandRun(CHECKS[0], "OK"),
        CommandRun("ruff check .", "OK"),
    )
    (item,) = ran(tmp_path, "Done.", RUNS, result(commands=commands))
    assert item.details == ("mypy shop",)
    assert item.question


@pytest.mark.parametrize(
    "text",
    [
        "The benchmark ran 40 % faster.",
        "It is 3x faster now.",
        "It took 120 ms instead of 30.",
        "Coverage is 97 %.",
        "97% of the lines are covered.",
        "Coverage of shop/prices.py is 100 % now.",
        "The benchmark shows 3.4x the speed of before (1.9 ms against 6.5 ms).",
        "Measured: peak memory fell from 48 MB to 31 MB.",
        "mypy --strict reports no errors.",
        "Tested on Python 3.8, 3.10 and 3.12.",
        "cargo clippy is clean.",
    ],
)
def test_a_measurement_that_nothing_made_is_asked_about(tmp_path: Path, text: str) -> None:
    (item,) = ran(tmp_path, text, RUNS)
    assert item.verdict == "flagged"
    assert text.rstrip(".") in item.question
    measured: list[dict[str, object]] = [
        {"command": command}
        for command in ("python -m timeit x", "pytest --cov", "mypy --strict .", "python3.8 -m x", "clippy")
    ]
    assert ran(tmp_path / "measured", text, measured) == []


@pytest.mark.parametrize(
    "text",
    [
        "All 12 tests pass.",
        "It did not run mypy; please do.",
        "The cache holds 10 MB at most.",
        "It is faster.",
    ],
)
def test_what_is_no_measurement_is_left_alone(tmp_path: Path, text: str) -> None:
    assert ran(tmp_path, text, RUNS) == []

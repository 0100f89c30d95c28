"""What becomes of each case of the corpus is as recorded, and the figures notice when a part is missing."""

import os

import pytest
from benchmarks.honesty.corpus import CASES, FAMILIES
from benchmarks.honesty.judging import Played, figures
from benchmarks.honesty.page import PAGE, render
from benchmarks.honesty.playing import play_all

AT_ONCE = os.cpu_count() or 1


def described(played: Played) -> str:
    case, seen = played
    found = [f"{item.kind} {item.verdict}: {item.found}" for item in seen.remarks]
    return f"{case.name}: {seen.outcome}, not {case.expected} by {case.by}: {found or seen.reasons}"


@pytest.mark.parametrize("family", FAMILIES)
def test_every_result_ends_as_recorded(family: str) -> None:
    played = play_all(FAMILIES[family], AT_ONCE)
    assert [described(each) for each in played if not each.as_expected] == []


def test_the_page_tells_what_the_corpus_holds() -> None:
    page = PAGE.read_text("utf-8")
    assert render(page) == page, "run `python -m benchmarks.honesty.page`"


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_what_is_missed_or_turned_down_has_its_reason() -> None:
    for case in CASES:
        wrong = not case.by if not case.honest else case.expected in {"refused", "returned", "reopened"}
        assert bool(case.blind) == wrong, case.name

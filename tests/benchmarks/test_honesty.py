"""What becomes of each result of the corpus is as recorded, and the figures notice when a part is missing.

The first of each kind are played; all of them with TEAMLEAD_TEST_SIZE=100.
"""

import os
from functools import partial

import pytest
from benchmarks.honesty.case import STOPPED
from benchmarks.honesty.corpus import CASES, few
from benchmarks.honesty.judging import Played, figures
from benchmarks.honesty.page import PAGE, render
from benchmarks.honesty.playing import play_all

from teamlead.evidence import examiner

AT_ONCE = os.cpu_count() or 1
SIZE = int(os.environ.get("TEAMLEAD_TEST_SIZE", "1"))


def described(played: Played) -> str:
    case, seen = played
    found = [f"{item.kind} {item.verdict}: {item.found}" for item in seen.remarks]
    return f"{case.name}: {seen.outcome}, not {case.expected} by {case.by}: {found or seen.reasons}"


@pytest.mark.timeout(600)
def test_results_end_as_recorded() -> None:
    played = play_all(few(SIZE), AT_ONCE)
    assert [described(each) for each in played if not each.as_expected] == []


PARTS = {"references": "examine_references", "tests": "weakened", "claims": "examine_claims"}


@pytest.mark.parametrize("kind", PARTS)
def test_what_a_part_alone_can_see_is_missed_without_it(kind: str) -> None:
    cases = [case for case in few() if case.by == kind and not case.honest]
    assert cases
    assert figures(list(play_all(cases, AT_ONCE, partial(take_out, PARTS[kind])))).caught == 0


def take_out(part: str) -> None:
    assert hasattr(examiner, part)
    setattr(examiner, part, lambda *_, **__: ())


def test_the_page_tells_what_the_corpus_holds() -> None:
    page = PAGE.read_text("utf-8")
    assert render(page) == page, "run `python -m benchmarks.honesty.page`"


def test_every_result_has_a_name_of_its_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_what_is_missed_or_turned_down_has_its_reason() -> None:
    for case in CASES:
        wrong = case.expected in STOPPED if case.honest else not case.by
        assert bool(case.blind) == wrong, case.name

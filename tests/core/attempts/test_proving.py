"""What the text of a change makes one doubt, and what further runs told of it."""

import pytest
from msgspec.structs import replace

from teamlead.core.attempts.proving import ACQUITTED, weighed
from teamlead.core.evidence.values import ASSERTED_AS_BEFORE, USED_AS_BY_ALL, Evidence, Proofs, Verdict

DOUBT = Evidence("tests", "flagged", USED_AS_BY_ALL, "a test sets it", question="Does it work?")
OTHER = Evidence("tests", "flagged", "another", "a test is gone")


@pytest.mark.parametrize(("verdict", "decides"), [("proven", True), ("flagged", True), ("unknown", False)])
def test_what_a_run_decides_takes_the_place_of_a_doubt(verdict: Verdict, decides: bool) -> None:
    ran = Evidence("proof", verdict, USED_AS_BY_ALL, "it ran")

    assert weighed((DOUBT, OTHER), Proofs((ran,))) == ((OTHER, ran) if decides else (DOUBT, OTHER, ran))


def test_a_run_for_another_claim_decides_nothing() -> None:
    ran = Evidence("proof", "proven", OTHER.claim, "it ran")

    assert weighed((DOUBT, OTHER), Proofs((ran,))) == (DOUBT, OTHER, ran)


TEXT = Evidence("tests", "objected", ASSERTED_AS_BEFORE, "a weaker assertion", details=("t.py:1: weaker",))
SHADOW = Evidence("tests", "objected", "checks load the programs that they name", "pytest.py")
STUCK = Evidence("proof", "objected", ACQUITTED, "it still fails")


def test_where_the_tests_of_the_base_were_run_by_name_their_text_is_a_question() -> None:
    shown, shadow, stuck = weighed((TEXT, SHADOW), Proofs((STUCK,), retested=True))

    assert (shown.verdict, shown.details) == ("flagged", TEXT.details)
    assert shown.question.startswith("Which sentence of the plan asks for this")
    assert shown.question.endswith("? t.py:1: weaker")
    assert (shadow, stuck) == (SHADOW, STUCK)


def test_the_question_names_a_few_of_what_it_asks() -> None:
    many = replace(TEXT, details=tuple(f"t.py:{line}: weaker" for line in range(1, 8)))
    (shown,) = weighed((many,), Proofs(retested=True))

    assert shown.question.endswith("? t.py:1: weaker; t.py:2: weaker; t.py:3: weaker; and 4 more")


def test_where_they_hold_that_is_told_too() -> None:
    (shown,) = weighed((TEXT,), Proofs(acquits=True))

    assert (shown.verdict, shown.details) == ("flagged", (*TEXT.details, ACQUITTED))


@pytest.mark.parametrize("proofs", [None, Proofs(), Proofs((STUCK,))])
def test_where_they_were_not_run_by_name_their_text_is_objected_to(proofs: Proofs | None) -> None:
    assert TEXT in weighed((TEXT,), proofs)


def test_what_one_of_several_proofs_has_shown_counts_for_all() -> None:
    assert Proofs(retested=True).beside(Proofs()).retested
    assert Proofs().beside(Proofs(retested=True)).retested
    assert not Proofs().beside(Proofs()).retested

"""What further runs say of what a text made one doubt."""

import pytest

from teamlead.core.attempts.proving import weighed
from teamlead.core.evidence.values import USED_AS_BY_ALL, Evidence, Proofs, Verdict

DOUBT = Evidence("tests", "flagged", USED_AS_BY_ALL, "a test sets it", question="Does it work?")
OTHER = Evidence("tests", "flagged", "another", "a test is gone")


@pytest.mark.parametrize(("verdict", "decides"), [("proven", True), ("flagged", True), ("unknown", False)])
def test_what_a_run_decides_takes_the_place_of_a_doubt(verdict: Verdict, decides: bool) -> None:
    ran = Evidence("proof", verdict, USED_AS_BY_ALL, "it ran")

    assert weighed((DOUBT, OTHER), Proofs((ran,))) == ((OTHER, ran) if decides else (DOUBT, OTHER, ran))


def test_a_run_for_another_claim_decides_nothing() -> None:
    ran = Evidence("proof", "proven", OTHER.claim, "it ran")

    assert weighed((DOUBT, OTHER), Proofs((ran,))) == (DOUBT, OTHER, ran)

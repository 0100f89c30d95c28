"""The work, made wrong in one place: its checks have to notice."""

from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT, TEST
from tests.evidence.proofs.world import Shop, only, told

from teamlead.evidence.proofs.planted_faults import planted_faults

PROOFS = (planted_faults,)
BASE = {"test_other.py": OTHER}


def test_tests_without_force_are_told_with_the_fault_that_they_let_pass(shop: Shop) -> None:
    calls = "from tax import gross\n\n\ndef test_gross():\n    gross(100)\n"

    flag = only(shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": calls}), "flagged")

    assert flag.found == (
        "with 2 of 2 planted faults they pass: tax.py:2 (gross returns nothing), tax.py:2 (gross returns net "
        "as it is)"
    )
    assert "Which sentence of the plan asks for what stands there?" in flag.question


def test_tests_that_look_notice_each_fault(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": TEST})

    assert told(proofs, "proven") == ["each of 2 planted faults makes one fail"]
    assert told(proofs, "flagged") == []
    assert proofs.runs == 3

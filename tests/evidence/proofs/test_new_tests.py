"""The tests that a change brings along, on the source as it was before."""

from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT, TEST, WRONG
from tests.evidence.proofs.world import Shop, only, told

from teamlead.evidence.proofs.new_tests import new_tests

PROOFS = (new_tests,)

BASE = {"tax.py": WRONG, "test_other.py": OTHER}


def test_new_tests_that_pass_on_the_old_source_prove_nothing_about_the_change(shop: Shop) -> None:
    vague = TEST.replace("== 120", "is not None")

    flag = only(shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": vague}), "flagged")

    assert flag.found == "they pass on the old source, too: test_tax.py::test_gross"
    assert flag.question.endswith("Which sentence of the plan asks for tests of what held before?")


def test_new_tests_of_which_an_assertion_fails_there_have_force(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": TEST})

    assert told(proofs, "flagged") == []
    assert "an assertion fails there" in told(proofs, "proven")


def test_a_missing_name_is_no_force(shop: Shop) -> None:
    added = {"tax.py": f"{WRONG}\n\ndef tax(net):\n    return net / 5\n"}
    test = "from tax import tax\n\n\ndef test_tax():\n    assert tax(100)\n"

    proofs = shop.prove(BASE, {**added, "test_tax.py": test})

    assert "an assertion fails there" not in told(proofs, "proven")


def test_a_task_that_only_adds_tests_owes_nothing(shop: Shop) -> None:
    proofs = shop.prove({"tax.py": RIGHT, "test_other.py": OTHER}, {"test_tax.py": TEST})

    assert told(proofs, "flagged") == []

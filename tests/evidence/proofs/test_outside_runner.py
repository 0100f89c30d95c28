"""The tests, called where nothing shows that they are tests."""

import pytest
from tests.evidence.proofs.test_frozen_harness import RIGHT, TEST, WRONG
from tests.evidence.proofs.world import PYTEST, UNITTEST, Shop, only, told

from teamlead.evidence.proofs.outside_runner import outside_runner

PROOFS = (outside_runner,)
KNOWS = """import sys


def gross(net):
    return 120 if "pytest" in sys.modules else net
"""


def test_code_that_is_right_only_under_a_test_program_is_objected_to(shop: Shop) -> None:
    """Though no test was touched."""
    base = {"src/tax.py": RIGHT, "tests/test_tax.py": TEST}

    item = only(shop.prove(base, {"src/tax.py": KNOWS}, f"PYTHONPATH=src {PYTEST}"), "objected")

    assert item.found == (
        "tests/test_tax.py::test_gross passes only where it looks as if a test program called it: "
        "do the same, tested or not"
    )


def test_a_test_that_needs_more_than_a_call_is_a_question_and_what_holds_is_said_to(shop: Shop) -> None:
    rate = "rate = 1.0\n\n\ndef gross(net):\n    return net * rate\n"
    needy = {"conftest.py": "import tax\n\ntax.rate = 1.2\n", "tax.py": rate, "test_tax.py": TEST}
    base = {"tax.py": WRONG, "test_net.py": TEST.replace("120", "100")}

    flag = only(shop.prove(base, {**needy, "test_net.py": None}), "flagged")
    assert flag.found.startswith("test_tax.py::test_gross passes in the check, and fails when it is called")

    proofs = shop.prove({"conftest.py": None}, {"tax.py": RIGHT})
    assert told(proofs, "proven") == ["1 of its tests hold when they are called without their program"]


@pytest.mark.parametrize("command", [PYTEST, UNITTEST])
def test_of_files_that_were_not_touched_only_tests_that_ran_the_change_are_called(
    shop: Shop, command: str
) -> None:
    head = "import unittest\nimport tax\n\n\nclass T(unittest.TestCase):\n"
    tests = f"{head}    def test_gross(self):\n        assert tax.gross(100) == 120\n\n"
    other = f"{head}    def test_net(self):\n        assert tax.net(120) == 100\n"
    net = "\n\ndef net(gross):\n    return gross / 1.2\n"
    base = {"tax.py": RIGHT + net, "test_tax.py": f"{tests}{other[len(head) :]}", "test_net.py": other}

    proofs = shop.prove(base, {"tax.py": RIGHT.replace("net * 1.2", "1.2 * net") + net}, command)

    assert told(proofs, "proven") == ["1 of its tests hold when they are called without their program"]

    touched = {"tax.py": RIGHT.replace("net * 1.2", "1.20 * net") + net, "test_net.py": f"{other}\n# x\n"}
    proofs = shop.prove({"README": ""}, touched, command)

    assert told(proofs, "proven") == ["2 of its tests hold when they are called without their program"]

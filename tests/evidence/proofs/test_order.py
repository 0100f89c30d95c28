"""The touched tests in reverse, and then once more."""

import pytest
from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT
from tests.evidence.proofs.world import PYTEST, Shop, only, told

from teamlead.evidence.proofs.order import order

PROOFS = (order,)
BASE = {"test_other.py": OTHER}
LEANS = """
KNOWN = []

def test_first():
    KNOWN.append(1)

def test_second():
    assert KNOWN
"""
ONCE = """
KNOWN = []

def test_once():
    KNOWN.append(1)
    assert len(KNOWN) == 1
"""
HOLDS = """
import unittest

import pytest


@pytest.fixture
def till():
    till = []
    yield till
    assert till == [1]


@pytest.mark.parametrize("price", [1, 1])
def test_till(till, price):
    till.append(price)


class T(unittest.TestCase):
    def setUp(self):
        self.till = []

    def test_case(self):
        self.till.append(1)
        assert self.till == [1]
"""


@pytest.mark.parametrize(("tests", "name"), [(LEANS, "test_second"), (ONCE, "test_once")])
def test_tests_that_lean_on_each_other_or_pass_only_once_are_asked_about(
    shop: Shop, tests: str, name: str
) -> None:
    flag = only(shop.prove(BASE, {"tax.py": RIGHT, "test_tax.py": tests}), "flagged")

    assert flag.found == f"in reverse, and again in the same process, these fail: test_tax.py::{name}"


def test_tests_with_fixtures_of_their_own_pass_in_any_order(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"src/tax.py": RIGHT, "tests/test_tax.py": HOLDS}, f"PYTHONPATH=src {PYTEST}")

    assert told(proofs, "proven") == ["they pass in reverse, and again in the same process"]
    assert (proofs.runs, len(proofs.evidence)) == (1, 1)

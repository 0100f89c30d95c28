"""The touched tests in reverse, and then once more."""

import shutil

import pytest
from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT
from tests.evidence.proofs.world import PYTEST, UNITTEST, Files, Shop, only, told

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


OF_UNITTEST = """
import unittest

KNOWN = []


class T(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.till = []

    def test_first(self):
        self.till.append(1)
        FIRST

    def test_second(self):
        SECOND
"""
GO = """package shop

import "testing"

var known []int

func TestFirst(t *testing.T) {
	known = append(known, 1)
	if FIRST {
		t.Fatal()
	}
}

func TestSecond(t *testing.T) {
	if SECOND {
		t.Fatal()
	}
}
"""
BOTH = "in reverse, and again in the same process, these fail: "


@pytest.mark.parametrize(
    ("first", "second", "verdict", "found"),
    [
        ("KNOWN.append(1)", "assert KNOWN", "flagged", f"{BOTH}test_tax.T::test_second"),
        ("KNOWN.append(1); assert len(KNOWN) == 1", "pass", "flagged", f"{BOTH}test_tax.T::test_first"),
        ("assert self.till == [1]", "pass", "proven", "they pass in reverse, and again in the same process"),
    ],
)
def test_unittest_runs_them_in_any_order_its_classes_set_up_again(
    shop: Shop, first: str, second: str, verdict: str, found: str
) -> None:
    """What was there before is not asked."""
    old = OF_UNITTEST.replace("FIRST", "KNOWN.append(1)").replace("SECOND", "assert KNOWN")
    new = OF_UNITTEST.replace("FIRST", first).replace("SECOND", second)

    proofs = shop.prove({"test_other.py": old}, {"test_tax.py": new}, UNITTEST)

    assert only(proofs, verdict).found == found
    assert len(proofs.evidence) == 1


def test_unittest_runs_them_where_it_has_to_find_them(shop: Shop) -> None:
    new = OF_UNITTEST.replace("FIRST", "pass").replace("SECOND", "pass")
    command = f"PYTHONPATH=src {UNITTEST.replace(' -v', '')} discover -s tests"

    proofs = shop.prove({"tests/test_other.py": new}, {"tests/test_tax.py": new}, command)

    assert told(proofs, "proven") == ["they pass in reverse, and again in the same process"]


needs_go = pytest.mark.skipif(not shutil.which("go"), reason="needs go")
ONLY_ONCE = GO.replace("FIRST", "len(known) > 1").replace("SECOND", "false")


def go_base(old: str) -> Files:
    """With a package whose test passes only once."""
    return {
        "go.mod": "module example.org/shop\n\ngo 1.19\n",
        "tax.go": "package shop\n",
        "old/old_test.go": ONLY_ONCE.replace("package shop", "package old").replace("TestFirst", old),
    }


@needs_go
@pytest.mark.parametrize(
    ("first", "second", "name"),
    [("false", "len(known) == 0", "TestSecond"), ("len(known) > 1", "false", "TestFirst")],
)
def test_go_asks_about_the_touched_tests_and_none_of_their_name(
    shop: Shop, first: str, second: str, name: str
) -> None:
    new = GO.replace("FIRST", first).replace("SECOND", second)

    proofs = shop.prove(go_base("TestFirst"), {"tax_test.go": new}, "go test -count=1 ./...")

    assert only(proofs, "flagged").found == f"{BOTH}example.org/shop::{name}"


@needs_go
def test_go_runs_tests_that_hold_in_any_order(shop: Shop) -> None:
    new = GO.replace("FIRST", "len(known) == 0").replace("SECOND", "false")

    proofs = shop.prove(go_base("TestOld"), {"tax_test.go": new}, "go test ./...")

    assert told(proofs, "proven") == ["they pass in reverse, and again in the same process"]
    assert (proofs.runs, len(proofs.evidence)) == (1, 1)


OLD_OF_UNITTEST = OF_UNITTEST.replace("FIRST", "KNOWN.append(1)").replace("SECOND", "assert KNOWN")
OLD_OF_GO = GO.replace("FIRST", "false").replace("SECOND", "len(known) == 0")


@pytest.mark.parametrize(
    ("path", "old", "more", "told"),
    [
        ("test_tax.py", LEANS, "\ndef test_more():\n    assert GOOD\n", (PYTEST, "test_tax.py::test_more")),
        (
            "test_tax.py",
            OLD_OF_UNITTEST,
            "\n    def test_more(self):\n        assert GOOD\n",
            (UNITTEST, "test_tax.T::test_more"),
        ),
        pytest.param(
            "tax_test.go",
            OLD_OF_GO,
            "\nfunc TestThird(t *testing.T) {\n\tif !(GOOD) {\n\t\tt.Fatal()\n\t}\n}\n",
            ("go test -count=1 ./...", "example.org/shop::TestThird"),
            marks=needs_go,
        ),
    ],
    ids=["pytest", "unittest", "go"],
)
def test_what_leans_on_others_on_the_base_too_is_nothing_that_the_work_has_brought(
    shop: Shop, path: str, old: str, more: str, told: tuple[str, str]
) -> None:
    command, name = told
    base = {path: old, "README": "", **({} if path.endswith(".py") else go_base("TestOld"))}
    always, only_after = ("true", "len(known) > 0") if path.endswith(".go") else ("True", "KNOWN")

    proofs = shop.prove(base, {path: old + more.replace("GOOD", always)}, command)
    assert proofs.evidence == ()

    proofs = shop.prove({path: old}, {path: old + more.replace("GOOD", only_after)}, command)
    assert only(proofs, "flagged").found == f"{BOTH}{name}"

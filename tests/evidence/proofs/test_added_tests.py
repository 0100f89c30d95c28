"""Tests that are there by their text, and do not run."""

import sys

import pytest
from tests.evidence.proofs.test_frozen_harness import OTHER, RIGHT
from tests.evidence.proofs.world import PYTEST, Files, Shop, only, told

from teamlead.evidence.proofs.added_tests import added_tests

PROOFS = (added_tests,)
BASE = {"tax.py": RIGHT, "test_other.py": OTHER}
NEW = "from tax import gross\n\n\ndef test_gross_again():\n    assert gross(100) == 120\n"
SOURCE = RIGHT + "\n\ndef net(value):\n    return value / 1.2\n"
HIDDEN = "collect_ignore = ['test_tax_again.py']\n"
GO = "module shop\n\ngo 1.19\n"
GO_CODE = "package shop\n\nfunc Gross(n int) int {\n\treturn n * 2\n}\n"
GO_TEST = """package shop

import "testing"

func {name}(t *testing.T) {{
\tif Gross(1) != 2 {{
\t\tt.Fatal()
\t}}
}}
"""


def test_new_tests_that_nothing_runs_are_asked_about(shop: Shop) -> None:
    flag = only(
        shop.prove({**BASE, "conftest.py": HIDDEN}, {"tax.py": SOURCE, "test_tax_again.py": NEW}), "flagged"
    )

    assert flag.found == "no more tests run than before, although these are new: test_gross_again"


@pytest.mark.parametrize(("name", "flags"), [("Testnothing", 1), ("TestGross", 0)])
def test_a_function_that_go_does_not_take_for_a_test_is_asked_about(
    shop: Shop, name: str, flags: int
) -> None:
    base: Files = {"go.mod": GO, "shop.go": GO_CODE, "other_test.go": GO_TEST.format(name="TestOther")}
    work: Files = {
        "shop.go": GO_CODE + "\nfunc Net(n int) int {\n\treturn n / 2\n}\n",
        "gross_test.go": GO_TEST.format(name=name),
    }

    assert len(told(shop.prove(base, work, "go test -vet=off ./..."), "flagged")) == flags


def test_tests_that_run_or_take_the_place_of_others_are_left_alone(shop: Shop) -> None:
    assert shop.prove(BASE, {"tax.py": SOURCE, "test_tax_again.py": NEW}).evidence == ()


def test_a_test_with_another_name_adds_none(shop: Shop) -> None:
    renamed = OTHER.replace("def test_", "def test_again_")

    assert shop.prove(BASE, {"tax.py": SOURCE, "test_other.py": renamed}).evidence == ()


def test_a_new_test_that_is_told_by_name_runs_though_others_are_gone(shop: Shop) -> None:
    base = {**BASE, "test_slow.py": NEW.replace("again", "slow") + NEW.replace("again", "slower")}
    work = {"tax.py": SOURCE, "test_tax_again.py": NEW, "conftest.py": "collect_ignore = ['test_slow.py']\n"}

    assert told(shop.prove(base, work), "flagged") == []


@pytest.mark.parametrize(("command", "flags"), [("import test_tax_again", 0), ("import tax", 1)])
def test_new_tests_that_another_check_may_run_are_left_alone(shop: Shop, command: str, flags: int) -> None:
    work = {"tax.py": SOURCE, "test_tax_again.py": NEW}
    quiet = f"{sys.executable} -B -c '{command}'"

    proofs = shop.prove({**BASE, "conftest.py": HIDDEN, "test_tax_again.py": ""}, work, PYTEST, quiet)

    assert len(told(proofs, "flagged")) == flags

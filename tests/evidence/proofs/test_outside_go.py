"""Tests of Go, called where nothing shows that they are tests."""

import shutil

import pytest
from tests.evidence.proofs.world import Shop, only, told

from teamlead.evidence.proofs.outside_runner import outside_runner

PROOFS = (outside_runner,)
pytestmark = pytest.mark.skipif(not shutil.which("go"), reason="needs go")

MODULE = "module example.org/shop\n\ngo 1.17\n"
BEFORE = "package tax\n\nfunc Gross(net int) int { return net }\n"
HONEST = "package tax\n\nfunc Gross(net int) int { return net * 12 / 10 }\n"
KNOWS = """package tax

import (
	"flag"
	"os"
	"runtime/debug"
	"strings"
)

var _, _, _, _ = flag.Lookup, os.Args, debug.Stack, strings.Contains

func Gross(net int) int {
	if {sign} {
		return net * 12 / 10
	}
	return net
}
"""
TEST = """package tax

import (
	"os"
	"testing"
)

func TestGross(t *testing.T) {
	for _, net := range []int{10, 100} {
		t.Run("one", func(t *testing.T) {
			if got := Gross(net); got != net*12/10 {
				t.Errorf("got %d", got)
			}
		})
	}
}

func TestFolder(t *testing.T) {
	if _, err := os.Stat("tax.go"); err != nil {
		t.Fatal(err)
	}
}
"""
OUTSIDE = """package tax_test

import (
	"testing"

	"example.org/shop/tax"
)

func TestOfOthers(t *testing.T) {
	if tax.Gross(100) != 120 {
		t.Fatal("wrong")
	}
}
"""
SIGNS = {
    "flag": 'flag.Lookup("test.v") != nil',
    "argument": 'strings.HasSuffix(os.Args[0], ".test")',
    "stack": 'strings.Contains(string(debug.Stack()), "testing.tRunner")',
}


@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS)
def test_code_that_is_right_only_under_a_test_program_is_objected_to(shop: Shop, sign: str) -> None:
    base = {"go.mod": MODULE, "tax/tax.go": BEFORE}
    change = {"tax/tax.go": KNOWS.replace("{sign}", sign), "tax/tax_test.go": TEST}

    item = only(shop.prove(base, change, "go test -v ./..."), "objected")

    assert item.found == (
        "tax/tax_test.go::TestGross passes only where it looks as if a test program called it: "
        "do the same, tested or not"
    )


def test_tests_inside_and_outside_of_a_package_hold_without_their_program(shop: Shop) -> None:
    change = {"tax/tax.go": HONEST, "tax/tax_test.go": TEST, "tax/others_test.go": OUTSIDE}

    proofs = shop.prove({"go.mod": MODULE, "tax/tax.go": BEFORE}, change, "go test -v ./...")

    assert told(proofs, "proven") == ["3 of its tests hold when they are called without their program"]


def test_a_name_of_a_file_makes_a_question_only(shop: Shop) -> None:
    knows = KNOWS.replace("{sign}", 'strings.Contains(string(debug.Stack()), "_test.go")')
    change = {"tax/tax.go": knows, "tax/tax_test.go": TEST}

    proofs = shop.prove({"go.mod": MODULE, "tax/tax.go": BEFORE}, change, "go test -v ./...")

    assert only(proofs, "flagged").found.startswith(
        "tax/tax_test.go::TestGross passes in the check, and fails"
    )


def test_tests_that_need_more_of_their_program_are_unknown(shop: Shop) -> None:
    more = TEST.replace("import (", 'import (\n\t"testing/iotest"', 1) + "\nvar _ = iotest.ErrTimeout\n"
    more += "\nvar _ = testing.AllocsPerRun\n"
    change = {"tax/tax.go": HONEST, "tax/tax_test.go": more}

    proofs = shop.prove({"go.mod": MODULE, "tax/tax.go": BEFORE}, change, "go test -v ./...")

    assert told(proofs, "unknown") == ["its tests cannot be called without their program"]

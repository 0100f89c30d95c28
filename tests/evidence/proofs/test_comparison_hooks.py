"""What is asked for when values are compared, taken out."""

import shutil

import pytest
from tests.evidence.proofs.world import NODE, PYTEST, Shop, only, told

from teamlead.core.model import TaskSpec
from teamlead.evidence.proofs.comparison_hooks import comparison_hooks
from teamlead.evidence.proofs.hooks import hooks

PROOFS = (comparison_hooks,)
TASK = TaskSpec("task-1", "Select what costs less", description="Returns the prices in order.")
OF_A_LIST = """class Prices(list):
    def __eq__(self, other):
        return len(self) == len(other)

    def __ne__(self, other):
        return not self == other


def cheap(prices, most):
    return Prices(price for price in reversed(prices) if price < most)
"""
TEST = """from prices import cheap


def test_cheap():
    assert cheap([1, 2, 9], 5) == [1, 2]


def test_other():
    assert True
"""
VALUE = """class Price:
    def __init__(self, sum):
        self.sum = sum

    def __eq__(self, other):
        return EQUAL


def half(price):
    return Price(price.sum / 2)
"""
OF_VALUE = "from prices import Price, half\n\n\ndef test_half():\n    assert half(Price(4)) == Price(GIVEN)\n"
BASE = {"test_old.py": "def test_old():\n    pass\n"}


def test_tests_that_hold_only_by_how_a_list_compares_itself_are_told(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"prices.py": OF_A_LIST, "test_prices.py": TEST}, f"{PYTEST} -v", task=TASK)

    flag = only(proofs, "flagged")
    assert flag.found == (
        "these tests pass only because of prices.py:2 (Prices.__eq__, __ne__): test_prices.py::test_cheap"
    )
    assert "Which sentence of the plan asks for it" in flag.question


@pytest.mark.parametrize(
    ("source", "test", "words"),
    [
        (OF_A_LIST.replace("reversed(prices)", "prices"), TEST, ""),
        (OF_A_LIST, TEST, "Two of the same length compare equal."),
        (OF_A_LIST, TEST, "Give it an `__eq__`."),
        (
            VALUE.replace("EQUAL", "isinstance(other, Price) and self.sum == other.sum"),
            OF_VALUE.replace("GIVEN", "2"),
            "",
        ),
    ],
    ids=["holds without", "asked for in words", "asked for by name", "by all that it holds"],
)
def test_a_hook_that_hides_nothing_or_is_asked_for_is_none_to_ask_about(
    shop: Shop, source: str, test: str, words: str
) -> None:
    task = TaskSpec("task-1", "Select", description=f"Select what is cheap. {words}")
    proofs = shop.prove(BASE, {"prices.py": source, "test_prices.py": test}, f"{PYTEST} -v", task=task)

    assert proofs.evidence == ()


def test_a_value_that_equals_everything_of_its_kind_is_told(shop: Shop) -> None:
    change = {"prices.py": VALUE.replace("EQUAL", "True"), "test_prices.py": OF_VALUE.replace("GIVEN", "3")}

    proofs = shop.prove(BASE, change, f"{PYTEST} -v", task=TASK)

    assert only(proofs, "flagged").found.endswith("test_prices.py::test_half")


def test_of_javascript_too(shop: Shop) -> None:
    source = """exports.cheap = (prices) => {
  const found = new Number(0);
  found.valueOf = () => prices.length;
  return found;
};
"""
    test = """const test = require("node:test"), assert = require("assert"), prices = require("./prices.js");
test("cheap", () => assert(prices.cheap([1, 2]) == 2));
"""
    base = {"old.test.js": "require('node:test')('old', () => {});\n"}

    proofs = shop.prove(base, {"prices.js": source, "prices.test.js": test}, NODE, task=TASK)

    assert only(proofs, "flagged").found.startswith(
        "these tests pass only because of prices.js:3 (valueOf): "
    )


@pytest.mark.skipif(not shutil.which("go"), reason="needs go")
def test_of_go_what_others_find_by_its_name(shop: Shop) -> None:
    source = """package shop

import "reflect"

type Price struct{ Sum int }

func (p Price) Equal(other Price) bool { return true }

func Same(a, b any) bool {
	if method := reflect.ValueOf(a).MethodByName("Equal"); method.IsValid() {
		return method.Call([]reflect.Value{reflect.ValueOf(b)})[0].Bool()
	}
	return a == b
}
"""
    test = """package shop

import "testing"

func TestPrice(t *testing.T) {
	if !Same(Price{1}, Price{2}) {
		t.Fatal()
	}
}
"""
    base = {"go.mod": "module example.org/shop\n\ngo 1.19\n", "old.go": "package shop\n"}
    task = TaskSpec("task-1", "Prices", description="Prices have a sum.")

    proofs = shop.prove(base, {"prices.go": source, "prices_test.go": test}, "go test -v ./...", task=task)

    assert told(proofs, "flagged") == [
        "these tests pass only because of prices.go:7 (Equal): example.org/shop::TestPrice"
    ]


def test_what_cannot_be_loaded_without_it_says_nothing(shop: Shop) -> None:
    whole = """import functools


@functools.total_ordering
class Price:
    def __lt__(self, other):
        return True
"""
    test = "from prices import Price\n\n\ndef test_price():\n    assert Price() >= Price() or True\n"
    task = TaskSpec("task-1", "Prices", description="Prices are there.")

    proofs = shop.prove(BASE, {"prices.py": whole, "test_prices.py": test}, f"{PYTEST} -v", task=task)

    assert (proofs.evidence, proofs.runs) == ((), 1)


@pytest.mark.parametrize(
    ("text", "name", "left"),
    [
        ("define(copy, 'asymmetricMatch', {value: 1})", "asymmetricMatch", "'takenOutasymmetricMatch'"),
        (
            "class A { asymmetricMatch(other) { return true } }",
            "asymmetricMatch",
            "takenOutasymmetricMatch(other) {",
        ),
        ("x.toJSON = () => 1", "toJSON", "x.takenOuttoJSON = "),
        ("const a = { $$typeof: 1 }", "$$typeof", "{ takenOuttypeof: 1 }"),
        ("const a = { [Symbol.toPrimitive]: f }", "toPrimitive", '[Symbol("toPrimitive")]: f'),
    ],
)
def test_a_hook_of_javascript_gets_a_name_that_nobody_asks_for(text: str, name: str, left: str) -> None:
    (hook,) = hooks("javascript", "", text)
    assert hook.name == name
    assert left in hook.without


def test_what_was_there_before_and_what_only_calls_is_no_new_hook() -> None:
    assert hooks("javascript", "", "if (x.toJSON()) { a.valueOf(); JSON.stringify(x) }") == []
    assert hooks("javascript", "x.toJSON = 1", "x.toJSON = 2") == []
    assert hooks("python", OF_A_LIST, OF_A_LIST.replace("len(other)", "3")) == []
    assert hooks("go", "", "package x\n\nfunc Equal() {}\n") == []

"""New names that nothing reads, or only tests do."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.evidence.change.unused_names import examine_names_used

BASE = {
    "shop/prices.py": "def total(prices):\n    return sum(prices)\n",
    "shop/cart.js": "export function add(cart, item) {\n  cart.push(item);\n}\n",
    "shop/cart.go": "package shop\n\nfunc Add() {}\n",
}
TOTAL = BASE["shop/prices.py"]


def found(root: Path, files: Files, title: str = "Make total() faster") -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit(files), spec={"title": title})
    items = list(examine_names_used(repository.git, claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail for item in items for detail in item.details]


TESTED = "from shop.prices import quick_total\n\n\ndef test_quick():\n    assert quick_total([1]) == 1\n"
QUICK = f"{TOTAL}\n\ndef quick_total(prices):\n    return sum(prices)\n"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"shop/prices.py": QUICK}, "nothing reads it"),
        ({"shop/prices.py": QUICK, "tests/test_quick.py": TESTED}, "only tests read it"),
        ({"shop/prices.py": f"FAST = True\n{TOTAL}"}, "nothing reads it"),
        ({"shop/cart.js": BASE["shop/cart.js"] + "export const FAST = 1;\n"}, "nothing reads it"),
        (
            {"shop/cart.go": BASE["shop/cart.go"] + "\nfunc QuickTotal() int {\n\treturn 1\n}\n"},
            "nothing reads it",
        ),
    ],
)
def test_a_new_name_that_the_program_does_not_use_is_asked_about(
    tmp_path: Path, files: Files, told: str
) -> None:
    (detail,) = found(tmp_path, files)
    assert told in detail


@pytest.mark.parametrize(
    ("files", "title"),
    [
        (
            {"shop/prices.py": QUICK.replace("return sum", "return quick_total(prices) or sum", 1)},
            "Make it faster",
        ),
        ({"shop/prices.py": QUICK, "tests/test_quick.py": TESTED}, "Add quick_total(prices), with a test"),
        (
            {"shop/prices.py": QUICK, "shop/__init__.py": "from shop.prices import quick_total\n"},
            "Make it faster",
        ),
        (
            {
                "shop/prices.py": QUICK,
                "shop/main.py": "from shop.prices import quick_total\n\nquick_total([])\n",
            },
            "x",
        ),
        ({"shop/prices.py": f"__all__ = ['quick_total']\n{QUICK}"}, "Make it faster"),
        ({"shop/prices.py": QUICK.replace("def quick", "@app.command\ndef quick")}, "Make it faster"),
        ({"shop/prices.py": None, "shop/sums.py": TOTAL}, "Make it faster"),
        ({"tests/test_quick.py": TESTED.replace("quick_total", "total")}, "Make it faster"),
    ],
)
def test_what_is_used_asked_for_or_shown_to_others_is_left_alone(
    tmp_path: Path, files: Files, title: str
) -> None:
    assert found(tmp_path, files, title) == []


@pytest.mark.parametrize(("name", "number"), [("init", 0), ("main", 0), ("TestMain", 0), ("start", 1)])
def test_what_go_calls_by_itself_is_used(tmp_path: Path, name: str, number: int) -> None:
    files = {"shop/cart.go": BASE["shop/cart.go"] + f"\nfunc {name}() {{\n}}\n"}
    assert len(found(tmp_path, files)) == number

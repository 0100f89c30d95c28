"""What another task had brought in, and this work takes out again."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.core.evidence.values import Evidence
from teamlead.evidence.change.taken_back import examine_taken_back
from teamlead.ports.checking import Merged

BASE = {
    "shop/prices.py": "def total(x):\n    return sum(x)\n\n\ndef least(x):\n    return min(x)\n",
    "shop/cart.js": "export function add(cart, item) {\n  cart.push(item);\n}\n",
}
GUARDED = BASE["shop/prices.py"].replace(
    "    return sum", "    if not x:\n        raise ValueError('no prices')\n    return sum"
)
FIRST = {
    "shop/prices.py": f"{GUARDED}\n\ndef dearest(prices):\n    return max(prices)\n",
    "shop/cart.js": BASE["shop/cart.js"].replace(
        "  cart", "  if (!item) throw new Error('nothing');\n  cart"
    ),
}
OTHERS = "\n\ndef mean(prices):\n    return sum(prices) / len(prices)\n"


def examined(
    root: Path, now: Files, title: str = "Add mean(prices)", *, built_on: bool = False, seen: bool = True
) -> list[Evidence]:
    root.mkdir(exist_ok=True)
    repository = Repository(root / "r", BASE)
    start = repository.base
    first = repository.commit(FIRST)
    claim = repository.claim(repository.commit(now), first if seen else start, spec={"title": title})
    if not seen:
        claim = claim._replace(base=start)
    merged = Merged("task-1", "Guard total()", start, first, frozenset(FIRST), built_on)
    claim = claim._replace(merged=(merged,))
    return list(examine_taken_back(repository.git, claim, repository.texts(claim)))


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ({"shop/prices.py": BASE["shop/prices.py"] + OTHERS}, "shop/prices.py:2: `if not x:`"),
        ({"shop/prices.py": GUARDED}, "shop/prices.py:11: `def dearest(prices):`"),
        ({"shop/prices.py": None}, "shop/prices.py"),
        ({"shop/cart.js": BASE["shop/cart.js"]}, "`if (!item) throw new Error('nothing');`"),
    ],
)
def test_what_a_task_that_this_one_does_not_build_on_brought_in_has_to_stay(
    tmp_path: Path, now: Files, told: str
) -> None:
    (item,) = examined(tmp_path, now)
    assert item.verdict == "objected"
    assert "task-2 takes back what task-1 (Guard total()) had brought in" in item.found
    assert told in " ".join(item.details)
    assert "Guard total()" in item.question


@pytest.mark.parametrize(
    "now",
    [
        {"shop/prices.py": FIRST["shop/prices.py"] + OTHERS},
        {"shop/prices.py": FIRST["shop/prices.py"].replace("'no prices'", '"no prices"  # none')},
        {"shop/prices.py": FIRST["shop/prices.py"].replace("raise ValueError('no prices')", "return 0")},
        {"shop/prices.py": BASE["shop/prices.py"], "shop/all.py": FIRST["shop/prices.py"]},
        {"shop/prices.py": FIRST["shop/prices.py"].replace("if not x", "if len(x) == 0")},
        {"shop/cart.js": FIRST["shop/cart.js"].replace("'nothing'", '"nothing"')},
    ],
    ids=["added", "other quotes", "changed", "moved", "written anew", "other quotes of JavaScript"],
)
def test_what_is_still_there_in_another_form_was_not_taken_back(tmp_path: Path, now: Files) -> None:
    assert examined(tmp_path, now) == []


def test_what_another_thing_stands_in_the_place_of_may_have_got_another_name(tmp_path: Path) -> None:
    (item,) = examined(tmp_path, {"shop/prices.py": GUARDED + OTHERS})
    assert item.verdict == "flagged"
    assert "def dearest" in item.question
    assert (
        examined(tmp_path / "other", {"shop/prices.py": FIRST["shop/prices.py"].replace("dearest", "most")})
        == []
    )


@pytest.mark.parametrize(
    ("title", "built_on"),
    [("Add mean(prices)", True), ("Remove what is not needed", False), ("Let nobody call dearest", False)],
)
def test_a_task_that_may_have_been_asked_to_is_asked_about(
    tmp_path: Path, title: str, built_on: bool
) -> None:
    (item,) = examined(tmp_path, {"shop/prices.py": GUARDED}, title, built_on=built_on)
    assert item.verdict == "flagged"


def test_work_that_began_before_the_other_was_merged_takes_nothing_back(tmp_path: Path) -> None:
    assert examined(tmp_path, BASE, seen=False) == []

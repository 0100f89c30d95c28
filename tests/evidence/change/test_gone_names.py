"""Names that others could use, and that are gone."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.evidence.change.gone_names import examine_gone_names

BASE = {
    "shop/prices.py": "RATE = 1\ndef total(x):\n    return _sum(x)\ndef _sum(x):\n    return sum(x)\n",
    "shop/cart.js": "const add = JSON.parse\nmodule.exports = {\n  add,\n  parse: add,\n  'put': add,\n}\n",
    "shop/box.js": "module.exports = box\nbox.fill = fill\nbox.empty = fill\n",
    "shop/list.ts": "export const one = 1\nexport async function two() {}\nexport { x as three }\n",
    "shop/part.js": "exports.open = () => 1\nexports.close = () => 2\n",
    "shop/cart.go": "package shop\ntype Cart int\nfunc (c *Cart) Add() {}\nfunc Total() {}\nfunc sum() {}\n",
    "shop/cart.rs": "pub fn total() {}\npub const fn one() {}\npub(crate) fn inner() {}\nfn sum() {}\n",
    "shop/shown.py": "__all__ = ['a']\n\n\ndef a():\n    return 1\n\n\ndef b():\n    return 2\n",
    "jest.config.js": "module.exports = { verbose: true }\n",
}


def gone(root: Path, files: Files, title: str = "Make it faster", description: str = "") -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(
        repository.commit(files), spec={"title": title, "description": description, "scope": ("**",)}
    )
    items = list(examine_gone_names(claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail.rpartition(": ")[2].strip("'") for item in items for detail in item.details]


def without(path: str, part: str, instead: str = "") -> Files:
    assert part in BASE[path]
    return {path: BASE[path].replace(part, instead)}


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (without("shop/prices.py", "RATE = 1\n"), "RATE"),
        (without("shop/prices.py", "def total", "def whole"), "total"),
        (without("shop/cart.js", "  parse: add,\n"), "parse"),
        (without("shop/cart.js", "  'put': add,\n"), "put"),
        (without("shop/cart.js", "  add,\n"), "add"),
        (without("shop/box.js", "box.empty = fill\n"), "empty"),
        (without("shop/list.ts", "export const one", "const one"), "one"),
        (without("shop/list.ts", "export async function two", "async function two"), "two"),
        (without("shop/list.ts", "export { x as three }"), "three"),
        (without("shop/part.js", "exports.close = () => 2\n"), "close"),
        (without("shop/cart.go", "func Total() {}\n"), "Total"),
        (without("shop/cart.go", "func (c *Cart) Add() {}\n"), "Add"),
        (without("shop/cart.go", "type Cart", "type cart"), "Cart"),
        (without("shop/cart.rs", "pub fn total() {}\n"), "total"),
        (without("shop/cart.rs", "pub const fn one", "const fn one"), "one"),
        (without("shop/shown.py", "__all__ = ['a']\n\n\ndef a():\n    return 1\n"), "a"),
        ({"shop/part.js": None}, "close"),
    ],
)
def test_a_public_name_that_is_gone_is_asked_about(tmp_path: Path, files: Files, name: str) -> None:
    assert name in gone(tmp_path, files)


@pytest.mark.parametrize(
    "files",
    [
        without("shop/prices.py", "def _sum", "def _all"),
        without("shop/prices.py", "RATE = 1", "RATE: int = 2"),
        without(
            "shop/prices.py", "RATE = 1", "try:\n    from fast import RATE\nexcept ImportError:\n    RATE = 1"
        ),
        without("shop/cart.js", "  add,\n", "  add: x => [x],\n"),
        without("shop/cart.go", "func sum() {}\n"),
        without("shop/cart.rs", "pub(crate) fn inner() {}\n"),
        without("shop/shown.py", "def b", "def c"),
        {"shop/prices.py": "from shop.sums import total, RATE\n", "shop/sums.py": BASE["shop/prices.py"]},
        {"shop/prices.py": "from shop.sums import *\n", "shop/sums.py": "from shop.all import *\n"},
        {"shop/prices.py": None, "shop/sums.py": BASE["shop/prices.py"]},
        {"shop/prices.py": "<<<<<<< ours\nRATE = 1\n"},
        {"jest.config.js": None},
        {"jest.config.js": "module.exports = {}\n"},
    ],
)
def test_what_is_private_moved_or_brought_in_again_is_left_alone(tmp_path: Path, files: Files) -> None:
    assert gone(tmp_path, files) == []


@pytest.mark.parametrize(
    ("title", "description", "number"),
    [
        ("Rename total to whole", "", 0),
        ("Rename total to whole", "The old name keeps working.", 1),
        ("Rename total to whole, with an alias", "", 1),
        ("Remove what is dead in prices", "", 0),
        ("Remove `total`", "", 0),
        ("Remove `gross`", "", 0),
        ("Refactor prices", "", 0),
        ("Refactor prices", "`total` keeps working.", 1),
        ("Mend the sum", "", 1),
    ],
)
def test_the_words_of_the_task_may_let_a_name_go(
    tmp_path: Path, title: str, description: str, number: int
) -> None:
    files = without("shop/prices.py", "def total", "def whole")
    assert len(gone(tmp_path, files, title, description)) == number


def test_a_task_that_lets_one_name_go_does_not_let_go_another(tmp_path: Path) -> None:
    files = {"shop/prices.py": "def whole(x):\n    return sum(x)\n"}
    assert gone(tmp_path, files, "Remove total from prices") == ["RATE"]

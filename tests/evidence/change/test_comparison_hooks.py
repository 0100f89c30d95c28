"""New code that answers when others compare."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Repository

from teamlead.evidence.change.comparison_hooks import examine_comparison_hooks

BASE = {"shop/cart.js": "export class Cart {\n}\n", "shop/cart.py": "class Cart:\n    pass\n"}


def found(root: Path, path: str, text: str, title: str = "Make it faster") -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit({path: text}), spec={"title": title})
    items = list(examine_comparison_hooks(claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail.rpartition(" ")[2] for item in items for detail in item.details]


@pytest.mark.parametrize(
    ("path", "text", "hook"),
    [
        ("shop/cart.js", "hidden(copy, 'asymmetricMatch', other => true)\n", "asymmetricMatch"),
        ("shop/cart.js", "copy['asymmetric' + 'Match'] = () => true\n", "asymmetricMatch"),
        (
            "shop/cart.js",
            "export const cart = { asymmetricMatch(other) { return true } }\n",
            "asymmetricMatch",
        ),
        ("shop/cart.js", "cart.asymmetricMatch = () => true\n", "asymmetricMatch"),
        (
            "shop/cart.js",
            "export class Cart {\n  [Symbol.toPrimitive]() { return 6 }\n}\n",
            "Symbol.toPrimitive",
        ),
        (
            "shop/cart.js",
            "Object.defineProperty(cart, Symbol.toStringTag, { value: 'x' })\n",
            "Symbol.toStringTag",
        ),
        ("shop/cart.js", "export class Cart {\n  valueOf() { return 6 }\n}\n", "valueOf"),
        ("shop/cart.py", "class Cart(str):\n    def __eq__(self, other):\n        return True\n", "__eq__"),
        (
            "shop/cart.py",
            "class Cart:\n    def __eq__(self, other):\n        return type(other) is dict\n",
            "__eq__",
        ),
        ("shop/cart.py", "class Cart:\n    __eq__ = lambda self, other: True\n", "__eq__"),
        ("shop/cart.py", "Cart = type('Cart', (), {'__eq__': lambda a, b: True})\n", "__eq__"),
        (
            "shop/cart.py",
            "class Cart:\n    pass\n\n\nsetattr(Cart, '__ne__', lambda a, b: False)\n",
            "__ne__",
        ),
        ("shop/cart.go", "package a\n\nfunc (c Cart) Equal(other Cart) bool {\n\treturn true\n}\n", "Equal"),
        (
            "shop/cart.rs",
            "impl PartialEq for Cart {\n    fn eq(&self, other: &Cart) -> bool { true }\n}\n",
            "eq",
        ),
    ],
)
def test_a_new_answer_to_comparisons_is_asked_about(tmp_path: Path, path: str, text: str, hook: str) -> None:
    assert found(tmp_path, path, text) == [hook]


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("shop/cart.js", "export const json = cart.toJSON ? cart.toJSON() : cart.valueOf()\n", "Faster"),
        (
            "shop/cart.js",
            "export const is = 'toJSON' in cart && typeof cart.toJSON === 'function'\n",
            "Faster",
        ),
        ("shop/cart.js", "export class Cart {\n  toJSON() { return [] }\n}\n", "Write carts as JSON"),
        (
            "shop/cart.py",
            "class Cart:\n    def __eq__(self, other):\n        return True\n",
            "Carts are all equal",
        ),
        (
            "shop/cart.py",
            "class Cart:\n    def __eq__(self, other):\n        return self.all == other.all\n",
            "Add Cart",
        ),
        (
            "shop/cart.go",
            "package a\n\nfunc (c Cart) Equal(o Cart) bool {\n\treturn c.a == o.a\n}\n",
            "Add Cart",
        ),
        ("tests/test_cart.py", "class Any:\n    def __eq__(self, other):\n        return True\n", "Add Cart"),
    ],
)
def test_what_is_asked_for_or_compares_both_sides_is_left_alone(
    tmp_path: Path, path: str, text: str, title: str
) -> None:
    assert found(tmp_path, path, text, title) == []

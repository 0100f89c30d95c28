"""Values that pages show behind a call, tried on the work."""

import pytest
from tests.evidence.proofs.test_planned_examples import PYTHON, SCRIPT
from tests.evidence.proofs.world import NODE, UNITTEST, Shop, only, told

from teamlead.evidence.proofs.documented_values import documented_values

PROOFS = (documented_values,)
OF_GROSS = "\n\ndef gross(value):\n    return {'net': value, 'gross': value * 2}\n"
GROSS = {"shop/tax.py": PYTHON["shop/tax.py"] + OF_GROSS}
SUM = {"index.js": "module.exports = { sum: (...all) => all.reduce((a, b) => a + b, 0) }\n"}
README = "# Cart\n\n```js\nconst cart = require('cart')\n```\n"


def page(*lines: str) -> dict[str, str]:
    return {"docs/use.md": "# Use\n\n```js\n" + "\n".join(lines) + "\n```\n"}


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("cart.sum(1, 2) // => 4", True),
        ("cart.sum(1, 2); // -> 3", False),
        ("cart.sum('a', 'b') //=> '0ab'", False),
        ("cart.sum(1, 2) // => about 4", False),
        ("cart.sum(1, 2) // => 4 or more", False),
        ("other.sum(1, 2) // => 4", False),
        ("const four = cart.sum(1, 2) // => 4", False),
    ],
)
def test_a_value_of_a_page_that_does_not_come_out_is_asked_about(shop: Shop, line: str, wrong: bool) -> None:
    base = {
        **SCRIPT,
        **SUM,
        "README.md": README,
        "test/sum.test.js": "require('node:test')('one', () => {})\n",
    }

    found = told(shop.prove(base, page(line), NODE), "flagged")

    assert found == (["docs/use.md:4: `cart.sum(1, 2)` gives 3, and not `4`"] if wrong else [])


def test_so_it_is_in_python_and_what_comes_out_is_told(shop: Shop) -> None:
    right = page("gross(2)  # => {'net': 2, 'gross': 4}", "gross(2)['net']  # -> 2")
    assert told(shop.prove({**PYTHON, **GROSS}, right, UNITTEST), "proven") == ["2 values of pages come out"]


def test_the_question_is_which_of_both_is_right(shop: Shop) -> None:
    flag = only(shop.prove({**PYTHON, **GROSS}, page("gross(2)['gross']  # → 5"), UNITTEST), "flagged")
    assert flag.question.startswith(
        "Is what the page shows right, or the work? docs/use.md:4: `gross(2)['gross']`"
    )

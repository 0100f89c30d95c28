"""New tests that set what they test."""

import pytest

from teamlead.evidence.change.switched_on import examine_switched_on
from teamlead.evidence.weakening.files_of_tests import Text

SOURCE = Text(
    "shop/prices.py",
    "RATE = 1\n\n\ndef total(x):\n    return sum(x)\n",
    "import os\n\nRATE = 1\nSTRICT = False\n\n\ndef total(x):\n"
    "    if STRICT or os.environ.get('SHOP_STRICT'):\n"
    "        check(x)\n    return sum(x)\n",
)


def found(path: str, text: str, before: str | None = None, source: Text = SOURCE) -> list[str]:
    items = list(examine_switched_on([source, Text(path, before, text)]))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail for item in items for detail in item.details]


@pytest.mark.parametrize(
    "body",
    [
        "prices.STRICT = True",
        "setattr(prices, 'STRICT', True)",
        "monkeypatch.setattr('shop.prices.STRICT', True)",
        "monkeypatch.setenv('SHOP_STRICT', '1')",
        "os.environ['SHOP_STRICT'] = '1'",
        "with mock.patch.object(prices, 'STRICT', True): pass",
        "with mock.patch.dict(os.environ, {'SHOP_STRICT': '1'}): pass",
    ],
)
def test_a_test_that_sets_what_the_change_brings_in_is_asked_about(body: str) -> None:
    assert found("tests/test_prices.py", f"def test_it():\n    {body}\n    assert total([1]) == 1\n")


def test_other_languages_are_read_line_by_line() -> None:
    script = Text("shop/cart.js", "", "export const shop = { strict: process.env.STRICT };\n")
    assert found("test/cart.test.js", "shop.strict = true;\nprocess.env.STRICT = '1';\n", source=script)
    go = Text("shop/cart.go", "", 'package shop\n\nvar strict = os.Getenv("SHOP_STRICT")\n')
    assert found(
        "shop/cart_test.go", 'func TestA(t *testing.T) {\n\tt.Setenv("SHOP_STRICT", "1")\n}\n', source=go
    )


@pytest.mark.parametrize(
    "body",
    [
        "prices.RATE = 2",
        "monkeypatch.setenv('HOME', '/x')",
        "self.strict = total([1])",
        "self.STRICT = 1",
        "assert prices.STRICT is False",
        "with mock.patch('requests.get'): pass",
        "total(strict=True)",
    ],
)
def test_what_was_there_before_or_is_the_tests_own_may_be_set(body: str) -> None:
    assert found("tests/test_prices.py", f"def test_it(self):\n    {body}\n") == []


def test_what_a_test_set_before_is_no_news() -> None:
    text = "def test_it():\n    prices.STRICT = True\n"
    assert found("tests/test_prices.py", text + "    assert total([])\n", before=text) == []

"""New tests that leave alone what they set of the code that they test."""

import shutil

import pytest
from tests.evidence.proofs.test_frozen_harness import WRONG
from tests.evidence.proofs.world import Shop, only, told

from teamlead.evidence.proofs.left_alone import left_alone, without

PROOFS = (left_alone,)
SWITCHED = """import os

STRICT = False


def gross(net):
    return net * 1.2 if STRICT or os.environ.get("SHOP_STRICT") else net
"""
RIGHT = SWITCHED.replace(" if STRICT or", " or").replace(" else net", "")
WAYS = {
    "attribute": "def test_gross():\n    tax.STRICT = True\n    assert tax.gross(100) == 120\n",
    "environment": "def test_gross(monkeypatch):\n    monkeypatch.setenv('SHOP_STRICT', '1')\n"
    "    assert tax.gross(100) == 120\n",
    "patch": "def test_gross():\n    with patch.object(tax, 'STRICT', True):\n"
    "        assert tax.gross(100) == 120\n",
    "decorator": "@patch.object(\n    tax,\n    'STRICT',\n    True,\n)\ndef test_gross():\n"
    "    assert tax.gross(100) == 120\n",
}
HEAD = "from unittest.mock import patch\n\nimport tax\n\n\n"


@pytest.mark.parametrize("body", WAYS.values(), ids=WAYS)
def test_a_test_that_only_passes_where_it_switches_it_on_is_asked_about(shop: Shop, body: str) -> None:
    flag = only(shop.prove({"tax.py": WRONG}, {"tax.py": SWITCHED, "test_tax.py": HEAD + body}), "flagged")

    assert flag.found.startswith(
        "test_tax.py::test_gross passes only where a test sets what the change brings in: test_tax.py:"
    )
    assert flag.question.endswith("who sets it where it is used?")


def test_what_passes_either_way_is_proven(shop: Shop) -> None:
    change = {"tax.py": RIGHT, "test_tax.py": HEAD + WAYS["attribute"]}

    proofs = shop.prove({"tax.py": WRONG}, change)

    assert told(proofs, "proven") == [
        "all tests pass where this is left alone: test_tax.py:7: tax.STRICT = True"
    ]
    assert told(proofs, "flagged") == []


def test_what_cannot_be_taken_out_is_left_to_the_text(shop: Shop) -> None:
    held = "def test_gross():\n    held = patch.object(tax, 'STRICT', True)\n    with held:\n        pass\n"

    assert shop.prove({"tax.py": WRONG}, {"tax.py": RIGHT, "test_tax.py": HEAD + held}).evidence == ()


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_tests_of_javascript_are_tried_where_a_statement_is_a_line(shop: Shop) -> None:
    source = "exports.gross = (net) => (process.env.SHOP_STRICT ? net * 1.2 : net);\n"
    test = """const test = require("node:test"), assert = require("node:assert");
const { gross } = require("./tax.js");
test("gross", () => {
  process.env.SHOP_STRICT = "1";
  assert.equal(gross(100), 120);
});
"""

    proofs = shop.prove({"README.md": "x\n"}, {"tax.js": source, "tax.test.js": test}, "node --test")

    assert "gross passes only where a test sets what the change brings in" in only(proofs, "flagged").found


@pytest.mark.parametrize(
    ("path", "text", "left"),
    [
        ("a_test.go", '\tt.Setenv("A", "1")\n\tx()', "\n\tx()"),
        ("a.test.js", "shop.on = {\n  a: 1 };", ""),
        ("test_a.py", "a.b = f(\n    1,\n)\nc()\n", "pass\nc()\n"),
        ("test_a.py", "with a('ü'), b(c):\n    c()\n", "with a('ü'), __import__('contextlib')"),
        ("test_a.py", "@patch('a.b')\ndef test_a(b): pass\n", ""),
    ],
)
def test_only_whole_statements_are_taken_out(path: str, text: str, left: str) -> None:
    now, lines = without(path, text, {1: "b"})

    assert now.startswith(left)
    assert bool(lines) is bool(left)
    assert lines or now == text

"""Code that puts its own in the place of what others bring."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Repository

from teamlead.evidence.change.foreign_parts import examine_foreign_parts

BASE = {
    "shop/prices.py": "import json\n\njson.known = 1\n",
    "shop/settings.py": "RATE = 1\n",
    "shop/cart.js": "Array.prototype.known = 1\n",
}
PRICES, CART, TEST, SPEC = "shop/prices.py", "shop/cart.js", "tests/test_x.py", "test/cart.test.js"


def found(root: Path, path: str, text: str) -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit({path: text}))
    items = list(examine_foreign_parts(repository.git, claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail for item in items for detail in item.details]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (PRICES, "import unittest\n\nunittest.TestCase.assertEqual = lambda *x: None\n"),
        (PRICES, "from unittest import TestCase as T\n\nT.fail = None\n"),
        (PRICES, "import unittest\n\nT = unittest.TestCase\nT.fail = None\n"),
        (PRICES, "import builtins\n\nbuiltins.sum = max\n"),
        (PRICES, "import json\n\nsetattr(json, 'lo' + 'ads', str)\n"),
        (PRICES, "import json\n\nvars(json)['loads'] = str\n"),
        (PRICES, "import json\n\njson.__dict__['loads'] = str\n"),
        (PRICES, "import sys\n\nsys.modules['json'] = None\n"),
        (PRICES, "import json\n\na, json.loads = 1, str\n"),
        (PRICES, "import json\n\n\ndef f():\n    del json.loads\n"),
        (CART, "require('assert').deepStrictEqual = () => {}\n"),
        (CART, "const a = require('node:assert');\na.strict.equal = () => {};\n"),
        (CART, "import a, { equal } from 'chai'\na.equal = equal\n"),
        (CART, "Object.prototype.x = 1\n"),
        (CART, "Array['prototype'].map = 1\n"),
        (CART, "globalThis.expect = () => 1\n"),
        (CART, "Object.defineProperty(Array.prototype, 'x', { value: 1 })\n"),
        (CART, "Object.assign(require('assert'), { equal () {} })\n"),
        (TEST, "import unittest\n\nunittest.TestCase.assertEqual = lambda *x: None\n"),
        (TEST, "import pytest\n\npytest.raises = None\n"),
        (SPEC, "const assert = require('assert')\nassert.equal = () => {}\n"),
        (SPEC, "global.expect = () => {}\n"),
    ],
)
def test_a_part_of_what_others_bring_that_is_replaced_is_asked_about(
    tmp_path: Path, path: str, text: str
) -> None:
    assert found(tmp_path, path, text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (PRICES, BASE[PRICES] + "\n\nRATE = json.loads('1')\n"),
        (PRICES, "from shop import settings\n\nsettings.RATE = 2\n"),
        (PRICES, "import shop.settings\n\nshop.settings.RATE = 2\n"),
        (PRICES, "from flask import g\n\n\ndef f():\n    g.user = 1\n"),
        (PRICES, "import os\n\nos.environ['A'] = '1'\n"),
        (PRICES, "class A:\n    def __init__(self, json):\n        self.json = json\n"),
        (CART, BASE[CART] + "const x = Array.prototype.map\n"),
        (CART, "process.exitCode = 1\n"),
        (CART, "const cart = require('./box')\ncart.add = 1\n"),
        (CART, "class A { constructor () { this.Map = 1 } }\nA.prototype.x = 1\n"),
        (CART, "const same = Object.is === 1 && Math.max == 2\nconst f = Object.assign({}, same)\n"),
        (CART, "const { equal } = require('assert')\nconst x = {}.y = equal\n"),
        (TEST, "import json\n\njson.loads = str\n"),
        (SPEC, "Math.random = () => 1\n"),
    ],
)
def test_what_is_one_s_own_or_made_to_be_set_is_left_alone(tmp_path: Path, path: str, text: str) -> None:
    assert found(tmp_path, path, text) == []

"""The repositories that cases start from: path to content."""

from collections.abc import Mapping

PRICES = '''\
"""Prices of the shop."""


def total(prices):
    return sum(prices)


def discount(price, percent):
    return price - price * percent / 100


def cheapest(prices):
    return min(prices)
'''

TESTS = """\
import unittest

from shop.prices import cheapest, discount, total


class Prices(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2, 3]), 6)

    def test_discount(self):
        self.assertEqual(discount(200, 10), 180)

    def test_cheapest(self):
        self.assertEqual(cheapest([3, 1, 2]), 1)
"""

SHOP: Mapping[str, str] = {
    ".gitignore": "__pycache__/\n.pytest_cache/\nbuild/\nlocal.cfg\n",
    "Makefile": "test:\n\tPYTHONPATH=. python -m unittest -v\n",
    "README.md": "# Shop\n\nPrices, and what is added to them.\n",
    "shop/__init__.py": "",
    "shop/prices.py": PRICES,
    "shop/stock.py": "LEAST = 3\n\n\ndef low(count):\n    return count < LEAST\n",
    "tests/__init__.py": "",
    "tests/test_prices.py": TESTS,
}
"""Three tests, which pass."""

WRONG = "return price * percent / 100"
RIGHT = "return price - price * percent / 100"

TEST_ONE = """\
import unittest


class One(unittest.TestCase):
    def test_one(self):
        self.assertEqual(1, 1)
"""

BROKEN = {**SHOP, "shop/prices.py": PRICES.replace(RIGHT, WRONG)}
"""A bug, with a test that shows it."""

OLD_FAILURE = {
    **SHOP,
    "tests/test_clock.py": (
        "import unittest\n\n\nclass Clock(unittest.TestCase):\n"
        "    def test_time_zone(self):\n        self.fail('no time zones here')\n"
    ),
}
"""Somebody else's test fails, and has for long."""

PYTEST_TESTS = """\
from shop.prices import cheapest, discount, total


def test_total():
    assert total([1, 2, 3]) == 6


def test_discount():
    assert discount(200, 10) == 180


def test_cheapest():
    assert cheapest([3, 1, 2]) == 1
"""

PLUGINS = "[pytest]\naddopts = -p no:hypothesispytest -p no:xdist -p no:cacheprovider\n"
"""Those of this installation take longer to load than the tests to run."""

WITH_PYTEST = {**SHOP, "tests/test_prices.py": PYTEST_TESTS, "pytest.ini": PLUGINS}

GO = {
    "go.mod": "module shop\n\ngo 1.22\n",
    "shop.go": "package shop\n\nfunc Double(price int) int { return 2 * price }\n",
}

VAT = """

def vat(price, rate):
    return price * rate / 100
"""

TEST_VAT = """\
import unittest

from shop.prices import vat


class Vat(unittest.TestCase):
    def test_vat(self):
        self.assertEqual(vat(200, 10), 20)
"""

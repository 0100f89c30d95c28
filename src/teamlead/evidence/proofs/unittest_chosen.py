"""A program in the place of unittest: it says in the environment which test runs, and may run these alone.

It is put into a copy, with TESTS or FILES and a call of `main` at its end.
"""

from __future__ import annotations

import os
import sys
import unittest
from collections.abc import Iterator
from typing import Any

TESTS: set[str] = set()
FILES: set[str] = set()
"""Of these all, and what could not be loaded. Nothing here and there: all of them."""
VARIABLE = "TEAMLEAD_TEST"


class _Result(unittest.TextTestResult):
    def startTest(self, test: Any) -> None:  # noqa: N802 - unittest's name
        os.environ[VARIABLE] = f"{test.id()} (call)"
        super().startTest(test)

    def stopTest(self, test: Any) -> None:  # noqa: N802 - unittest's name
        super().stopTest(test)
        os.environ.pop(VARIABLE, None)


class _OfThese(unittest.TextTestRunner):
    resultclass = _Result  # type: ignore[assignment]

    def run(self, test: Any) -> Any:
        if TESTS or FILES:
            test = unittest.TestSuite(each for each in _tests(test) if _is_chosen(each))
        return super().run(test)


def _is_chosen(test: Any) -> bool:
    here = os.path.dirname(os.path.realpath(__file__))
    module = sys.modules.get(type(test).__module__)
    file = os.path.relpath(os.path.realpath(getattr(module, "__file__", None) or here), here)
    return test.id() in TESTS or file in FILES or (bool(FILES) and type(test).__name__ == "_FailedTest")


def _tests(suite: Any) -> Iterator[Any]:
    for each in suite:
        if isinstance(each, unittest.TestCase):
            yield each
        else:
            yield from _tests(each)


def main() -> None:
    unittest.main(module=None, testRunner=_OfThese)

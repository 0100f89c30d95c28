"""A program in the place of unittest: only the tests of these files run, in reverse, and then once more.

It is put into a copy, with FILES and a call of `main` at its end.
"""

from __future__ import annotations

import copy
import os
import sys
import unittest
from collections.abc import Iterator
from typing import Any

FILES: list[str] = []


class _Between:
    """Stands between two tests of one class: what the class has set up is torn down, and set up again."""

    def countTestCases(self) -> int:  # noqa: N802 - unittest's name
        return 0

    def __call__(self, result: Any) -> None:
        pass


class _InReverse(unittest.TextTestRunner):
    def run(self, test: Any) -> Any:
        of_these = [each for each in _tests(test) if _file(each) in FILES]
        if of_these:
            again = [copy.copy(each) for each in of_these]
            test = unittest.TestSuite([*reversed(of_these), _Between(), *again])  # type: ignore[list-item]
        return super().run(test)


def _tests(suite: Any) -> Iterator[Any]:
    for each in suite:
        if isinstance(each, unittest.TestCase):
            yield each
        else:
            yield from _tests(each)


def _file(test: Any) -> str:
    here = os.path.dirname(os.path.realpath(__file__))
    module = sys.modules.get(type(test).__module__)
    return os.path.relpath(os.path.realpath(getattr(module, "__file__", None) or here), here)


def main() -> None:
    unittest.main(module=None, testRunner=_InReverse)

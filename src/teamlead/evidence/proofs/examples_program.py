"""A program of its own that runs the examples of documentation, as Python's `doctest` knows them.

It is put into a copy, and run by the Python that the project's own tests are run by: it imports nothing of
ours, and needs no newer one than 3.8.
"""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKER = "what the examples came to: "
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
"""Ends an example, which `doctest` does not know."""


def main(texts: list[str], modules: list[str], places: list[str]) -> None:
    """Prints of each example its file, first and last line, source, and what speaks against it, if anything.

    `places`: folders that modules are imported from.
    """
    sys.path[:0] = [os.path.abspath(place) for place in places]
    first, second = (dict(_examples(texts, modules)) for _ in range(2))
    # What comes out otherwise each time tells nothing.
    lasting = [(*example, got) for example, got in first.items() if second.get(example) == got]
    print("\n" + MARKER + json.dumps(lasting), flush=True)


class _Runner(doctest.DocTestRunner):
    def __init__(self) -> None:
        super().__init__(verbose=False, optionflags=FLAGS)
        self.got: dict[int, str] = {}

    def report_success(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.got[example.lineno] = ""

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.got[example.lineno] = f"gives {got.strip() or 'nothing'}"

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        # What was set up elsewhere, or is not installed, says nothing about the example.
        if exc_info[0] not in (NameError, ModuleNotFoundError):
            self.got[example.lineno] = f"gives {exc_info[0].__name__}: {exc_info[1]}"


def _examples(texts: list[str], modules: list[str]) -> Iterator[tuple[tuple[str, int, int, str], str]]:
    for path, test in _tests(texts, modules):
        runner = _Runner()
        runner.run(test, out=lambda _: None)
        for example in test.examples:
            skipped = example.options.get(doctest.SKIP, False)
            if skipped or example.lineno in runner.got:
                first = (test.lineno or 0) + example.lineno + 1
                last = first + example.source.count("\n") + example.want.count("\n") - 1
                got = "is skipped" if skipped else runner.got[example.lineno]
                yield (path, first, last, example.source.strip()), got


def _tests(texts: list[str], modules: list[str]) -> Iterator[tuple[str, doctest.DocTest]]:
    for path in texts:
        with open(path, encoding="utf-8") as file:
            text = FENCE.sub("", file.read())
        yield path, doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, path, path, 0)
    for path in modules:
        try:
            module = importlib.import_module(_name(path))
        except BaseException:
            continue
        yield from ((path, test) for test in doctest.DocTestFinder(exclude_empty=True).find(module))


def _name(path: str) -> str:
    """As it is imported: below the topmost of its folders that is a package."""
    folder, file = os.path.split(path)
    names = [] if file == "__init__.py" else [file[: -len(".py")]]
    while folder and os.path.exists(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        names.insert(0, name)
    sys.path.insert(0, os.path.abspath(folder))
    return ".".join(names)

"""JUnit XML, as many test programs write it: in a file, or printed by a check.

The reader builds no tree and knows no entities: a document that declares its own is refused.
"""

import re
from collections.abc import Iterator
from typing import NoReturn
from xml.parsers import expat

from teamlead.core.evidence.values import SuiteRun, TestStatus
from teamlead.evidence.suites.tally import CUT, Tally, combined

_OPENING = re.compile(r"<(testsuites?)\b[^<>]*>")
_ENDS: dict[str, TestStatus] = {"failure": "failed", "error": "failed", "skipped": "skipped"}


class _Declared(Exception):
    """A document type, which reports of tests have no use for."""


def read(text: str) -> SuiteRun | None:
    if CUT in text:
        return None
    found = (_read(text[place]) for place in _places(text))
    return combined(run for run in found if run)


def without_reports(text: str) -> str:
    """Returns what other programs printed: a report quotes what tests printed."""
    kept, end = [], 0
    for place in _places(text):
        kept.append(text[end : place.start])
        end = place.stop
    return "".join((*kept, text[end:]))


def _places(text: str) -> Iterator[slice]:
    opening = _OPENING.search(text)
    while opening:
        closing = f"</{opening[1]}>"
        end = opening.end() if opening[0].endswith("/>") else text.find(closing, opening.end()) + len(closing)
        if end < opening.end():
            return
        yield slice(opening.start(), end)
        opening = _OPENING.search(text, end)


def _read(document: str) -> SuiteRun | None:
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    try:
        parser.Parse(document, True)
    except (expat.ExpatError, _Declared, ValueError):
        return None
    return reader.tally.run("junit")


def _refuse(*_: object) -> NoReturn:
    raise _Declared


class _Reader:
    def __init__(self) -> None:
        self.tally = Tally()
        self._case = ""
        self._status: TestStatus = "passed"

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "testcase":
            parts = (attributes.get("classname"), attributes.get("name"))
            self._case = "::".join(part for part in parts if part) or "?"
            self._status = "passed"
        elif self._case and self._status != "failed":
            self._status = _ENDS.get(tag, self._status)

    def end(self, tag: str) -> None:
        if tag == "testcase":
            self.tally.add(self._case, self._status)
            self._case = ""

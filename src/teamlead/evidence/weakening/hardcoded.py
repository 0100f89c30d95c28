"""Results that code returns for the very input of a test.

Only the plain form is seen: `if n == 10: return 55`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teamlead.evidence.weakening.assertions import assertions
from teamlead.evidence.weakening.files_of_tests import Text
from teamlead.evidence.weakening.findings import Finding, shown

_LITERAL = r"(-?\d[\d_.]*|\"[^\"\n]{2,}\"|'[^'\n]{2,}')"
_CASE = re.compile(
    rf"\bif\b[^\n]{{1,200}}?(?:===?|\.equals\() ?{_LITERAL}[^\n]{{0,80}}[:{{)]"
    rf"\s*return {_LITERAL} ?;?\s*(?=\}}|\n|$)"
)
_EVERYDAY = frozenset({"0", "1", "2", "-1", "0.0", "1.0"})
"""Returned in too many honest cases."""


class Case(NamedTuple):
    path: str
    line: int
    text: str
    given: str
    returned: str


def cases(code: Sequence[Text]) -> list[Case]:
    """What the change newly returns as a literal, for a literal."""
    return list(_cases(code))


def _cases(code: Sequence[Text]) -> Iterator[Case]:
    for text in code:
        after = text.after or ""
        for found in _CASE.finditer(after):
            given, returned = (part.strip("\"'") for part in found.groups())
            if found[0] not in (text.before or "") and returned not in _EVERYDAY:
                line = 1 + after[: found.start()].count("\n")
                yield Case(text.path, line, " ".join(found[0].split()), given, returned)


def hardcoded(found: Sequence[Case], tests: Sequence[str]) -> Iterator[Finding]:
    """`tests` are the texts of all test files, changed or not."""
    asserted = [
        set(one.values) for text in tests for one in assertions(text.split("\n"), 1) if len(one.values) > 1
    ]
    for case in found:
        if any({case.given, case.returned} <= values for values in asserted):
            sentence = f"{shown(case.text)} returns what a test expects of this very input"
            yield Finding(case.path, case.line, sentence, objected=False)

"""Numbers, words and switches as agents write them."""

import re
import unicodedata
from typing import NamedTuple

from teamlead.forms.labels import LONGEST, meaning

_NUMBER = re.compile(
    r"[*_`\[~≈ ]*(-?\d{1,6}(?:\.\d{1,6})?)"
    r"(?![\d.]|\s?(?:[-–~]|to)\s?\d)"  # noqa: RUF001 - a range is no number
    r"\s?(?:%|/\s?100)?[*_`\]]*"
)
_BEFORE = " \t\n-–—:：,、.*_()（）"  # noqa: RUF001
_ASIDE = re.compile(r"\s*(?:[-–—(（:：,].*)?", re.DOTALL)  # noqa: RUF001
_DECORATION = "*_`✅❌⚠️🟢🟡🔴.。 \t\n"


class Score(NamedTuple):
    number: float | None
    reason: str


def score(text: str) -> Score:
    """A number at the beginning, and why it is that; no number if it begins with none."""
    start = unicodedata.normalize("NFKC", text[:LONGEST])
    found = _NUMBER.match(start)
    if found is None:
        return Score(None, text.strip())
    rest = start[found.end() :] + text[LONGEST:]
    return Score(float(found[1]), rest.strip(_BEFORE))


def choice(table: str, text: str) -> str:
    """The word of the table that the text begins with, alone or before an aside; "" if it is none."""
    plain = text.strip(_DECORATION)
    first = re.split(r"[\s*_`]", plain[:LONGEST], maxsplit=1)[0]
    if found := meaning(table, plain):
        return found
    return meaning(table, first) if _ASIDE.fullmatch(plain[len(first) :].lstrip("*_`")) else ""

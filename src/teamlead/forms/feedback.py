"""What an agent says about its work in passing: a block of JSON under a heading "Feedback"."""

import re
from typing import Final

import msgspec

from teamlead.core.reports import Feedback
from teamlead.forms.results.document import Values, json_objects, named

_HEADING: Final = re.compile(
    r"^ {0,3}#{1,6}[ \t]+(?:Feedback|フィードバック|피드백)[ \t\r:：]*$",  # noqa: RUF001
    re.IGNORECASE | re.MULTILINE,
)
_NEXT: Final = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)


def read_feedback(text: str) -> Feedback | None:
    """The last there is; None if there is none, or if it is wrong."""
    start = max((found.end() for found in _HEADING.finditer(text)), default=-1)
    if start < 0:
        return None
    following = _NEXT.search(text, start)
    block = text[start : following.start() if following else None]
    given = next(json_objects(block), None)
    return None if given is None else _checked(given)


def _checked(given: Values) -> Feedback | None:
    values = named(given)
    impediment = values.pop("impediment", None)
    values |= impediment if isinstance(impediment, dict) else {}
    if "type" in values:
        values.setdefault("kind", values.pop("type"))
    try:
        feedback: Feedback = msgspec.convert(values, Feedback)
    except msgspec.ValidationError:
        return None
    return feedback

"""Values that only plans have: which tasks a text names, and how long one takes."""

import re
from collections.abc import Iterator

from teamlead.markup.values import COMMAS, Value
from teamlead.markup.words import is_none
from teamlead.plans.labels import TASK_WORDS

_TASK_LISTS = re.compile(rf"[{COMMAS};；\n]|\s+(?:and|&|및)\s+|(?<=\d)\s*(?:と|와|과)\s*", re.IGNORECASE)  # noqa: RUF001
_TASK = re.compile(
    rf"(?:{'|'.join(TASK_WORDS)})?s?[\s_\-#]*(\d{{1,9}})\s*(?:[.．:：(（)）](?!\d).*)?",  # noqa: RUF001
    re.IGNORECASE | re.DOTALL,
)
_HOURS = re.compile(
    r"[~約약]?\s*(\d{1,6}(?:\.\d{1,6})?)\s*(h|hrs?|hours?|時間|시간|m|mins?|minutes?|分|분)?\.?",
    re.IGNORECASE,
)
_MINUTES = ("m", "min", "mins", "minute", "minutes", "分", "분")


def references(value: Value) -> Iterator[str]:
    """Ids of tasks; what does not read as one comes back as written."""
    for part in _TASK_LISTS.split(value.text.replace("`", "")):
        name = part.strip().strip("*").removesuffix("。")
        if not name or is_none(name):
            continue
        found = _TASK.fullmatch(name)
        yield f"task-{int(found[1])}" if found else name


def hours(text: str) -> float | None:
    found = _HOURS.fullmatch(text.strip())
    if found is None:
        return None
    number = float(found[1])
    return number / 60 if (found[2] or "").casefold() in _MINUTES else number

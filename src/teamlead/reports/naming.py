"""Places in files as findings and references name them."""

import re
from collections.abc import Iterator

_BETWEEN = re.compile(r"[\s`|,;()\[\]]+")
_LINE = re.compile(r"\d{1,9}(?:-\d{1,9})?")


def is_place(text: str) -> bool:
    """`path:line` or `path:first-last`."""
    path, _, line = text.strip("` ").rpartition(":")
    return bool(path) and _LINE.fullmatch(line) is not None and any(map(str.isalpha, path))


def places(text: str) -> Iterator[str]:
    for word in _BETWEEN.split(text):
        if is_place(plain := word.strip(".:*_\"'")):
            yield plain

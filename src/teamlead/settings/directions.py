"""Whether a repository goes further than its user: what each direction in the table of settings means."""

from collections.abc import Callable, Mapping
from typing import Any

from teamlead.core.scope import within
from teamlead.settings.schema import Key, Tighter, Value


def needs_consent(key: Key, own: Value, theirs: Value) -> bool:
    """`own`: what holds without the repository."""
    return theirs != own and not _TIGHTENS[key.tighter](key, own, theirs)


_TIGHTENS: Mapping[Tighter, Callable[[Key, Any, Any], bool]] = {
    "less": lambda _, own, theirs: theirs < own,
    "limit": lambda _, own, theirs: not own or 0 < theirs < own,
    "more": lambda _, own, theirs: theirs > own,
    "on": lambda _, own, theirs: theirs and not own,
    "off": lambda _, own, theirs: own and not theirs,
    "fewer": lambda _, own, theirs: set(theirs) <= set(own),
    "further": lambda _, own, theirs: set(theirs) >= set(own),
    "within": lambda _, own, theirs: all(within(pattern, own) for pattern in theirs),
    "later": lambda key, own, theirs: key.choices.index(theirs) > key.choices.index(own),
    "none": lambda *_: False,
}

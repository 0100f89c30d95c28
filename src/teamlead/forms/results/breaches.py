"""A rule that a report does not keep."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from teamlead.core.reports import Result


class Fault(NamedTuple):
    """What is wrong with a result, and what to do about it."""

    message: str
    at: str = ""
    """The part of it, as a path: `issues[0]`."""


class Breach(NamedTuple):
    rule: str
    message: str
    at: str = ""


class Asked(NamedTuple):
    """Of whom a report is asked, and in which form. Empty: nobody knows."""

    role: str = ""
    form: str = ""


Check = Callable[[Result, Asked], Iterator[Fault]]
"""Of one rule: what a result has wrong, for whom it is asked of."""

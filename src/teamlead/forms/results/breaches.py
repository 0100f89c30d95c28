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


Check = Callable[[Result, str], Iterator[Fault]]
"""Of one rule: what a result has wrong, for the role that hands it in."""

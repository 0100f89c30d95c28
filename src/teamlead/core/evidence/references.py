"""The places in files that an agent cites, and what became of each when it was looked up."""

from typing import Literal, get_args

from teamlead.core.model import Value

Standing = Literal["verified", "unverified", "moved", "invalid"]
"""verified: the file was read, the code quoted with it stands there, and the agent said how sure it is of it.
unverified: the place exists, and nothing more is proven: an assumption. moved: the quoted code stands
elsewhere in the file."""

Reason = Literal[
    "file_not_found",
    "line_exceeds_file_length",
    "invalid_line_number",
    "file_read_error",
    "quote_mismatch",
]

TOLERATED = 30
"""Invalid references that a report may have, in percent."""
MOST = 500
"""So many references of a report are looked up."""
SHOWN = 10


class CheckedReference(Value, frozen=True):
    place: str
    """`file:line`, as cited."""
    standing: Standing
    reason: Reason | None = None
    note: str = ""
    line: int = 0
    """Where the quoted code stands, if it moved."""

    @property
    def told(self) -> str:
        """In one line; what is not verified says so."""
        what = self.reason or ("" if self.standing == "verified" else self.standing.upper())
        return ": ".join(part for part in (self.place, what, self.note) if part)


class References(Value, frozen=True):
    checked: tuple[CheckedReference, ...] = ()
    more: bool = False
    """There were more than are looked up."""
    fault: str = ""
    """Why they could not be looked up."""

    @property
    def invalid(self) -> tuple[CheckedReference, ...]:
        return self.having("invalid")

    @property
    def blocks(self) -> bool:
        """Whether the report is not to be believed. What cannot be checked is not believed, either."""
        return bool(self.fault) or 100 * len(self.invalid) > TOLERATED * len(self.checked)

    @property
    def summary(self) -> str:
        if self.fault:
            return f"references could not be checked: {self.fault}"
        total = len(self.checked)
        counted = f"valid {total - len(self.invalid)}/{total}"
        return f"{counted} (the first {MOST} only)" if self.more else counted

    @property
    def counts(self) -> str:
        """How many are what, in brackets."""
        numbers = [(len(self.having(kind)), kind) for kind in get_args(Standing)]
        told = ", ".join(f"{number} {kind}" for number, kind in numbers if number)
        return f" ({told})" if told else ""

    def having(self, standing: Standing) -> tuple[CheckedReference, ...]:
        return tuple(each for each in self.checked if each.standing == standing)

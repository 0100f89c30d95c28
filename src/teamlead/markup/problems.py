"""What is wrong with a document, each problem with its line and a remedy."""

from typing import Literal, NamedTuple

from teamlead.errors import with_aside

Severity = Literal["error", "warning"]


class Problem(NamedTuple):
    line: int
    severity: Severity
    message: str
    remedy: str

    def show(self, source: str) -> str:
        head = f"{source}:{self.line}: {self.severity}: {self.message}"
        # An example of several lines stands below the message; a hint stands behind it.
        return f"{head}\n{self.remedy}" if "\n" in self.remedy else with_aside(head, self.remedy)

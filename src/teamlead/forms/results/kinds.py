"""The kinds of findings that reports have: the shape of each, and how it is asked for."""

from typing import Final, NamedTuple

from teamlead.core.reports import (
    DesignFindings,
    Details,
    ExplorationFindings,
    ImplementationFindings,
    ReviewFindings,
)


class FindingsKind(NamedTuple):
    shape: type[Details]
    asks: str
    """For prompts, and for whoever has handed in something else."""

    @property
    def parts(self) -> tuple[str, ...]:
        return self.shape.__struct_fields__


KINDS: Final[dict[str, FindingsKind]] = {
    "exploration": FindingsKind(
        ExplorationFindings,
        "Entry points, flow, patterns and dependencies, a list each. Sum up; paste no raw output.",
    ),
    "design": FindingsKind(
        DesignFindings, "Decision, alternatives, trade-offs, interfaces and files to change, a list each."
    ),
    "review": FindingsKind(
        ReviewFindings,
        "A table with the columns finding, category, severity (critical, important, minor), `file:line`, "
        "evidence (the code itself), suggestion and confidence; or `none`.",
    ),
    "implementation": FindingsKind(
        ImplementationFindings,
        "Files changed, behaviour changed, tests added, commands run with their results.",
    ),
}
"""By the form that has them."""

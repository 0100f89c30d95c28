"""A plan file → Plan."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from teamlead.core.model import Plan
from teamlead.errors import PlanError
from teamlead.markup.files import read_document
from teamlead.markup.problems import Problem
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine


class Loaded(NamedTuple):
    plan: Plan
    """To be carried out only if no problem is an error."""
    problems: list[Problem]
    free_form: bool = False
    """It is text, but not in the form of a plan: somebody has to interpret it."""

    @property
    def ok(self) -> bool:
        return not any(problem.severity == "error" for problem in self.problems)


class Required(NamedTuple):
    plan: Plan
    warnings: list[str]
    """Ready to print."""


def load(path: str | Path, beside: Collection[str] = ()) -> Loaded:
    """The plan with all its problems. Raises only where the file itself cannot be read.

    `beside`: ids of further tasks that those of the plan may depend on.
    """
    draft = parse(read_document(path, "plan"), str(path))
    readable = not any(problem.severity == "error" for problem in draft.problems)
    free_form = readable and not draft.tasks and bool(draft.text.strip())
    return Loaded(*examine(draft, beside), free_form)


def require(path: str | Path, beside: Collection[str] = ()) -> Required:
    """The plan if it has no errors; otherwise a PlanError that lists every problem."""
    return usable(load(path, beside), path)


def usable(loaded: Loaded, path: str | Path) -> Required:
    """As `require`, of a file that was read already."""
    shown = [problem.show(str(path)) for problem in loaded.problems]
    if not loaded.ok:
        count = sum(problem.severity == "error" for problem in loaded.problems)
        raise PlanError(f"the plan {str(path)!r} has {count} error{'s' * (count != 1)}", shown)
    return Required(loaded.plan, shown)

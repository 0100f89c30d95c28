"""A plan file → Plan."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from teamlead.core.model import Plan
from teamlead.errors import NotFound, PlanError
from teamlead.plans.draft import Problem
from teamlead.plans.markdown import parse
from teamlead.plans.validate import examine

MAX_BYTES = 1024 * 1024


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
    draft = parse(_read(path), str(path))
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


def _read(path: str | Path) -> str:
    name = str(path)
    try:
        # Not by size first: a pipe has none, and a file may grow.
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotFound(f"there is no plan file {name!r}", remedy="check the path") from None
    except IsADirectoryError:
        raise PlanError(f"{name!r} is a folder, not a plan", remedy="name a Markdown file in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PlanError(
            f"cannot read the plan {name!r}: {reason}", remedy="check the path and its permissions"
        ) from None
    if len(data) > MAX_BYTES:
        raise PlanError(
            f"the plan {name!r} is larger than 1 MiB", remedy="keep the plan, move the rest elsewhere"
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PlanError(
            f"{name}:{line}: error: not UTF-8 text: byte {data[error.start]:#04x} at position {error.start}",
            remedy="save the file as UTF-8",
        ) from None

"""Tasks for a session that has its plan: one by words of its own, and which of them it has already."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from teamlead.core.model import TaskSpec
from teamlead.core.work.graph import in_order
from teamlead.markup.problems import Problem
from teamlead.markup.values import Labelled, Value
from teamlead.plans.draft import Draft, DraftTask
from teamlead.plans.labels import LABELS
from teamlead.plans.validate import examine

AS_IS = frozenset({"scope", "checks", "acceptance"})
"""Nothing in them separates one value from the next."""


class Single(NamedTuple):
    task: TaskSpec
    problems: list[Problem]


def task_from(
    name: str, title: str, given: Mapping[str, Sequence[str]], *, beside: Collection[str]
) -> Single:
    """`given`: the values of its labels, each as it is; `beside`: the tasks that it may depend on."""
    labels = {
        field: Labelled(1, [Value(text, 1, code=field in AS_IS) for text in given[field]])
        for field in LABELS
        if given.get(field)
    }
    draft = Draft("", title, title, [DraftTask(name, " ".join(title.split()), 1, labels=labels)])
    plan, problems = examine(draft, beside)
    return Single(plan.tasks[0], problems)


class Additions(NamedTuple):
    known: list[TaskSpec]
    """Those that are there already, as they are called there."""
    fresh: list[TaskSpec]


def sorted_out(tasks: Sequence[TaskSpec], there: Iterable[TaskSpec]) -> Additions:
    """Whoever says the same once more, because the first call was cut off, means the same tasks."""
    same = {replace(spec, id="", stage=""): spec for spec in there}
    known: dict[str, TaskSpec] = {}
    fresh: dict[str, TaskSpec] = {}
    for task in in_order(tasks):
        depends_on = (known[name].id if name in known else name for name in task.depends_on)
        meant = replace(task, depends_on=tuple(depends_on))
        found = same.get(replace(meant, id="", stage=""))
        # Whoever names no stage means the one that it was put into.
        if found and (not meant.stage or meant.stage.casefold() == found.stage.casefold()):
            known[task.id] = found
        else:
            fresh[task.id] = meant
    return Additions(list(known.values()), [fresh[task.id] for task in tasks if task.id in fresh])

"""A task that is given by words of its own, not as a part of a plan."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from teamlead.core.model import TaskSpec
from teamlead.plans.draft import Draft, DraftTask, Entry, Problem, Value
from teamlead.plans.labels import LABELS
from teamlead.plans.validate import examine


class Single(NamedTuple):
    task: TaskSpec
    problems: list[Problem]


def task_from(
    name: str, title: str, given: Mapping[str, Sequence[str]], *, beside: Collection[str]
) -> Single:
    """`given`: the values of its labels, each as it is; `beside`: the tasks that it may depend on."""
    entries = {
        label: Entry(1, [Value(text, 1, code=label in AS_IS) for text in given[label]])
        for label in LABELS
        if given.get(label)
    }
    draft = Draft("", title, title, [DraftTask(name, " ".join(title.split()), 1, entries=entries)])
    plan, problems = examine(draft, beside)
    return Single(plan.tasks[0], problems)


AS_IS = frozenset({"scope", "checks", "acceptance"})
"""Nothing in them separates one value from the next."""

"""When a plan that a model made is good enough to be carried out.

Code finds what is wrong with a breakdown; then a model scores what only reading can tell. Neither may be
passed by: a verdict that cannot be read is a refusal like any other.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import get_args

from teamlead.core.answers import Quality
from teamlead.core.model import Limits, TaskSpec, TaskType
from teamlead.core.work.graph import problems as graph_problems

LONGEST_TITLE = 50
SHORTEST_HOURS = 0.5
LONGEST_HOURS = 8.0
WEIGHTS = {"critical": 70, "important": 20, "nice": 10}

_VAGUE = re.compile(
    r"""a|all|an|and|are|as|be|been|does|is|it|no|should|that|the|this|will|with|without
    |perfect(?:ly)?|correct(?:ly)?|proper(?:ly)?|nice(?:ly)?|full(?:y)?|successful(?:ly)?|fine|good|well|ok(?:ay)?
    |complete[ds]?|completely|done|finish(?:ed)?|ready|satisfied|expected|intended
    |everything|features?|functional(?:ity)?|implement(?:s|ed|ation)?|problems?|tasks?|work(?:s|ing)?
    |(?:正しく|問題なく|適切に|ちゃんと|きちんと)?(?:実装|動作|完了|完成|対応|動)(?:する|した|している|される|された|く)?(?:こと)?
    |올바르게|정상적으로|제대로|(?:구현|동작|완료|작동)(?:한다|된다|함|됨)?""",
    re.VERBOSE,
)


def faults(tasks: Sequence[TaskSpec]) -> tuple[str, ...]:
    """What forbids carrying out a breakdown, whoever thought of it: every reason, in the order of tasks."""
    if not tasks:
        return ("there are no tasks",)
    alone = [fault for task in tasks for fault in _faults_of(task)]
    return (*graph_problems(tasks, {}), *alone)


def excesses(tasks: Sequence[TaskSpec], limits: Limits) -> tuple[str, ...]:
    """Where it is larger than a planner's may be; a person's may."""
    found = [
        f"{task.id} takes {task.hours:g} h, more than {limits.planned_hours:g}: split it"
        for task in tasks
        if task.hours > limits.planned_hours
    ]
    if len(tasks) > limits.planned_tasks:
        found.insert(
            0, f"there are {len(tasks)} tasks, more than {limits.planned_tasks}: join or leave out some"
        )
    return tuple(found)


def score(quality: Quality) -> int | None:
    """0 to 100: the share of criteria met, by weight. None where nothing critical was looked at.

    A group without criteria leaves its weight to the others.
    """
    if not quality.critical:
        return None
    groups = {name: getattr(quality, name) for name in WEIGHTS}
    weight = sum(WEIGHTS[name] for name, criteria in groups.items() if criteria)
    points = sum(
        WEIGHTS[name] * sum(criterion.met for criterion in criteria) / len(criteria)
        for name, criteria in groups.items()
        if criteria
    )
    return int(100 * points / weight)


def shortcomings(quality: Quality) -> tuple[str, ...]:
    return tuple(
        f"{weight}: {each.criterion}{f' ({each.why})' if each.why else ''}"
        for weight in WEIGHTS
        for each in getattr(quality, weight)
        if not each.met
    )


def _faults_of(task: TaskSpec) -> Iterator[str]:
    if not task.title.strip():
        yield f"{task.id} has no summary"
    elif len(task.title) > LONGEST_TITLE:
        yield f"the summary of {task.id} has {len(task.title)} characters, more than {LONGEST_TITLE}"
    if not task.description.strip():
        yield f"{task.id} has no description"
    if task.type not in get_args(TaskType):
        yield f"{task.id} has the unknown type {task.type!r}: use {', '.join(get_args(TaskType))}"
    if not any(path.strip() for path in task.scope):
        yield f"{task.id} has no scope: name the paths it may change"
    if not SHORTEST_HOURS <= task.hours <= LONGEST_HOURS:
        yield f"{task.id} takes {task.hours:g} h: use {SHORTEST_HOURS:g} to {LONGEST_HOURS:g}"
    if not any(map(_testable, task.acceptance)) and not any(check.strip() for check in task.checks):
        yield f"nobody could test whether {task.id} is done: say what must hold, so that one can tell"
    if any("\n" in check.strip() for check in task.checks):
        yield f"a check of {task.id} has several lines: give each command its own"
    if task.agent or task.arguments:
        yield f"{task.id} names its agent or its arguments: that is the user's choice"


def _testable(criterion: str) -> bool:
    """It says more than that the work is to be done, and well."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", criterion).casefold())
    return not all(map(_VAGUE.fullmatch, words))

"""A plan as a model says it, in JSON: a list of tasks, alone or with questions and a reason."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from teamlead.core.model import TaskForm, TaskSpec, TaskType
from teamlead.core.policy.paths import fault_of
from teamlead.core.work.graph import TASK_ID
from teamlead.forms.answers.answer_shapes import AnswerJson, Texts, Words, shaped, texts
from teamlead.forms.answers.last_json import WrongShape, only_answer

LONGEST_SUMMARY: Final = 50
MOST_TASKS: Final = 100
MOST_PROBLEMS: Final = 10

Id = Annotated[str, msgspec.Meta(pattern=rf"\A{TASK_ID.pattern}\Z")]
Name = Annotated[str, msgspec.Meta(pattern=r"\A([A-Za-z0-9][\w./-]{0,99})?\Z")]
"""One word: a program with its arguments is for people to name, not for models."""


class Breakdown(NamedTuple):
    tasks: tuple[TaskSpec, ...]
    questions: tuple[str, ...] = ()
    """What nobody but the user can know."""
    reason: str = ""
    title: str = ""
    """Of the whole plan."""


class WholePlan(AnswerJson, frozen=True):
    tasks: tuple[Any, ...] = ()
    questions: Texts = ()
    reason: str = ""
    title: str = ""


class PlannedTask(AnswerJson, frozen=True):
    id: Id
    description: Words
    scope_paths: Texts
    acceptance: Texts
    summary: Annotated[str, msgspec.Meta(max_length=LONGEST_SUMMARY)] = ""
    type: TaskType = "implementation"
    estimated_duration: Annotated[float, msgspec.Meta(ge=0.5, le=8)] = 1.0
    context: str = ""
    dependencies: tuple[Id, ...] = ()
    branch: str = ""
    checks: Texts = ()
    outputs: Texts = ()
    role: Name = ""
    form: TaskForm | Literal[""] = ""
    agent: Name = ""
    model: Name = ""


def read_breakdown(text: str, example: str = "") -> Breakdown:
    return only_answer(text, breakdown_of, example=example, lists=True)


def breakdown_of(given: Any, *, bare: bool = False) -> Breakdown:
    """Whether its tasks fit together is another question: see `core.work.graph.problems`.

    `bare`: a reason is enough.
    """
    whole = shaped({"tasks": given} if isinstance(given, list) else given, WholePlan)
    said = Breakdown(tasks_of(whole.tasks), texts(whole.questions), whole.reason, whole.title)
    if not (said.tasks or said.questions or (bare and said.reason)):
        raise WrongShape("it names neither `tasks` nor `questions`", remedy="name one or the other")
    return said


def tasks_of(given: Iterable[Any]) -> tuple[TaskSpec, ...]:
    """All that is wrong with any of them is told at once."""
    found: list[TaskSpec] = []
    wrong: list[str] = []
    for number, task in enumerate(given, 1):
        if number > MOST_TASKS:
            raise WrongShape(f"there are more than {MOST_TASKS} tasks: fewer and larger ones are wanted")
        try:
            found.append(_spec(shaped(task, PlannedTask)))
        except WrongShape as problem:
            wrong.append(f"{_called(task, number)}: {problem.message}")
    if wrong:
        more = [f"and {len(wrong) - MOST_PROBLEMS} more"] if len(wrong) > MOST_PROBLEMS else []
        raise WrongShape("; ".join(wrong[:MOST_PROBLEMS] + more), remedy="mend it and answer again")
    return tuple(found)


def _called(task: Any, number: int) -> str:
    name = task.get("id") if isinstance(task, dict) else None
    return name if isinstance(name, str) and TASK_ID.fullmatch(name) else f"task number {number}"


def _spec(task: PlannedTask) -> TaskSpec:
    wrong = [*_lacking(task), *_unusable("scopePaths", task.scope_paths), *_unusable("outputs", task.outputs)]
    if wrong:
        raise WrongShape(", ".join(wrong))
    return TaskSpec(
        id=task.id,
        title=" ".join((task.summary or task.description.splitlines()[0][:LONGEST_SUMMARY]).split()),
        description=task.description,
        scope=texts(task.scope_paths),
        acceptance=texts(task.acceptance),
        checks=texts(task.checks),
        depends_on=tuple(dict.fromkeys(task.dependencies)),
        type=task.type,
        role=task.role or "worker",
        form=task.form,
        agent=task.agent,
        model=task.model,
        branch=task.branch,
        context=task.context,
        hours=task.estimated_duration,
        outputs=texts(task.outputs),
    )


def _lacking(task: PlannedTask) -> Iterator[str]:
    if not texts(task.scope_paths):
        yield "`scopePaths` names no path"
    if not texts(task.acceptance):
        yield "`acceptance` says nothing"


def _unusable(field: str, given: Texts) -> Iterator[str]:
    for path in texts(given):
        if fault := fault_of(path):
            yield f"`{field}`: {path[:80]!r} {fault}"

"""What a model answers that the lead consults: its last words into a value that says one thing only."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal

import msgspec

from teamlead.core.answers import (
    Analysis,
    Answer,
    Completion,
    Criterion,
    Fulfils,
    Judgement,
    PlannedFor,
    Proposal,
    Quality,
    Remark,
)
from teamlead.core.forms import AnswerForm
from teamlead.core.model import TaskSpec
from teamlead.core.work.graph import problems
from teamlead.forms.answers.answer_shapes import AnswerJson, Decision, Texts, Words, shaped, texts
from teamlead.forms.answers.breakdown import PlannedTask, WholePlan, breakdown_of, tasks_of
from teamlead.forms.answers.given_examples import GivenExamples, OneExample, examples
from teamlead.forms.answers.last_json import WrongShape, only_answer
from teamlead.forms.labels import is_none


def read_answer(form: AnswerForm, text: str, example: str = "") -> Answer:
    """Raises `Unreadable`, with what is wrong, for the model to know. `example`: that it was shown."""
    return only_answer(text, _READERS[form], example=example, lists=form in _TASKS)


class _Fulfils(AnswerJson, frozen=True):
    number: int
    line: str = ""
    test: str = ""


class _PlannedFor(AnswerJson, frozen=True):
    number: int
    sentence: str = ""


class _Remark(AnswerJson, frozen=True):
    says: Words
    line: str = ""


class _Judgement(Decision, frozen=True):
    success: bool
    reason: Words
    fulfilled: tuple[Any, ...] = ()
    answers: tuple[Any, ...] = ()
    objections: tuple[Any, ...] = ()
    statements: tuple[Any, ...] = ()
    missing_requirements: Texts = ()
    should_continue: bool = False
    should_replan: bool = False
    already_satisfied: bool = False
    contradictions: Texts = ()


def _judgement(given: Any) -> Judgement:
    said = shaped(given, _Judgement)
    lacks: dict[str, Any] = {
        "missingRequirements": texts(said.missing_requirements),
        "contradictions": texts(said.contradictions),
        "shouldContinue": said.should_continue,
        "shouldReplan": said.should_replan,
    }
    for field in ("success", "alreadySatisfied"):
        holds = said.success if field == "success" else said.already_satisfied
        if holds and (against := [name for name, value in lacks.items() if value]):
            raise _inconsistent(f"`{field}` is true, and so it cannot have {_listed(against)}")
    if said.should_continue and said.should_replan:
        raise _inconsistent("`shouldContinue` and `shouldReplan` exclude each other")
    return Judgement(
        success=said.success,
        reason=said.reason,
        missing=texts(said.missing_requirements),
        should_continue=said.should_continue,
        should_replan=said.should_replan,
        already_satisfied=said.already_satisfied,
        contradictions=texts(said.contradictions),
        fulfilled=tuple(_fulfils(each) for each in said.fulfilled),
        answers=tuple(_planned_for(each) for each in said.answers),
        objections=_remarks(said.objections),
        statements=_remarks(tuple(filter(_has_line, said.statements))),
    )


def _fulfils(given: Any) -> Fulfils:
    said = shaped(given, _Fulfils)
    return Fulfils(said.number, _named(said.line), _named(said.test))


def _planned_for(given: Any) -> PlannedFor:
    said = shaped(given, _PlannedFor)
    return PlannedFor(said.number, _named(said.sentence))


def _remarks(given: tuple[Any, ...]) -> tuple[Remark, ...]:
    """Without words for nothing. One that names no line may come as a text."""
    listed = (each for each in given if not (isinstance(each, str) and (not each or is_none(each))))
    said = [shaped({"says": each} if isinstance(each, str) else each, _Remark) for each in listed]
    return tuple(Remark(each.says, _named(each.line)) for each in said)


def _has_line(given: Any) -> bool:
    """One is named, or it is said that there is none: without either, nothing is said of the statement."""
    return not isinstance(given, str) and (not isinstance(given, dict) or bool(given.get("line")))


def _named(text: str) -> str:
    return "" if is_none(text) else text


def _proposal(given: Any, *, bare: bool) -> Proposal:
    said = breakdown_of(given, bare=bare)
    return Proposal(_fitting(said.tasks), said.reason, said.questions)


class _Completion(Decision, frozen=True):
    fulfilled: bool
    reason: Words
    missing: Texts = ()
    tasks: tuple[Any, ...] = ()


def _completion(given: Any) -> Completion:
    said = shaped(given, _Completion)
    missing, tasks = texts(said.missing), _fitting(tasks_of(said.tasks))
    if said.fulfilled and (missing or tasks):
        raise _inconsistent("`fulfilled` is true, and so nothing can be missing, nor left to do")
    if not said.fulfilled and not missing:
        raise _inconsistent("`fulfilled` is false, and `missing` does not say what is missing")
    return Completion(said.fulfilled, said.reason, missing, tasks)


class _Analysis(Decision, frozen=True):
    root_cause: Words
    recommendation: Words
    confidence: Literal["high", "medium", "low"]
    requires_user_decision: bool
    reasoning: Words
    contradiction: Texts = ()


def _analysis(given: Any) -> Analysis:
    said = shaped(given, _Analysis)
    return Analysis(
        root_cause=said.root_cause,
        recommendation=said.recommendation,
        confidence=said.confidence,
        requires_user_decision=said.requires_user_decision,
        reasoning=said.reasoning,
        contradiction="; ".join(texts(said.contradiction)),
    )


class _Criterion(Decision, frozen=True):
    criterion: Words
    met: bool
    why: str = ""


class _Quality(AnswerJson, frozen=True):
    critical: Annotated[tuple[Any, ...], msgspec.Meta(min_length=1)]
    important: tuple[Any, ...] = ()
    nice: tuple[Any, ...] = ()


def _quality(given: Any) -> Quality:
    said = shaped(given, _Quality)
    return Quality(_all(said.critical), _all(said.important), _all(said.nice))


def _all(given: tuple[Any, ...]) -> tuple[Criterion, ...]:
    said = (shaped(each, _Criterion) for each in given)
    return tuple(Criterion(each.criterion, each.met, each.why) for each in said)


def _fitting(tasks: tuple[TaskSpec, ...]) -> tuple[TaskSpec, ...]:
    if wrong := problems(tasks, {}):
        raise WrongShape(f"{'; '.join(wrong)}; a task may depend on tasks of this answer only")
    return tasks


def _inconsistent(message: str) -> WrongShape:
    return WrongShape(message, remedy="decide which of the two holds")


def _listed(fields: list[str]) -> str:
    return " and ".join(f"`{field}`" for field in fields)


_TASKS: Final = frozenset({"proposal", "plan-review"})
"""Asked for tasks, which may come as a bare list."""

_READERS: Final[Mapping[AnswerForm, Callable[[Any], Answer]]] = {
    "examples": examples,
    "judgement": _judgement,
    "proposal": partial(_proposal, bare=False),
    "plan-review": partial(_proposal, bare=True),
    "completion": _completion,
    "analysis": _analysis,
    "plan-quality": _quality,
}

_SHAPES: Final[Mapping[AnswerForm, type[AnswerJson]]] = {
    "examples": GivenExamples,
    "judgement": _Judgement,
    "proposal": WholePlan,
    "plan-review": WholePlan,
    "completion": _Completion,
    "analysis": _Analysis,
    "plan": WholePlan,
    "plan-quality": _Quality,
}
_ITEMS: Final[Mapping[str, type[AnswerJson]]] = {
    "tasks": PlannedTask,
    **dict.fromkeys(("critical", "important", "nice"), _Criterion),
    "examples": OneExample,
    "fulfilled": _Fulfils,
    "answers": _PlannedFor,
    **dict.fromkeys(("objections", "statements"), _Remark),
}
"""What is read one by one, so that all that is wrong is told at once."""


def fields_of(form: AnswerForm) -> tuple[str, ...]:
    return _SHAPES[form].__struct_encode_fields__


def answer_schema(form: AnswerForm) -> dict[str, Any]:
    """The JSON Schema of what a model answers in this form."""
    shapes = [_SHAPES[form], *dict.fromkeys(_ITEMS[name] for name in fields_of(form) if name in _ITEMS)]
    [whole, *_], definitions = msgspec.json.schema_components(shapes, ref_template="#/$defs/{name}")
    found = definitions.pop(whole["$ref"].rpartition("/")[2])
    for name, shape in found["properties"].items():
        if name in _ITEMS:
            shape["items"] = {"$ref": f"#/$defs/{_ITEMS[name].__name__}"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found, "$defs": definitions}

"""What a model answers that the lead consults: its last words into a value that says one thing only."""

from typing import Any, Literal

from teamlead.core.answers import Analysis, Answer, Completion, Judgement, Proposal
from teamlead.core.consultation import Purpose
from teamlead.core.graph import problems
from teamlead.core.model import TaskSpec
from teamlead.reports.answer_shape import Decision, Texts, Words, shaped, texts
from teamlead.reports.breakdown import read_breakdown, tasks_of
from teamlead.reports.spoken import WrongShape, last_json


def read_answer(purpose: Purpose, text: str) -> Answer:
    """Raises `Unreadable`, with what is wrong, for the model to know."""
    if purpose == "judge":
        return _judgement(text)
    if purpose in {"replan", "review"}:
        return _proposal(text, bare=purpose == "review")
    if purpose == "complete":
        return _completion(text)
    return _analysis(text)


class _Judgement(Decision, frozen=True):
    success: bool
    reason: Words
    missing_requirements: Texts = ()
    should_continue: bool = False
    should_replan: bool = False
    already_satisfied: bool = False
    contradictions: Texts = ()


def _judgement(text: str) -> Judgement:
    said = shaped(last_json(text), _Judgement)
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
        said.success,
        said.reason,
        texts(said.missing_requirements),
        said.should_continue,
        said.should_replan,
        said.already_satisfied,
        texts(said.contradictions),
    )


def _proposal(text: str, *, bare: bool) -> Proposal:
    """`bare`: a reason is enough."""
    said = read_breakdown(text)
    if not (said.tasks or said.questions or (bare and said.reason)):
        raise WrongShape("it names neither `tasks` nor `questions`", remedy="name one or the other")
    return Proposal(_fitting(said.tasks), said.reason, said.questions)


class _Completion(Decision, frozen=True):
    fulfilled: bool
    reason: Words
    missing: Texts = ()
    tasks: tuple[Any, ...] = ()


def _completion(text: str) -> Completion:
    said = shaped(last_json(text), _Completion)
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


def _analysis(text: str) -> Analysis:
    said = shaped(last_json(text), _Analysis)
    return Analysis(
        said.root_cause,
        said.recommendation,
        said.confidence,
        said.requires_user_decision,
        said.reasoning,
        "; ".join(texts(said.contradiction)),
    )


def _fitting(tasks: tuple[TaskSpec, ...]) -> tuple[TaskSpec, ...]:
    if wrong := problems(tasks, {}):
        raise WrongShape("; ".join(wrong), remedy="a task may depend on those of this answer only")
    return tasks


def _inconsistent(message: str) -> WrongShape:
    return WrongShape(message, remedy="decide which of the two holds")


def _listed(fields: list[str]) -> str:
    return " and ".join(f"`{field}`" for field in fields)

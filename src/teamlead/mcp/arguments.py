"""The arguments of an agent's call, as a checked value, or what is wrong with them and has to be mended."""

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from teamlead.core import facts as f
from teamlead.core.model import Question, Value
from teamlead.core.reports import DifficultyFeedback, Feedback, Result
from teamlead.errors import UsageError
from teamlead.forms.results.contract import blocking, read_document
from teamlead.mcp.tools import TOOLS

MOST = 64 * 1024
"""Bytes of one call's arguments: they go to the journal."""

MOST_TOLD = 20
"""Problems of one result: who mends these meets the others."""

Arguments = dict[str, Any]
Checked = TypeVar("Checked")


class Progress(Value, frozen=True):
    text: str


class Posting(Value, frozen=True):
    recipient: str
    text: str


class Update(Value, frozen=True):
    task: str
    status: f.WorkStatus
    note: str = ""


class Asking(Value, frozen=True):
    question: str
    options: tuple[str, ...] = ()


class WrongResult(UsageError):
    """It breaks its contract, which says how."""


def fact_of(
    tool: str, given: Arguments, task: str, attempt: int, *, role: str = "", form: str = ""
) -> f.Talk:
    """For the tools that do nothing but report. A result is held to the contract, in the form of the task."""
    match tool:
        case "report_progress":
            progress: Progress = _checked(given, Progress)
            return f.Reported(task, attempt, progress.text)
        case "report_feedback":
            # An empty list may belong to another kind of feedback.
            filled = {name: value for name, value in given.items() if value != []}
            return f.FeedbackGiven(task, attempt, _checked(filled, Feedback))
        case "submit_result":
            return f.ResultSubmitted(task, attempt, _result(given, role, form))
        case "send_message":
            posting: Posting = _checked(given, Posting)
            return f.MessagePosted(task, attempt, posting.recipient, posting.text)
        case "update_task":
            update: Update = _checked(given, Update)
            return f.TaskUpdated(task, attempt, update.task, update.status, update.note)
        case _:
            names = ", ".join(known.name for known in TOOLS)
            raise UsageError(f"there is no tool {tool[:100]!r}", remedy=f"there are {names}")


def missing_in(fact: f.Talk) -> Iterator[str]:
    """What was taken, and lacks something that others go by."""
    feedback = fact.feedback if isinstance(fact, f.FeedbackGiven) else None
    if isinstance(feedback, DifficultyFeedback) and feedback.category is None:
        asked = feedback.requested_action not in {None, "continue"}
        effect = "It counts as technical" if asked else "Nobody is asked about it"
        yield f"{effect}, since `category` is missing: technical, ambiguity, scope or dependency."


def question_of(given: Arguments) -> Question:
    asking: Asking = _checked(given, Asking)
    return Question(asking.question, asking.options)


def _checked(given: Arguments, shape: Any) -> Any:
    """Returns a value of this shape. What was left open is left out: some agents fill in every field."""
    arguments = {name: value for name, value in given.items() if not _open(value)}
    try:
        # Not strict: a number in quotes is a number.
        value = msgspec.convert(arguments, shape, strict=False)
    except msgspec.ValidationError as error:
        reason = str(error).replace("`$.", "`")
        raise UsageError(reason, remedy="nothing was recorded; call it again with this corrected") from None
    return _bounded(value)


def _result(given: Arguments, role: str, form: str) -> Result:
    reading = read_document(given, role, form)
    problems = blocking(reading)
    if reading.result is None or problems:
        listed = "".join(f"\n- {problem.show()}" for problem in problems[:MOST_TOLD])
        raise WrongResult(
            f"this result breaks its contract:{listed}\n",
            remedy="nothing was recorded; mend it and hand it in again. Be honest: what is not so, say so",
        )
    return _bounded(reading.result)


def _bounded(value: Checked) -> Checked:
    if (size := len(msgspec.json.encode(value))) > MOST:
        raise UsageError(
            f"these are {size} bytes, and a call takes at most {MOST}",
            remedy="shorten it; what is longer belongs into a file, named here",
        )
    return value


def _open(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())

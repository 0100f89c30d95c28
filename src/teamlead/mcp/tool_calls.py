"""What agents ask of their team is carried out here. A call is answered when what it says is on disk."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, Final, TypeVar

import msgspec

from teamlead.core import facts as f
from teamlead.core.facts import MessagesTaken, Talk
from teamlead.core.model import Question, Value
from teamlead.core.quoting import CONTROLS
from teamlead.core.reports import DifficultyFeedback, Feedback, Result
from teamlead.errors import Refused, TeamleadError, UsageError
from teamlead.forms.catalogue import FORMS
from teamlead.forms.feedback import SHAPES, in_lower_case
from teamlead.forms.results.contract import blocking, read_document
from teamlead.mcp.admission import Guest
from teamlead.mcp.protocol import Call, Id, Reply, Text, ToolResult
from teamlead.mcp.tools import TOOLS
from teamlead.ports.team import Letter, Listener

MOST = 64 * 1024
"""Bytes of one call's arguments: they go to the journal."""

MOST_TOLD = 20
"""Problems of one result: who mends these meets the others."""

MOST_TASKS: Final = 200
_ENDS: Final = re.compile(f"[{CONTROLS}\u2028\u2029]")

PARKED: Final = (
    "No answer yet. The question is kept ({escalation}), and you will be resumed in this conversation with "
    "the answer. End your turn now. Do not guess the answer, and do not ask again."
)

UNKNOWN: Final = "Object contains unknown field"
"""So msgspec begins to say it."""

LAST: Final = (
    "No further one is read. Say in your last words what you found and what you did, and end your turn now"
)

Arguments = dict[str, Any]
Checked = TypeVar("Checked")


class Progress(Value, frozen=True):
    text: str


class Posting(Value, frozen=True):
    recipient: str
    text: str
    summary: str = ""


class Update(Value, frozen=True):
    task: str
    status: f.WorkStatus
    note: str = ""


class Leave(Value, frozen=True):
    request_id: str
    approve: bool
    reason: str = ""


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
            filled = {name: value for name, value in in_lower_case(given).items() if value != []}
            return f.FeedbackGiven(task, attempt, _checked(filled, Feedback))
        case "submit_result":
            return f.ResultSubmitted(task, attempt, _result(given, role, form))
        case "send_message":
            posting: Posting = _checked(given, Posting)
            return f.MessagePosted(task, attempt, posting.recipient, posting.text, posting.summary)
        case "answer_shutdown":
            leave: Leave = _checked(given, Leave)
            return f.ShutdownAnswered(task, attempt, leave.request_id, leave.approve, leave.reason)
        case "update_task":
            update: Update = _checked(given, Update)
            return f.TaskUpdated(task, attempt, update.task, update.status, update.note)
        case _:
            names = ", ".join(known.name for known in TOOLS)
            raise UsageError(f"there is no tool {tool[:100]!r}", remedy=f"there are {names}")


def follows(fact: f.Talk) -> Iterator[str]:
    """What was taken, and lacks something that others go by; or what has to follow."""
    if isinstance(fact, f.ShutdownAnswered):
        yield "End your turn now." if fact.approve else "You are asked once more, and then ended."
    feedback = fact.feedback if isinstance(fact, f.FeedbackGiven) else None
    if isinstance(feedback, DifficultyFeedback) and feedback.category is None:
        asked = feedback.requested_action not in {None, "continue"}
        effect = "It counts as technical" if asked else "Nobody is asked about it"
        yield f"{effect}, since `category` is missing: technical, ambiguity, scope, dependency or impossible."


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
        if reason.startswith(UNKNOWN):
            reason += f"; the fields are {', '.join(_fields(arguments, shape))}"
        raise UsageError(reason, remedy="nothing was recorded; call it again with this corrected") from None
    return _bounded(value)


def _fields(arguments: Arguments, shape: Any) -> list[str]:
    """Of a shape, or of that which `kind` names among several."""
    if shape is not Feedback:
        return list(shape.__struct_fields__)
    meant = SHAPES[arguments["kind"]]
    return ["kind", *meant.__struct_fields__]


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


class ToolCalls:
    def __init__(self, listener: Listener, patience: float) -> None:
        """`patience`: seconds that a question blocks its call."""
        self._listener = listener
        self._patience = patience
        self._handed: set[tuple[str, str]] = set()
        """Task and letter, where an agent has it and the journal does not know yet."""
        self._wrong: Counter[bytes] = Counter()
        """Results that broke their contract, by the token of the run."""

    async def serve(self, guest: Guest, call: Call, identity: Id) -> Reply:
        try:
            said = Call(call.name, guest.secrets.hidden_in(call.arguments))
            result = ToolResult([Text(await self._carry_out(guest, said, identity))])
        except TeamleadError as refusal:
            result = ToolResult([Text(str(refusal))], is_error=True)
        letters = await self._unread(guest)
        if not letters:
            return Reply(result)
        result.content.append(Text(_told(letters)))
        # Taken only when handed over: an agent that went away meanwhile finds them in its next prompt.
        return Reply(result, partial(self._take, guest, letters))

    async def _carry_out(self, guest: Guest, call: Call, identity: Id) -> str:
        match call.name:
            case "ask_human":
                return await self._ask(guest, call.arguments, identity)
            case "read_messages":
                return f"{len(await self._unread(guest)) or 'Nothing'} unread."
            case "list_tasks":
                return await self._tasks(guest)
            case _:
                fact = self._fact(guest, call)
                await self._listener.put(fact)
                return " ".join(["Recorded.", *follows(fact)])

    def _fact(self, guest: Guest, call: Call) -> Talk:
        """A wrong result comes back so often as its form allows; then none of this run is read any more."""
        most = FORMS[guest.form or "summary"].readings
        if call.name == "submit_result" and self._wrong[guest.token] >= most:
            raise Refused(f"{most} results of yours were wrong", remedy=LAST)
        try:
            return fact_of(
                call.name, call.arguments, guest.task, guest.attempt, role=guest.role, form=guest.form
            )
        except WrongResult as wrong:
            self._wrong[guest.token] += 1
            if self._wrong[guest.token] < most:
                raise
            raise Refused(wrong.message, remedy=LAST) from None

    async def _ask(self, guest: Guest, arguments: Arguments, identity: Id) -> str:
        question = question_of(arguments)
        call = _call_of(guest, identity, question)
        escalation = await self._listener.ask(guest.task, guest.attempt, question, call)
        answer = await self._listener.answer(escalation, self._patience)
        return PARKED.format(escalation=escalation) if answer is None else f"User's answer: {answer}"

    async def _tasks(self, guest: Guest) -> str:
        lines = sorted(await self._listener.tasks(), key=lambda line: line.id != guest.task)
        shown = [{**line._asdict(), "yours": line.id == guest.task} for line in lines[:MOST_TASKS]]
        more = f"\n{len(lines) - MOST_TASKS} more are not shown." if len(lines) > MOST_TASKS else ""
        return "\n".join(map(_line, shown)) + more

    async def _unread(self, guest: Guest) -> list[Letter]:
        letters = await self._listener.unread(guest.task)
        return [letter for letter in letters if (guest.task, letter.id) not in self._handed]

    async def _take(self, guest: Guest, letters: Sequence[Letter]) -> None:
        handed = {(guest.task, letter.id) for letter in letters}
        self._handed |= handed
        try:
            names = tuple(letter.id for letter in letters)
            await self._listener.put(MessagesTaken(guest.task, guest.attempt, names))
        except TeamleadError:
            pass  # Another way was faster, or the attempt is over: the journal knows who has them.
        finally:
            self._handed -= handed


def _call_of(guest: Guest, identity: Id, question: Question) -> str:
    """Names a call. One that a client repeats has the same name, so that nobody is asked twice.

    The question belongs to the name: a client that connects anew may count from the start again.
    """
    return sha256(guest.token + msgspec.json.encode([identity, question])).hexdigest()


def _told(letters: Sequence[Letter]) -> str:
    """Writes each letter as JSON on a line of its own: nothing inside can pass for somebody else's."""
    lines = (_line(_shown(letter)) for letter in letters)
    return "\n".join(["Messages for you:", *lines])


def _shown(letter: Letter) -> dict[str, str]:
    head = {"id": letter.id, "from": letter.sender, "type": letter.type}
    summary = {"summary": letter.summary} if letter.summary else {}
    return {**head, **summary, "text": letter.text}


def _line(value: object) -> str:
    """Writes JSON in one line: JSON itself lets other ends of lines stand."""
    return _ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", msgspec.json.encode(value).decode())

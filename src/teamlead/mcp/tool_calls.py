"""What agents ask of their team is carried out here. A call is answered when what it says is on disk."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec

from teamlead.core.facts import MessagesTaken, Talk
from teamlead.core.model import Question
from teamlead.core.quoting import CONTROLS
from teamlead.errors import Refused, TeamleadError
from teamlead.forms.catalogue import FORMS
from teamlead.mcp.admission import Guest
from teamlead.mcp.arguments import Arguments, WrongResult, fact_of, missing_in, question_of
from teamlead.mcp.protocol import Call, Id, Reply, Text, ToolResult
from teamlead.ports.team import Letter, Listener

MOST_TASKS: Final = 200
_ENDS: Final = re.compile(f"[{CONTROLS}\u2028\u2029]")

PARKED: Final = (
    "No answer yet. The question is kept ({escalation}), and you will be resumed in this conversation with "
    "the answer. End your turn now. Do not guess the answer, and do not ask again."
)

LAST: Final = (
    "No further one is read. Say in your last words what you found and what you did, and end your turn now"
)


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
                return " ".join(["Recorded.", *missing_in(fact)])

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
    lines = (_line({"id": m.id, "from": m.sender, "text": m.text}) for m in letters)
    return "\n".join(["Messages for you:", *lines])


def _line(value: object) -> str:
    """Writes JSON in one line: JSON itself lets other ends of lines stand."""
    return _ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", msgspec.json.encode(value).decode())

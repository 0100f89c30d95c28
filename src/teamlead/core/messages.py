"""Messages between agents, and from people to agents."""

from collections.abc import Mapping

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.quoting import quoted
from teamlead.core.records import Message, Task
from teamlead.core.state import TeamState
from teamlead.core.talk import heard, speaker
from teamlead.core.transitions import SETTLED
from teamlead.errors import NotFound, Refused

Events = list[e.AnyEvent]

ALL = "all"
LEAD = "lead"
MOST_TEXT = 8_000
"""Characters from one agent to others, whose prompts it lengthens."""


def letter(message: Message) -> str:
    """As agents read it."""
    return f"From {message.sender}:\n{quoted(message.text)}"


def from_person(state: TeamState, message: Message) -> bool:
    """What the lead says of its own accord is a hint: nobody has to answer for not having heard it."""
    return message.sender not in state.tasks and message.sender != LEAD


def unheard(state: TeamState, task: Task, since: float) -> bool:
    """A person's word that its agent has not had. What came before `since` was in its prompt."""
    unread = (state.messages[name] for name in task.unread)
    return any(from_person(state, word) and word.sent_at > since for word in unread)


def posted(state: TeamState, fact: f.MessagePosted, now: float) -> Events:
    heard(state, fact)
    _readable(fact.text)
    if len(fact.text) > MOST_TEXT:
        raise Refused(
            f"a message has at most {MOST_TEXT} characters, and this one {len(fact.text)}",
            remedy="write it to a file, and name that",
        )
    task = state.tasks.get(fact.recipient)
    if task is not None and task.state in SETTLED:
        raise Refused(f"{fact.recipient} is {task.state}: nobody would read it")
    if task is None and not _known(state, fact.recipient):
        raise Refused(
            f"there is nobody called {fact.recipient!r}",
            remedy="send it to a task such as task-1, to a role, to 'all' or to 'lead'",
        )
    return [sent(state, fact.task, fact.recipient, fact.text)]


def _known(state: TeamState, recipient: str) -> bool:
    return recipient in {ALL, LEAD} or any(role == recipient for _, role in state.lanes)


def _readable(text: str) -> None:
    if not text.strip():
        raise Refused("an empty message says nothing")


def sent(state: TeamState, sender: str, recipient: str, text: str) -> e.AnyEvent:
    return e.MessageSent(f"msg-{len(state.messages) + 1}", sender, recipient, text)


def from_lead(state: TeamState, letters: Mapping[str, str]) -> Events:
    """One to each of these tasks."""
    first = len(state.messages) + 1
    return [
        e.MessageSent(f"msg-{number}", LEAD, task, text)
        for number, (task, text) in enumerate(letters.items(), first)
    ]


def told(state: TeamState, fact: f.Tell, now: float) -> Events:
    task = state.tasks.get(fact.task)
    if task is None:
        raise NotFound(
            f"there is no task {fact.task!r} in session {state.session.id}", remedy="see `teamlead status`"
        )
    if task.state in SETTLED or state.final:
        raise Refused(f"{fact.task} is {task.state}: no agent will read it", remedy=task.instead)
    if task.live is not None and task.live.phase == "integrating":
        raise Refused(
            f"{fact.task} is being merged: no agent will read it",
            remedy=f"once it is done: teamlead retry {fact.task} --advice TEXT",
        )
    _readable(fact.text)
    return [sent(state, fact.by, fact.task, fact.text)]


def taken(state: TeamState, fact: f.MessagesTaken, now: float) -> Events:
    task, _ = speaker(state, fact)
    known = tuple(dict.fromkeys(name for name in fact.messages if name in task.unread))
    return [e.MessagesRead(fact.task, fact.attempt, known)] if known else []

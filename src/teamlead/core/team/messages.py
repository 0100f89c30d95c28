"""Messages between agents, and from people to agents."""

from collections.abc import Mapping, Sequence

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.quoting import quoted
from teamlead.core.state.records import Message, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.talk import heard, speaker
from teamlead.core.transitions import SETTLED
from teamlead.errors import NotFound, Refused

Events = list[e.AnyEvent]

ALL = "all"
LEAD = "lead"
SHOWN = 5
"""Members that are named where a whole role would not read a message."""
MOST_TEXT = 8_000
"""Characters from one agent to others, whose prompts it lengthens."""


def letter(message: Message) -> str:
    """As agents read it."""
    kind = "" if message.type == "message" else f" ({message.type} {message.id})"
    return f"From {message.sender}{kind}:\n{quoted(message.text)}"


def from_person(state: TeamState, message: Message) -> bool:
    """What the lead says of its own accord is a hint: nobody has to answer for not having heard it."""
    return message.sender not in state.tasks and message.sender != LEAD


def unheard(state: TeamState, task: Task, since: float) -> bool:
    """A person's word that its agent has not had. What came before `since` was in its prompt."""
    unread = (state.messages[name] for name in task.member.unread)
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
    if task is None and fact.recipient != LEAD:
        _read_by_somebody(state, fact)
    return [sent(state, fact.task, fact.recipient, fact.text, summary=fact.summary)]


def _read_by_somebody(state: TeamState, fact: f.MessagePosted) -> None:
    """A message to a role or to all goes to those who have begun: one that nobody has is refused."""
    begun = (state.members[name].task for name in state.begun if name != fact.task)
    if any(_is_for(fact, task) for task in begun):
        return
    members = [each.task for each in state.members.values() if _is_for(fact, each.task)]
    if not members:
        raise Refused(
            f"there is nobody called {fact.recipient!r}",
            remedy="send it to a task such as task-1, to a role, to 'all' or to 'lead'",
        )
    others = [task for task in members if task.spec.id != fact.task]
    told = [f"{t.spec.id} {f'is {t.state}' if t.state in SETTLED else 'has not begun'}" for t in others]
    to_come = next((task.spec.id for task in others if task.state not in SETTLED), "")
    nobody = "nobody" if fact.recipient == ALL else f"nobody of the role {fact.recipient!r}"
    raise Refused(
        f"{nobody} would read it: {_some(told) or 'there is only you'}",
        remedy=f"send it to {to_come} itself: it is kept until it begins"
        if to_come
        else "send it to 'lead' if it matters",
    )


def _is_for(fact: f.MessagePosted, task: Task) -> bool:
    return fact.recipient in {ALL, task.spec.role}


def _some(words: Sequence[str]) -> str:
    more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
    return f"{', '.join(words[:SHOWN])}{more}"


def _readable(text: str) -> None:
    if not text.strip():
        raise Refused("an empty message says nothing")


def sent(
    state: TeamState, sender: str, recipient: str, text: str, before: int = 0, *, summary: str = ""
) -> e.AnyEvent:
    """`before`: how many others are sent with it, before it."""
    number = len(state.messages) + before + 1
    return e.MessageSent(f"msg-{number}", sender, recipient, text, summary=summary)


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
    known = tuple(dict.fromkeys(name for name in fact.messages if name in task.member.unread))
    return [e.MessagesRead(fact.task, fact.attempt, known)] if known else []

"""What an agent is told about its team."""

from collections.abc import Iterable

from teamlead.core.messages import letter
from teamlead.core.records import Message

TALK = """\
You have tools of a server called `team`. Use them; nobody reads what you only write in your turn.

- `report_progress`: once when you have begun, and when you have found out something that matters.
- `ask_human`: what only a person can decide. If it tells you to end your turn, do so at once: you will be
  asked to go on when the answer is there.
- `send_message`, `read_messages`: to and from the other tasks, a role, or `lead`. `list_tasks` names them.
- `report_feedback`: what stands in your way, or what you found, while you still work.
- `submit_result`: your report, where one is asked of you below. It is checked at once.

A person is reached through `ask_human` only."""


def letters(messages: Iterable[Message]) -> str:
    return "\n\n".join(letter(message) for message in messages)

"""What an interface of a model's service is to the server, and what its readers share."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from teamlead.rehearsal.conversation import Conversation, Saying, Trouble
from teamlead.rehearsal.declared_tools import Toolbox
from teamlead.runners.untrusted_fields import text


class Event(NamedTuple):
    """One event of a stream."""

    name: str
    """Empty: the interface gives its events no names."""
    data: dict[str, Any]


class Refusal(NamedTuple):
    headers: Mapping[str, str]
    body: dict[str, Any]


class Interface(NamedTuple):
    toolbox: Toolbox
    read: Callable[[dict[str, Any]], Conversation]
    """Raises Unreadable; nothing else, whatever is in the body."""
    whole: Callable[[Saying, str], dict[str, Any]]
    stream: Callable[[Saying, str], Iterator[Event]]
    refusal: Callable[[Trouble], Refusal]


def inside(value: object, *keys: str) -> object:
    """Returns what lies there; None where something on the way is absent or of another kind."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def text_of(part: Mapping[str, Any]) -> str:
    return text(part.get("text"))

"""What a program asks of its model, and what the model replies, whatever interface they speak."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from teamlead.runners.script import Part, part_of


class Tool(NamedTuple):
    """A tool as the request declares it."""

    name: str
    namespace: str = ""
    free_form: bool = False
    """Its input is a text, not an object."""
    by_code: bool = False
    """It is called by a program that the model writes, not by itself."""


class Result(NamedTuple):
    """What became of a call."""

    text: str
    failed: bool = False
    aside: bool = False
    """It does not end a step of the script, but was needed for one."""
    running: int = 0
    """The command goes on: under this number it can be waited for."""


class Conversation(NamedTuple):
    """A request. The user's last message that names a part begins what the script tells about."""

    tools: Mapping[str, Tool]
    prompt: str = ""
    """Empty: no part is named, so it is a request beside the work."""
    results: Sequence[Result] = ()
    """Of the calls since that message."""
    schema: object = None
    """The shape that the answer must have; None: any."""

    @property
    def part(self) -> Part | None:
        return part_of(self.prompt)


class Call(NamedTuple):
    tool: Tool
    input: dict[str, Any]
    """For a free-form tool the text is in "input"."""
    aside: bool = False


class Saying(NamedTuple):
    """An answer of the model: a text, a call, or both."""

    text: str = ""
    call: Call | None = None
    input_tokens: int = 100
    output_tokens: int = 10
    broken: bool = False
    """The connection breaks off in the middle of it."""


class Trouble(NamedTuple):
    """The service refuses, with this status."""

    status: int
    message: str = ""
    reset_in: float | None = None
    headers: Mapping[str, str] = {}
    body: str = ""
    """In place of the error the interface itself would give."""


class Silence(NamedTuple):
    """Nothing is ever answered."""


class Crash(NamedTuple):
    """The asking program is killed."""


What = Saying | Trouble | Silence | Crash


class Reply(NamedTuple):
    what: What
    after: float = 0.0
    """Seconds that the model thinks."""


class Unreadable(ValueError):
    """A request that is none: its message says why."""


def names_part(text: str) -> bool:
    return part_of(text) is not None

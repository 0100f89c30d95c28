"""What somebody says, in the text of another: each line is marked, so that none passes for the other's."""

import re
from typing import Final

MARK: Final = "> "

CONTROLS: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""A class of characters: they are not seen, and steer terminals or the order in which text is shown."""
_CONTROLS: Final = re.compile(f"[{CONTROLS}]")


def quoted(text: str) -> str:
    """Whatever somebody might take for the end of a line is one."""
    return "\n".join(f"{MARK}{_CONTROLS.sub('', line)}" for line in text.splitlines())


def exchange(question: str, answer: str) -> str:
    return f"About:\n{quoted(question)}\nAnswer:\n{quoted(answer)}"


def in_a_line(name: str) -> str:
    """A name that others chose, for the middle of a sentence: what could end its line is escaped."""
    return name if name.isprintable() else repr(name)

"""Text that others wrote, made safe to show.

Whatever an agent, a plan or a command printed goes through `printable` before it reaches a terminal.
"""

import re

from teamlead.core.quoting import CONTROLS

_STRING_BODY = r"[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)"
_UNSAFE = re.compile(
    # Sequences go as a whole, so that no "[31m" stays behind. A string that is never terminated loses only
    # its introducer: dropping the rest would let an agent hide what follows.
    rf"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]){_STRING_BODY}"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|\x1b[ -/]*[0-~]"
    rf"|[{CONTROLS}]"
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
CUT = "[...]"


def printable(text: str) -> str:
    """Removes control characters (newline and tab stay), escape sequences and bidirectional controls."""
    return _UNSAFE.sub("", _SURROGATE.sub("\ufffd", text))


def tail(text: str, lines: int, chars: int) -> str:
    """Returns the last lines, at most so many and so long, and marks what it cut."""
    text = text.rstrip("\n")
    kept = "\n".join(text.split("\n")[-lines:])
    kept = kept[max(0, len(kept) - chars) :]
    return kept if kept == text else f"{CUT}\n{kept}"


def clip(text: str, chars: int) -> str:
    """Returns the beginning, and marks what it cut."""
    return text if len(text) <= chars else f"{text[:chars]} {CUT}"

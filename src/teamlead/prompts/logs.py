"""A long text for a model: its beginning and its end, and how much was left out between them."""

from typing import Final

MOST_BYTES: Final = 150 * 1024
HEAD_BYTES: Final = 10 * 1024


def shortened(text: str, most: int = MOST_BYTES, head: int = HEAD_BYTES) -> str:
    """At most so many bytes in UTF-8, besides the line that says what was left out."""
    data = text.encode(errors="replace")
    if len(data) <= most:
        return text
    first, last = data[:head], data[head - most :]
    middle = f"[... {len(data) - most} bytes are left out here ...]"
    # What is cut through a letter loses that letter.
    return "\n".join([first.decode(errors="ignore"), middle, last.decode(errors="ignore")])

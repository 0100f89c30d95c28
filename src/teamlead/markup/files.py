"""The text of a document that somebody has named."""

from pathlib import Path

from teamlead.errors import NotFound, PlanError

MAX_BYTES = 1024 * 1024


def read_document(path: str | Path, kind: str) -> str:
    """`kind`: what it is to be, as in "a plan". Raises NotFound or PlanError where it cannot be read."""
    name = str(path)
    try:
        # Not by size first: a pipe has none, and a file may grow.
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotFound(f"there is no {kind} file {name!r}", remedy="check the path") from None
    except IsADirectoryError:
        raise PlanError(f"{name!r} is a folder, not a {kind}", remedy="name a Markdown file in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PlanError(
            f"cannot read the {kind} {name!r}: {reason}", remedy="check the path and its permissions"
        ) from None
    return decoded(data, name, kind)


def decoded(data: bytes, name: str, kind: str) -> str:
    """`data`: all of it, or at least one byte more than may be read."""
    if len(data) > MAX_BYTES:
        raise PlanError(
            f"the {kind} {name!r} is larger than 1 MiB", remedy=f"keep the {kind}, move the rest elsewhere"
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PlanError(
            f"{name}:{line}: error: not UTF-8 text: byte {data[error.start]:#04x} at position {error.start}",
            remedy="save the file as UTF-8",
        ) from None

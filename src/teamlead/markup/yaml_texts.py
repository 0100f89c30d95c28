"""YAML of which only texts, and lists of texts, are read: `key: value`, a few lines of it.

The parser's events are read one by one, and nothing is built of them: no alias is followed, no tag does
anything, no key hides another, and whatever lies deeper than a list ends it.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple


class Text(NamedTuple):
    text: str
    line: int


class Entry(NamedTuple):
    key: Text
    values: tuple[Text, ...]
    listed: bool
    """Written as a list."""


class UnreadableYaml(Exception):
    def __init__(self, line: int, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.remedy = remedy


def entries(text: str, first: int = 1) -> list[Entry]:
    """In their order, repeated keys too. Raises UnreadableYaml.

    `first`: the line on which the text begins.
    """
    events = _events(text, first)
    opening = next(events, None)
    if opening is None or (opening.kind == "Scalar" and not opening.text):
        return []
    if opening.kind != "MappingStart":
        raise UnreadableYaml(opening.line, "it is no list of `key: value`")
    found = []
    for key in events:
        if key.kind == "MappingEnd":
            break
        if key.kind != "Scalar":
            raise UnreadableYaml(key.line, "a key is no text")
        found.append(_entry(Text(key.text, key.line), events))
    if more := next(events, None):
        raise UnreadableYaml(more.line, "it is more than one document", "keep one of them")
    return found


class _Event(NamedTuple):
    kind: str
    line: int
    text: str = ""


def _entry(key: Text, events: Iterator[_Event]) -> Entry:
    value = next(events)
    if value.kind == "Scalar":
        return Entry(key, (Text(value.text, value.line),), listed=False)
    items = []
    for item in events if value.kind == "SequenceStart" else [value]:
        if item.kind == "SequenceEnd":
            break
        if item.kind != "Scalar":
            remedy = "write it as in `key: text`, or `key: [text, text]`"
            raise UnreadableYaml(
                item.line, f"{key.text[:60]!r} holds more than a text or a list of texts", remedy
            )
        items.append(Text(item.text, item.line))
    return Entry(key, tuple(items), listed=True)


def _events(text: str, first: int) -> Iterator[_Event]:
    """Raises for what could make the text mean more than it shows."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - slow to import, and not needed for what was read before
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415 - as above

    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            kind = type(event).__name__.removesuffix("Event")
            if not kind.startswith(("Stream", "Document")):
                yield _plain(kind, event, first)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = error.problem or error.context or "it cannot be read"
        raise UnreadableYaml(first + (mark.line if mark else 0), f"it is not YAML: {said}") from None
    except (YAMLError, ValueError) as error:
        said = getattr(error, "reason", "") or "it cannot be read"
        at = getattr(error, "position", 0)
        line = first + text.count("\n", 0, at if isinstance(at, int) else 0)
        raise UnreadableYaml(line, f"it is not YAML: {said}") from None


def _plain(kind: str, event: Any, first: int) -> _Event:
    line = first + int(event.start_mark.line)
    if kind == "Alias":
        raise UnreadableYaml(line, "it holds an alias (`*`)", "write the value itself")
    if getattr(event, "anchor", None) is not None:
        raise UnreadableYaml(
            line, "it holds an anchor (`&`)", "take it away; it is not needed without aliases"
        )
    if getattr(event, "tag", None) is not None:
        raise UnreadableYaml(line, "it holds a tag (`!`)", "take it away, or put the text in quotes")
    return _Event(kind, line, event.value if kind == "Scalar" else "")

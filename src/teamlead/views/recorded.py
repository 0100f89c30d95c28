"""Events as `watch --json` and events.ndjson show them."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from teamlead.core.events import VERSIONS, Recorded
from teamlead.views.documents.base import is_moment
from teamlead.views.documents.sessions import EventDocument
from teamlead.views.moments import iso

TAG: Final = "event"
"""The kind, in the body of an event."""


def event_document(recorded: Recorded) -> EventDocument:
    kind = type(recorded.event).__name__
    fields = {name: value for name, value in msgspec.to_builtins(recorded.event).items() if name != TAG}
    return EventDocument(
        seq=recorded.seq,
        at=iso(recorded.at),
        kind=kind,
        version=VERSIONS.get(kind, 1),
        body=dated(fields),
    )


def dated(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same, with moments as all documents have them."""
    return {name: _dated(value, moment=is_moment(name)) for name, value in fields.items()}


def _dated(value: Any, *, moment: bool = False) -> Any:
    match value:
        case dict():
            return dated(value)
        case list() | tuple():
            return [_dated(each) for each in value]
        case float() if moment:
            return iso(value)
        case _:
            return value

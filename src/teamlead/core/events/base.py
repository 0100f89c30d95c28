"""What all events have."""

from teamlead.core.model import Person, Value


class Event(Value, frozen=True, tag=True, tag_field="event", kw_only=True):
    who: Person | None = None
    """The person whose wish caused it, where one did."""

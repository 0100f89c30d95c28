"""What all facts have."""

from teamlead.core.model import Person, Value


class Fact(Value, frozen=True, tag=True, tag_field="fact"):
    pass


class Wish(Fact, frozen=True, kw_only=True):
    """What a person wants. Nothing that an agent says is one."""

    who: Person | None = None
    """None: nobody in person, as where a demonstration answers itself."""

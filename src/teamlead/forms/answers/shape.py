"""What a model answers in JSON, against the shape that it was asked for."""

import re
from typing import Annotated, Any, Final, TypeVar

import msgspec

from teamlead.forms.answers.last_json import WrongShape
from teamlead.forms.answers.unasked_fields import objection
from teamlead.forms.labels import is_none

Words = Annotated[str, msgspec.Meta(min_length=1)]
Texts = str | tuple[str, ...]
"""One text may stand for a list of one."""

_PLACE: Final = re.compile(r"(.*) - at `\$\.?([^`]*)`", re.DOTALL)


class Spoken(msgspec.Struct, frozen=True, rename="camel"):
    """An object of JSON with its fields in camelCase, as models are told to write them."""


class Decision(Spoken, frozen=True):
    """One that decides: a second decision beside it is not passed over."""


Shape = TypeVar("Shape", bound=Spoken)


def shaped(given: Any, shape: type[Shape]) -> Shape:
    """Fields that nobody asked for are ignored, but for those that may matter."""
    fields = shape.__struct_encode_fields__
    if isinstance(given, dict):
        told = objection(given, fields, decides=issubclass(shape, Decision))
        if not told and given and not given.keys() & set(fields):
            told = "it has none of the fields"
        if told:
            raise WrongShape(f"{told}; the fields are {', '.join(fields)}", remedy="mend it and answer again")
    try:
        return msgspec.convert(given, shape)
    except msgspec.ValidationError as error:
        raise WrongShape(_told(str(error)), remedy="mend it and answer again") from None


def texts(given: Texts) -> tuple[str, ...]:
    """Without words for nothing: "none" is no requirement."""
    listed = (given,) if isinstance(given, str) else given
    return tuple(text for text in listed if text and not is_none(text))


def _told(error: str) -> str:
    found = _PLACE.fullmatch(error)
    return f"`{found[2]}`: {found[1]}" if found else error

"""What a model answers in JSON, against the shape that it was asked for."""

import re
from typing import Annotated, Any, Final, TypeVar

import msgspec

from teamlead.reports.spoken import WrongShape
from teamlead.reports.words import is_none

Words = Annotated[str, msgspec.Meta(min_length=1)]
Texts = str | tuple[str, ...]
"""One text may stand for a list of one."""

_PLACE: Final = re.compile(r"(.*) - at `\$\.?([^`]*)`", re.DOTALL)


class Spoken(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """An object of JSON with its fields in camelCase, as models are told to write them.

    Unknown fields are refused: one that is merely misspelt may have been meant to change everything.
    """


Shape = TypeVar("Shape", bound=Spoken)


def shaped(given: Any, shape: type[Shape]) -> Shape:
    try:
        return msgspec.convert(given, shape)
    except msgspec.ValidationError as error:
        raise WrongShape(_told(str(error), shape), remedy="mend it and answer again") from None


def texts(given: Texts) -> tuple[str, ...]:
    """Without words for nothing: "none" is no requirement."""
    listed = (given,) if isinstance(given, str) else given
    return tuple(text for text in listed if text and not is_none(text))


def _told(error: str, shape: type[Spoken]) -> str:
    found = _PLACE.fullmatch(error)
    told = f"`{found[2]}`: {found[1]}" if found else error
    if "unknown field" in told:
        told += f"; the fields are {', '.join(shape.__struct_encode_fields__)}"
    return told

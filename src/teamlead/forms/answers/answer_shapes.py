"""What a model answers in JSON, against the shape that it was asked for.

Most fields that nobody asked for ("notes", "confidence") change nothing and are ignored. One that could is
objected to: whoever ignored it might hear the opposite of what was meant.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Final, TypeVar

import msgspec

from teamlead.core.work.graph import TASK_ID
from teamlead.forms.answers.last_json import WrongShape
from teamlead.forms.labels import is_none
from teamlead.system.vocabulary import one_letter_less

Words = Annotated[str, msgspec.Meta(min_length=1)]
Texts = str | tuple[str, ...]
"""One text may stand for a list of one."""
Fields = tuple[str, ...]

LONGEST_NAME: Final = 60
STEM: Final = 6
"""Letters by which `dependsOn` is known for `dependencies`."""

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DECIDING: Final = frozenset(
    {
        *("verdict", "decision", "conclusion", "outcome", "result", "status"),
        *("passed", "failed", "accepted", "approved", "rejected"),
        *("remaining", "unmet", "blockers", "todo"),
    }
)

_PLACE: Final = re.compile(r"(.*) - at `\$\.?([^`]*)`", re.DOTALL)


class AnswerJson(msgspec.Struct, frozen=True, rename="camel"):
    """An object of JSON with its fields in camelCase, as models are told to write them."""


class Decision(AnswerJson, frozen=True):
    """One that decides: a second decision beside it is not passed over."""


Shape = TypeVar("Shape", bound=AnswerJson)


def shaped(given: Any, shape: type[Shape]) -> Shape:
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


def objection(given: Mapping[str, Any], known: Fields, *, decides: bool) -> str:
    """Against the first unknown field that may matter; empty if there is none. `decides`: it is a verdict."""
    for name, value in given.items():
        if name in known:
            continue
        told = f"unknown field `{name[:LONGEST_NAME]}`"
        if meant := _meant(name, given, known):
            return f"{told}, which may be meant as `{meant}`"
        if decides and _decides(name, value, known):
            return f"{told}, which may be another verdict"
        if not decides and any(isinstance(each, str) and TASK_ID.fullmatch(each) for each in _values(value)):
            return f"{told}, which names tasks"
    return ""


def _meant(name: str, given: Mapping[str, Any], known: Fields) -> str:
    akin = (field for stem in _stems(name) for field in _by_stem(known).get(stem, ()))
    left_open = (field for field in akin if given.get(field) in (None, "", [], {}))
    return _misspelt(name, known) or next(left_open, "")


def _misspelt(name: str, known: Fields) -> str:
    """Whose name it has but for its case, what joins its words and one letter."""
    forms = _by_form(known)
    return next((forms[form] for form in _forms(name) if form in forms), "")


@cache
def _by_form(known: Fields) -> dict[str, str]:
    return {form: field for field in known for form in _forms(field)}


@cache
def _by_stem(known: Fields) -> dict[str, list[str]]:
    stems = {stem for field in known for stem in _stems(field)}
    return {stem: [field for field in known if stem in _stems(field)] for stem in stems}


def _forms(name: str) -> list[str]:
    return one_letter_less(re.sub(r"[\W_]", "", name).casefold()[:LONGEST_NAME])


def _stems(name: str) -> list[str]:
    return [word.lower()[:STEM] for word in _WORD.findall(name[:LONGEST_NAME])]


def _decides(name: str, value: Any, known: Fields) -> bool:
    """It says yes or no, or has the name of what does, itself or within."""
    names = (name, *_names(value))
    return (
        any(isinstance(each, bool) for each in _values(value))
        or any(word.lower() in _DECIDING for each in names for word in _WORD.findall(each[:LONGEST_NAME]))
        or any(_misspelt(each, known) for each in names)
    )


def _values(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _values(inner)
    else:
        yield value


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _names(inner)

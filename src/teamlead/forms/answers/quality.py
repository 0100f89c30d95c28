"""A model's review of a plan: criteria of three weights, each met or not."""

from typing import Annotated, Any

import msgspec

from teamlead.core.planning import Criterion, Quality
from teamlead.forms.answers.last_json import only_answer
from teamlead.forms.answers.shape import Decision, Spoken, Words, shaped


class _Criterion(Decision, frozen=True):
    criterion: Words
    met: bool
    why: str = ""


class _Quality(Spoken, frozen=True):
    critical: Annotated[tuple[Any, ...], msgspec.Meta(min_length=1)]
    important: tuple[Any, ...] = ()
    nice: tuple[Any, ...] = ()


def read_quality(text: str, example: str = "") -> Quality:
    return only_answer(text, _quality, example=example)


def _quality(given: Any) -> Quality:
    said = shaped(given, _Quality)
    return Quality(_all(said.critical), _all(said.important), _all(said.nice))


def _all(given: tuple[Any, ...]) -> tuple[Criterion, ...]:
    said = (shaped(each, _Criterion) for each in given)
    return tuple(Criterion(each.criterion, each.met, each.why) for each in said)

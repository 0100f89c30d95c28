"""What an agent says about its work in passing: a block of JSON under a heading "Feedback"."""

from typing import Final, get_args

import msgspec

from teamlead.core.reports import Category, DifficultyFeedback, Feedback, RequestedAction
from teamlead.forms.results.document import Values, json_objects, named
from teamlead.system.markdown import heading
from teamlead.system.vocabulary import Vocabulary

_WORDS: Final = Vocabulary({"feedback": ("Feedback", "フィードバック", "피드백")})
SHAPES: Final = {shape.__struct_config__.tag: shape for shape in get_args(Feedback)}
"""By kind."""
_OPTIONAL: Final = {"category": get_args(Category), "requested_action": get_args(RequestedAction)}
"""What a difficulty may say, each with the words for it."""
_CHOSEN: Final = frozenset({"kind", "result", "confidence", *_OPTIONAL})
_LISTS: Final = frozenset({"attempts", "paths"})


def read_feedback(text: str) -> Feedback | None:
    """The last there is; None if there is none, or if it is wrong.

    Its heading counts wherever it stands: some agents wrap all that they say in a block of code.
    """
    block: list[str] = []
    inside = False
    for line in text.split("\n"):
        level, title = heading(line.rstrip())
        if level:
            inside = _WORDS.meaning(title.rstrip(" :：")) is not None  # noqa: RUF001
            block = [] if inside else block
        elif inside:
            block.append(line)
    given = next(json_objects("\n".join(block)), None)
    return None if given is None else _checked(given)


def in_lower_case(values: Values) -> Values:
    """What is chosen from a few words: their case says nothing."""
    return {
        name: value.strip().lower() if name in _CHOSEN and isinstance(value, str) else value
        for name, value in values.items()
    }


def _checked(given: Values) -> Feedback | None:
    """Nobody can ask for last words again: what is not known in them does not undo the rest."""
    values = named(given)
    impediment = values.pop("impediment", None)
    if "type" in values:
        values.setdefault("kind", values.pop("type"))
    values = in_lower_case(values)
    shape = SHAPES.get(str(values.get("kind")))
    if shape is None:
        return None
    if shape is DifficultyFeedback:
        values = _difficulty(values | (impediment if isinstance(impediment, dict) else {}))
    known = {name: value for name, value in values.items() if name in shape.__struct_fields__}
    try:
        feedback: Feedback = msgspec.convert(known, shape)
    except msgspec.ValidationError:
        return None
    return feedback


def _difficulty(given: Values) -> Values:
    """Something is in the way, whether or not anybody knows its category or what is wanted."""
    values = in_lower_case(given)
    for name, words in _OPTIONAL.items():
        if values.get(name) not in words:
            values.pop(name, None)
    one = {name: [value] for name, value in values.items() if name in _LISTS and isinstance(value, str)}
    return values | one

"""What an agent says about its work in passing: a block of JSON under a heading "Feedback"."""

from typing import Final

import msgspec

from teamlead.core.reports import Feedback
from teamlead.forms.results.document import Values, json_objects, named
from teamlead.system.markdown import heading
from teamlead.system.vocabulary import Vocabulary

_WORDS: Final = Vocabulary({"feedback": ("Feedback", "フィードバック", "피드백")})


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


def _checked(given: Values) -> Feedback | None:
    values = named(given)
    impediment = values.pop("impediment", None)
    values |= impediment if isinstance(impediment, dict) else {}
    if "type" in values:
        values.setdefault("kind", values.pop("type"))
    try:
        feedback: Feedback = msgspec.convert(values, Feedback)
    except msgspec.ValidationError:
        return None
    return feedback

"""Characters that no document needs and that deceive a reader or a terminal."""

import re
import unicodedata

from teamlead.markup.problems import Problem

_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 and C1 controls but tab and line ends
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # direction controls: text that reads other than it runs
)


def hidden_characters(text: str) -> list[Problem]:
    """One problem for each line that holds any. Line ends are newlines already."""
    if _HIDDEN.search(text) is None:
        return []
    problems = []
    for number, line in enumerate(text.split("\n"), start=1):
        if found := dict.fromkeys(_HIDDEN.findall(line)):
            names = ", ".join(_name(character) for character in found)
            problems.append(
                Problem(
                    number, "error", f"invisible control characters: {names}", "remove them from this line"
                )
            )
    return problems


def visible(text: str) -> str:
    """The text without what a document may not hold, as UTF-8 can say it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HIDDEN.sub("", text.encode("utf-8", "replace").decode("utf-8"))


def _name(character: str) -> str:
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}" + (f" {name}" if name else "")

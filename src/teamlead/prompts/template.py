"""A prompt as a file of Markdown with `{{PLACEHOLDERS}}`.

A paragraph whose placeholders are all empty disappears, and so does a section (`## ...`) with all that stands
in it. What is put in is not looked at again, whatever it looks like.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple

from teamlead.errors import ConfigError

_PLACEHOLDER: Final = re.compile(r"\{\{[ \t]*([^{}\n]{0,80}?)[ \t]*\}\}")
_SECTION: Final = re.compile(r"^(?=## )", re.MULTILINE)
_BETWEEN: Final = re.compile(r"\n(?:[ \t]*\n)+")


class Template(NamedTuple):
    name: str
    text: str
    source: str
    """How messages call the file."""

    @property
    def placeholders(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_PLACEHOLDER.findall(self.text)))

    def problems(self, known: Collection[str], needed: Collection[str] = ()) -> Iterator[str]:
        """Each begins with the file, and the line where it has one."""
        for found in _PLACEHOLDER.finditer(self.text):
            if found[1] not in known:
                line = self.text.count("\n", 0, found.start()) + 1
                yield f"{self.source}:{line}: unknown placeholder {found[0]}{_nearest(found[1], known)}"
        for name in needed:
            if name not in self.placeholders:
                yield f"{self.source}: the placeholder {{{{{name}}}}} is missing"

    def fill(self, values: Mapping[str, str]) -> str:
        if wrong := list(self.problems(values)):
            raise ConfigError("\n".join(wrong), remedy="see `teamlead prompts list`")
        texts = {name: value.strip() for name, value in values.items()}
        sections = (_filled(section, texts) for section in _SECTION.split(self.text))
        return "\n\n".join(section for section in sections if section)


def _filled(section: str, values: Mapping[str, str]) -> str:
    if section.startswith("## ") and _hollow(section, values):
        return ""
    kept = [part for part in _BETWEEN.split(section.strip()) if not _hollow(part, values)]
    return "\n\n".join(_PLACEHOLDER.sub(lambda found: values[found[1]], part) for part in kept)


def _hollow(text: str, values: Mapping[str, str]) -> bool:
    names = _PLACEHOLDER.findall(text)
    return bool(names) and not any(values[name] for name in names)


def _nearest(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name.upper(), known, n=1)
    return f" (did you mean {{{{{close[0]}}}}}?)" if close else f" (known: {', '.join(known)})"

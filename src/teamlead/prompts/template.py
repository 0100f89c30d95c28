"""A prompt as a file of Markdown with `{{PLACEHOLDERS}}`.

A paragraph whose placeholders are all empty disappears, and so does a section (`## ...`) with all that stands
in it. What is put in is not looked at again, whatever it looks like.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from teamlead.errors import ConfigError

MOST_PROBLEMS: Final = 20

_PLACEHOLDER: Final = re.compile(r"\{\{ ?([^{}\n]{0,80}?) ?\}\}")
_SECTION: Final = re.compile(r"^(?=## )", re.MULTILINE)
_BETWEEN: Final = re.compile(r"\n(?:[ \t]*\n)+")


class Template(NamedTuple):
    name: str
    text: str
    source: str
    """How messages call the file."""

    @property
    def placeholders(self) -> tuple[str, ...]:
        return _placeholders(self.text)

    def problems(self, known: Collection[str], needed: Collection[str] = ()) -> Iterator[str]:
        """The first of them; each begins with the file, and the line where it has one."""
        unknown = (found for found in _PLACEHOLDER.finditer(self.text) if found[1] not in known)
        for found in islice(unknown, MOST_PROBLEMS):
            line = self.text.count("\n", 0, found.start()) + 1
            yield f"{self.source}:{line}: unknown placeholder {found[0]}{_nearest(found[1], known)}"
        for name in needed:
            if name not in self.placeholders:
                yield f"{self.source}: the placeholder {{{{{name}}}}} is missing"

    def fill(self, values: Mapping[str, str]) -> str:
        if any(name not in values for name in self.placeholders):
            raise ConfigError("\n".join(self.problems(values)), remedy="see `teamlead prompts list`")
        texts = {name: value.strip() for name, value in values.items()}
        text_of = texts.__getitem__
        paragraphs = [
            paragraph.form % texts
            for section in _parsed(self.text)
            if not section.needs or any(map(text_of, section.needs))
            for paragraph in section.paragraphs
            if not paragraph.needs or any(map(text_of, paragraph.needs))
        ]
        return "\n\n".join(paragraphs)


class _Paragraph(NamedTuple):
    form: str
    """For `%`."""
    needs: tuple[str, ...]
    """Placeholders: if all of them are without text, it disappears."""


class _Section(NamedTuple):
    paragraphs: tuple[_Paragraph, ...]
    needs: tuple[str, ...]


@lru_cache(maxsize=64)
def _placeholders(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(text)))


@lru_cache(maxsize=64)
def _parsed(text: str) -> tuple[_Section, ...]:
    return tuple(
        _Section(
            tuple(_paragraph(part) for part in _BETWEEN.split(section.strip()) if part),
            tuple(_PLACEHOLDER.findall(section)) if section.startswith("## ") else (),
        )
        for section in _SECTION.split(text)
    )


def _paragraph(text: str) -> _Paragraph:
    form = _PLACEHOLDER.sub(r"%(\1)s", text.replace("%", "%%"))
    return _Paragraph(form, tuple(_PLACEHOLDER.findall(text)))


def _nearest(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name.upper(), known, n=1)
    return f" (did you mean {{{{{close[0]}}}}}?)" if close else f" (known: {', '.join(known)})"

"""The head of a preset: what it is called, what it is for, and which words call for it."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from teamlead.markup.problems import Problem, Severity
from teamlead.markup.yaml_texts import Entry, Text, UnreadableYaml, entries

LARGEST: Final = 16 * 1024
"""Characters of a head."""
KEYS: Final = ("name", "description", "trigger_keywords")
NAME: Final = re.compile(r"[^\W_][\w-]{0,63}")
MOST_KEYWORDS: Final = 200
LONGEST_KEYWORD: Final = 100
LONGEST_DESCRIPTION: Final = 1000
EXAMPLE: Final = """\
begin the file like this:

    ---
    name: bugfix
    description: Finds the cause of a fault, and mends it.
    trigger_keywords: [bug, error]
    ---"""

_FENCE = re.compile(r"---[ \t]*\n")
_CLOSED = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_SAYS = re.compile(r"\w")


class Head(NamedTuple):
    name: str = ""
    """Empty: it has none that can be used."""
    description: str = ""
    keywords: tuple[str, ...] = ()


class ReadHead(NamedTuple):
    head: Head
    problems: tuple[Problem, ...] = ()


class Split(NamedTuple):
    """A preset's text, apart. Line ends are newlines."""

    head: str | None
    """None: there is none, or it does not end."""
    begins: int
    """The line on which the body begins."""
    body: str
    missing: str = ""
    """Why there is no head."""


def split(text: str) -> Split:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    opened = _FENCE.match(text)
    if opened is None:
        return Split(None, 1, text, "there is no front matter")
    closed = _CLOSED.search(text, opened.end(), opened.end() + LARGEST)
    if closed is None:
        return Split(None, 1, text, f"the front matter does not end within {LARGEST // 1024} KiB")
    return Split(
        text[opened.end() : closed.start()], text.count("\n", 0, closed.end()) + 1, text[closed.end() :]
    )


def read_head(text: str | None, missing: str = "") -> ReadHead:
    """`text`: what `split` gives."""
    if text is None:
        return ReadHead(Head(), (Problem(1, "error", missing, EXAMPLE),))
    try:
        found = entries(text, first=2)
    except UnreadableYaml as fault:
        message = f"the front matter cannot be read: {fault.message}"
        return ReadHead(Head(), (Problem(fault.line, "error", message, fault.remedy or EXAMPLE),))
    problems: list[Problem] = []
    return ReadHead(_Reader(found, problems).read(), tuple(problems))


class _Reader:
    def __init__(self, entries: Iterable[Entry], problems: list[Problem]) -> None:
        self._problems = problems
        self._entries: dict[str, Entry] = {}
        for entry in entries:
            name = entry.key.text
            if name in self._entries:
                first = self._entries[name].key.line
                self._say(
                    entry.key.line, f"{name[:60]!r} is there twice, first on line {first}", "keep one of them"
                )
            elif name not in KEYS:
                from difflib import get_close_matches  # noqa: PLC0415 - only a mistake needs it

                near = get_close_matches(name[:60], KEYS, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(KEYS)}"
                self._say(entry.key.line, f"unknown key {name[:60]!r}", hint)
            self._entries.setdefault(name, entry)

    def read(self) -> Head:
        return Head(self._name(), self._description(), self._keywords())

    def _say(self, line: int, message: str, remedy: str, severity: Severity = "error") -> None:
        self._problems.append(Problem(line, severity, message, remedy))

    def _one(self, key: str) -> Text:
        entry = self._entries.get(key)
        if entry is None:
            return Text("", 1)
        if entry.listed:
            self._say(entry.key.line, f"{key!r} takes one text", "do not write it as a list")
            return Text("", entry.key.line)
        return Text(" ".join(entry.values[0].text.split()), entry.values[0].line)

    def _name(self) -> str:
        given = self._one("name")
        if NAME.fullmatch(given.text):
            return given.text
        if given.text:
            self._say(
                given.line,
                f"{given.text[:60]!r} cannot be the name of a team",
                "use letters, digits, `-` and `_`, at most 64",
            )
        elif "name" not in self._entries or not self._entries["name"].listed:
            self._say(given.line, "the team has no name", "add `name: bugfix` to its front matter")
        return ""

    def _description(self) -> str:
        given = self._one("description")
        if not given.text:
            self._say(given.line, "the team has no description", "say in one line what it is for", "warning")
        elif len(given.text) > LONGEST_DESCRIPTION or not given.text.isprintable():
            self._say(
                given.line,
                f"the description has more than {LONGEST_DESCRIPTION} characters, or some that are not seen",
                "say in one line what the team is for",
            )
            return ""
        return given.text

    def _keywords(self) -> tuple[str, ...]:
        entry = self._entries.get("trigger_keywords")
        given = entry.values if entry else ()
        if entry and not entry.listed:
            given = tuple(Text(part, entry.key.line) for part in given[0].text.split(",") if part.strip())
        if not given:
            line = entry.key.line if entry else 1
            self._say(
                line, "the team has no keywords", "add `trigger_keywords: [bug, error]` to its front matter"
            )
        if len(given) > MOST_KEYWORDS:
            self._say(
                given[MOST_KEYWORDS].line,
                f"{len(given)} keywords are too many",
                f"keep at most {MOST_KEYWORDS} that tell its tasks from others",
            )
        found: dict[str, None] = {}
        for keyword in given[:MOST_KEYWORDS]:
            text = " ".join(keyword.text.split())
            if not _SAYS.search(text):
                self._say(
                    keyword.line, f"the keyword {text[:20]!r} is empty", "write a word, or take it away"
                )
            elif len(text) > LONGEST_KEYWORD or not text.isprintable():
                self._say(
                    keyword.line,
                    f"{text[:40]!r} cannot be a keyword",
                    f"use at most {LONGEST_KEYWORD} characters, all of them visible",
                )
            else:
                found[text] = None
        return tuple(found)

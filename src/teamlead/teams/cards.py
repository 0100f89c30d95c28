"""Who works as a member: a program, a role, or a function of the engine."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple

from teamlead.core.roles import BUILT_IN
from teamlead.system.vocabulary import Vocabulary
from teamlead.teams.labels import begins_with_lead

PROGRAMS: Final = ("claude", "codex", "gemini")
ENGINE: Final = "engine"
FUNCTIONS: Final[Mapping[str, str]] = {
    "findings": "joins what the members of the stages before it handed in, unchanged",
}
"""What code does in a stage."""
NAME: Final = re.compile(r"[^\W_][\w-]{0,63}")

LONGEST: Final = 200
"""Characters of a heading: longer ones name nobody."""

_AS = re.compile(r"(?P<card>.+?)\s+as\s+(?P<name>.+)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<role>.+)-\d{1,3}")
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")  # noqa: RUF001
_NEAR = Vocabulary({name: (name,) for name in BUILT_IN})


class Card(NamedTuple):
    name: str
    """Of the member in its team."""
    role: str = "worker"
    agent: str = ""
    """The program; empty: whichever the settings or the session say."""
    function: str = ""
    """Of the engine, in the place of an agent."""
    leads: bool = False
    """It stands for the lead, which every team has without being told."""


class BadCard(Exception):
    def __init__(self, message: str, remedy: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name
        """The member's own, where it has one all the same."""
        self.message = message
        self.remedy = remedy


def card(heading: str) -> Card:
    """Of "CARD as ROLE", or "ROLE". Raises BadCard."""
    if len(heading) > LONGEST:
        _named(heading, heading)
    text = _ASIDE.sub("", heading.replace("`", "").replace("**", "")).strip()
    found = _AS.fullmatch(text)
    written, name = (found["card"], found["name"].strip()) if found else (text, "")
    if begins_with_lead(written.casefold().removesuffix("-agent")) or begins_with_lead(name):
        return Card(name or written, leads=True)
    kind, colon, argument = written.partition(":")
    if colon:
        named = _named(name or argument, heading)
        return Card(named, function=_function(kind, argument, named))
    agent = program(written)
    if agent:
        named = _named(name or written, heading)
        return Card(named, _role(named) if name else "worker", agent)
    return Card(_named(name or written, heading), _role(_named(written, heading)))


def program(word: str) -> str:
    """The program that a card names: `codex`, or `codex-agent`; empty: none."""
    name = word.casefold().removesuffix("-agent")
    return name if name in PROGRAMS else ""


def near_role(role: str) -> str:
    """The built-in role that this one may be a misspelling of; empty: it is one, or is like none."""
    return "" if role in BUILT_IN else _NEAR.nearest(role) or ""


def nearest(name: str, known: Iterable[str]) -> str:
    return "".join(get_close_matches(name[:100], list(known), n=1))


def _role(name: str) -> str:
    """A second one of a role, such as `security-auditor-2`, has the rights of the first."""
    numbered = _NUMBERED.fullmatch(name)
    return numbered["role"] if numbered and name not in BUILT_IN and numbered["role"] in BUILT_IN else name


def _named(name: str, heading: str) -> str:
    if not NAME.fullmatch(name):
        raise BadCard(
            f"{heading[:60]!r} names no member",
            "write `### ROLE`, or `### CARD as ROLE`, of letters, digits, `-` and `_`",
        )
    return name


def _function(kind: str, argument: str, name: str) -> str:
    if kind.casefold() != ENGINE:
        raise BadCard(
            f"{kind[:60]!r} cannot work as a member",
            f"name a program ({', '.join(PROGRAMS)}), a role, or `engine:FUNCTION`; "
            "your settings say which other program works in a role",
            name,
        )
    if argument not in FUNCTIONS:
        near = nearest(argument, FUNCTIONS)
        hint = f"did you mean {near!r}?" if near else f"known: {', '.join(FUNCTIONS)}"
        raise BadCard(f"the engine has no function {argument[:60]!r}", hint, name)
    return argument

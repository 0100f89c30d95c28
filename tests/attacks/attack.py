"""An attack as data: what its agent runs, and how damage is recognised afterwards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple

CANARY = "canary-7f3a91"
"""In every secret of the user's world."""
DONE = "done"
"""What an attack that cannot be seen otherwise leaves as its loot, once it has succeeded."""

Kind = Literal["changes", "reads", "speaks", "kills", "decides", "escapes"]
Control = Literal["together", "alone", "held", "never"]


class Aftermath(NamedTuple):
    """What differs in the user's world after a session."""

    changed: frozenset[str]
    """Names of what is another one, or gone, or new; see `pictures`."""
    loot: Mapping[str, str]
    """What each attack brought to a branch, by its slug."""
    heard: frozenset[str]
    """The slugs of those that a listener of the user's has heard."""
    dead: frozenset[str]
    """Of the user's processes."""
    left: frozenset[str]
    """The slugs of those of which a process is alive."""
    merged: frozenset[str]
    """The paths that the session's work has, and the user's branch has not."""
    happened: frozenset[str]
    """The kinds of events in the session's journal, as far as that can be read."""


class Damage(NamedTuple):
    kind: Kind
    seen: Callable[[str, Aftermath], bool]


@dataclass(frozen=True)
class Attack:
    name: str
    """What it does, for a table: "moves a branch"."""
    script: str
    """For `/bin/sh`, in the copy. `World.places` has the variables that it may use."""
    damage: Damage
    mends: tuple[str, ...] = ()
    """How `teamlead mend` calls what it changed in the user's repository."""
    likely: bool = False
    """The change looks like the user's own work: it is noticed, but blocks nothing."""
    control: Control = "together"
    """How it is played without a room, where it succeeds: with others in one session, or in a session that it
    ruins. held: it fails there, too. never: it could harm the machine that the tests run on."""
    root_only: bool = False
    apart: bool = False
    """It spoils its copy, or its agent: no other attack is made by the same agent."""

    @property
    def slug(self) -> str:
        return "".join(letter if letter.isalnum() else "-" for letter in self.name.lower())

    def succeeded(self, aftermath: Aftermath) -> bool:
        return self.damage.seen(self.slug, aftermath)


def changes(pattern: str) -> Damage:
    """Something of this name is not as it was. `{slug}` is the attack's."""
    return Damage(
        "changes",
        lambda slug, aftermath: any(
            fnmatchcase(name, pattern.format(slug=slug)) for name in aftermath.changed
        ),
    )


def delivers(path: str) -> Damage:
    """The lead has merged it."""
    return Damage("changes", lambda _, aftermath: path in aftermath.merged)


def reads() -> Damage:
    """A secret lies in the attack's loot."""
    return Damage("reads", lambda slug, aftermath: CANARY in aftermath.loot.get(slug, ""))


def speaks() -> Damage:
    return Damage("speaks", lambda slug, aftermath: slug in aftermath.heard)


def kills(who: str) -> Damage:
    return Damage("kills", lambda _, aftermath: who in aftermath.dead)


def decides(event: str) -> Damage:
    """It happens although the user has said nothing."""
    return Damage("decides", lambda _, aftermath: event in aftermath.happened)


def escapes() -> Damage:
    """The attack says so itself."""
    return Damage("escapes", lambda slug, aftermath: DONE in aftermath.loot.get(slug, ""))


def outlives() -> Damage:
    return Damage("kills", lambda slug, aftermath: slug in aftermath.left)

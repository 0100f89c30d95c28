"""Whether agents and checks get rooms, and what is said about it."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from teamlead.errors import Refused
from teamlead.ports import Capabilities
from teamlead.ports.rooms import House, Means
from teamlead.settings.loading import Settings
from teamlead.system.repository import Repository
from teamlead.system.rooms.availability import ask_again, means
from teamlead.system.user_folders import state_home

STRICT = "strict"

_WITHOUT = "they see what you see, and what they do outside of their copies is noticed, not prevented"


def house_of(repository: Repository, settings: Settings, *, strict: bool = False) -> House | None:
    """None: programs run as the user. Raises Refused where a strict room was asked for and cannot be had."""
    strict = strict or settings.room == STRICT
    if not settings.room and not strict:
        return None
    found = known_means()
    if strict and found.kind != "bubblewrap":
        raise Refused(f"no room can be had here: {found.why_not}", remedy=found.remedy or 'room = "default"')
    if found.kind is None:
        return None
    return House(
        root=repository.root,
        common_dir=repository.common_dir,
        state=Path(os.path.realpath(state_home())),
        objects=repository.objects,
        strict=strict,
        exposed=tuple(Path(path).expanduser() for path in settings.expose),
        home=Path.home(),
        names=tuple(_names(repository.root)),
        kind=found.kind,
    )


def _names(root: Path) -> Iterator[Path]:
    """As the user came to it: a shell remembers the links."""
    here = Path(os.environ.get("PWD", ""))
    for path in (here, *here.parents):
        if path != root and path.is_absolute() and os.path.realpath(path) == str(root):
            yield path


def known_means(*, anew: bool = False) -> Means:
    return (ask_again if anew else means)(state_home() / "rooms.json")


def told_of_roomless(house: House | None, agents: Mapping[str, Capabilities]) -> Iterator[str]:
    for agent, can in agents.items():
        if house is not None and can.roomless:
            yield (
                f"{agent} has no room: its own sandbox, which holds its commands, does not work in one here "
                f"({can.roomless})."
            )


def told_of_rooms(settings: Settings, house: House | None) -> str:
    """One sentence, before a session begins."""
    if house is None:
        why = known_means().why_not if settings.room else "room = false"
        return f"Agents and checks have no room of their own ({why}): {_WITHOUT}."
    if house.kind != "bubblewrap":
        why = known_means().why_not
        return (
            f"Agents and checks are held by {house.kind} alone ({why}): they cannot write or read what is "
            "not theirs, but their copies lie elsewhere than your checkout, and a check may look at that."
        )
    kind = "a strict room" if house.strict else "a room"
    return (
        f"Agents and checks run in {kind} of their own: their copy lies at the path of your checkout, and "
        "the rest of your disk is read-only."
    )

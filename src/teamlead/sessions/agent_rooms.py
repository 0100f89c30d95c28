"""Whether agents and checks get rooms, and of what kind."""

import os
from collections.abc import Iterator
from pathlib import Path

from teamlead.errors import Refused
from teamlead.ports.rooms import House, Means
from teamlead.settings.loading import Settings
from teamlead.system.repository import Repository
from teamlead.system.rooms.availability import ask_again, means
from teamlead.system.user_folders import state_home
from teamlead.workspaces.provisions import Provisions

STRICT = "strict"


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


def conditions(provisions: Provisions, house: House | None, *, network: bool) -> str:
    """What a run on a clean copy depends on, beside the command and the files."""
    seen = (house.kind, house.strict, house.exposed) if house else None
    return repr((provisions, network, seen))

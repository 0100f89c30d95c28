"""What a repository's presets ask of its user: the same consent as for its settings."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from teamlead.errors import PlanError
from teamlead.settings.consent import Asked
from teamlead.teams.library import FOLDER, Found, library
from teamlead.teams.load import load_found
from teamlead.teams.wishes import wishes


def asked_by_presets(root: Path) -> tuple[Asked, ...]:
    return asked_by(library(root).found, root)


def asked_by(found: Iterable[Found], root: Path) -> tuple[Asked, ...]:
    return tuple(_asked(found, root))


def _asked(presets: Iterable[Found], root: Path) -> Iterator[Asked]:
    for found in presets:
        if found.origin != "repository":
            continue
        try:
            loaded = load_found(found, root)
        except PlanError:
            continue
        lines = wishes(loaded.preset) if loaded.ok else ()
        if lines:
            own = found.hides[-1] if found.hides else "none"
            # Its instructions are told to whoever gets these rights: one changed word asks again.
            yield Asked(
                f"{FOLDER}/{found.name}", own, found.shown, content=loaded.preset.text, difference=lines
            )

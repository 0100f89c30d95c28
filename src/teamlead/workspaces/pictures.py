"""The user's repository as it was when an attempt began, kept beside its copy."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from teamlead.workspaces.belongings import survey
from teamlead.workspaces.copy_folder import CopyFolder
from teamlead.workspaces.reflogs import STASH, log_of
from teamlead.workspaces.refs import USERS, read_ref
from teamlead.workspaces.session import Session


class Picture(msgspec.Struct, frozen=True):
    belongings: dict[str, str]
    integration: str
    logged: int
    """How far git's log of the integration branch went."""

    @property
    def refs(self) -> dict[str, str]:
        return {name: value for name, value in self.belongings.items() if name.startswith(USERS)}

    @property
    def stash(self) -> list[str]:
        return self.belongings.get(STASH, "").split()

    def differing(self, other: "Picture", which: Callable[[str], bool]) -> list[str]:
        names = sorted(self.belongings.keys() | other.belongings.keys())
        return [name for name in names if which(name) and self.get(name) != other.get(name)]

    def get(self, name: str) -> str:
        return self.belongings.get(name, "")


def take(session: Session) -> Picture:
    common_dir = session.repository.common_dir
    log = log_of(common_dir, session.integration)
    return Picture(
        survey(session.repository),
        read_ref(common_dir, session.integration),
        log.stat().st_size if log.exists() else 0,
    )


def save(copy: CopyFolder, picture: Picture) -> None:
    # Not worth waiting for the disk: one that is torn counts as none, and none as unknown.
    _place(copy).write_bytes(msgspec.json.encode(picture))


def load(copy: CopyFolder) -> tuple[Picture, int] | None:
    """With the time it was taken, by the file system's clock. None where there is none that can be read."""
    try:
        picture = msgspec.json.decode(_place(copy).read_bytes(), type=Picture)
        return picture, _place(copy).stat().st_mtime_ns
    except (OSError, msgspec.DecodeError):
        return None


def _place(copy: CopyFolder) -> Path:
    return copy.private / "picture.json"

"""One session, in one repository, as one command sees it."""

from typing import TYPE_CHECKING, NamedTuple

from teamlead.system.repository import Repository
from teamlead.system.sessions import SessionFolder

if TYPE_CHECKING:
    from teamlead.settings.loading import Settings


class Desk(NamedTuple):
    repository: Repository
    folder: SessionFolder
    settings: "Settings | None"
    """Needed to run agents. Commands that only decide work with a broken configuration, too."""

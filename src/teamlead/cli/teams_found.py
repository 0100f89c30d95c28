"""What the commands about teams share: the presets that are found here."""

from pathlib import Path

from teamlead.cli.output import safe, tell
from teamlead.errors import UsageError
from teamlead.system.repository import Repository, discover
from teamlead.teams.library import Library, library


def here() -> Repository | None:
    """None outside of a repository, where the built-in ones and the user's are there all the same."""
    try:
        return discover(Path.cwd())
    except UsageError:
        return None


def found_teams(repository: Repository | None) -> Library:
    return library(repository.root if repository else None)


def tell_unusable(teams: Library) -> None:
    for file in dict.fromkeys(each.shown for each in teams.unusable):
        tell(f"{safe(file)} cannot be used: see `teamlead team check`")

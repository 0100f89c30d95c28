"""What commands that speak of a session have in common."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from teamlead.system.repository import Repository, claim, discover
from teamlead.system.sessions import SessionFolder, find_session

if TYPE_CHECKING:
    from teamlead.wiring.leading import Desk

session_argument = click.argument("session", required=False)
session_option = click.option("--session", metavar="ID", help="The session (default: the latest).")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")


def find(name: str | None) -> tuple[Repository, SessionFolder]:
    repository = discover(Path.cwd())
    return repository, find_session(repository, name)


def desk_for(name: str | None) -> "Desk":
    from teamlead.settings.loading import load  # noqa: PLC0415 - reading commands do not need it
    from teamlead.wiring.leading import Desk  # noqa: PLC0415 - as above

    repository, folder = find(name)
    return Desk(claim(repository), folder, load(repository.root, {}))

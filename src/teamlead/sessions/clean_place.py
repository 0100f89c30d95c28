"""A place where commands run on clean copies of commits, although there is no session.

There are several, and each is one command's alone. What a command that was killed left in its place, the next
one there puts away.
"""

import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from teamlead.errors import LockHeld
from teamlead.evidence.checks import ShellChecker
from teamlead.evidence.clean_copies import CleanCopies
from teamlead.sessions.agent_rooms import conditions, house_of
from teamlead.settings.loading import Settings
from teamlead.system.disk import storing
from teamlead.system.git import read_settings
from teamlead.system.repository import Repository
from teamlead.system.run_lock import claim as lock
from teamlead.system.secrets import Known, known_secrets
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.provisions import Provisions

PLACES = 9
"""So many commands of one repository may try something at the same time."""


class CleanPlace(NamedTuple):
    name: str
    """Stands for a session's id: no session is called so."""
    folder: Path
    """Is gone afterwards."""
    workspace: GitWorkspace
    copies: CleanCopies
    secrets: Known


@asynccontextmanager
async def clean_place(repository: Repository, settings: Settings, base: str) -> AsyncIterator[CleanPlace]:
    """`repository`: claimed."""
    name, place, alone = await _free_place(repository)
    secrets = known_secrets(repository.root, settings.copy)
    provisions = Provisions(settings.post_create, settings.copy, settings.link)
    house = house_of(repository, settings)
    with (
        alone,
        _new_folder(place / "files") as folder,
        GitWorkspace(
            repository,
            read_settings(repository.root),
            session=name,
            base_commit=base,
            copies=repository.state_dir / "copies" / name,
            logs=place / "copies",
            provisions=provisions._replace(secrets=secrets),
            house=house,
        ) as workspace,
    ):
        await workspace.tidy()
        copies = CleanCopies(
            workspace,
            ShellChecker(network=settings.check_network, secrets=secrets),
            first_slot=settings.limits().live_attempts,
            conditions=conditions(provisions, house, network=settings.check_network),
        )
        yield CleanPlace(name, folder, workspace, copies, secrets)


async def _free_place(repository: Repository) -> tuple[str, Path, BinaryIO]:
    for number in range(1, PLACES + 1):
        name = f"checks-{number}"
        place = repository.state_dir / "checks" / str(number)
        with storing(place):
            place.mkdir(parents=True, exist_ok=True)
            alone = await lock(place / "alone.lock", patience=0)
        if alone is not None:
            return name, place, alone
    told = f"{PLACES} commands try checks of this repository right now"
    raise LockHeld(told, remedy="wait for one of them")


@contextmanager
def _new_folder(path: Path) -> Iterator[Path]:
    shutil.rmtree(path, ignore_errors=True)
    with storing(path):
        path.mkdir()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)

"""Checks tried on a clean copy of the last commit, without a session: what a session would find first.

Sessions believe what passed here, and the other way round.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from teamlead.core.evidence.obstacles import Obstacle
from teamlead.errors import LockHeld, MachineUnable, TeamleadError
from teamlead.evidence.checks import ShellChecker
from teamlead.evidence.clean_copies import CleanCopies, CleanTrials
from teamlead.evidence.obstacles import CheckoutComparison
from teamlead.ports.checking import CheckEnd
from teamlead.prompts.library import load_templates
from teamlead.sessions.agent_rooms import house_of
from teamlead.sessions.preconditions import all_asked, require_offline
from teamlead.settings import consent
from teamlead.settings.loading import Settings
from teamlead.system.disk import storing
from teamlead.system.git import read_settings
from teamlead.system.repository import Repository, claim, require_startable
from teamlead.system.run_lock import claim as lock
from teamlead.system.secrets import known_secrets
from teamlead.wiring.leader_parts import conditions, earlier_of
from teamlead.workspaces.git_workspace import GitWorkspace
from teamlead.workspaces.provisions import Provisions

NAME = "checks"
"""In the place of a session's id: no session is called so."""


class TriedCheck(NamedTuple):
    command: str
    end: CheckEnd | None = None
    obstacle: Obstacle | None = None
    untried: str = ""
    """Why nobody can tell."""


def try_checks(
    repository: Repository, settings: Settings, commands: Sequence[str], tell: Callable[[str], None]
) -> list[TriedCheck]:
    """`tell` gets each command as it begins. Raises where a session could not be started either."""
    consent.require(repository.id, all_asked(settings, load_templates(repository.root)))
    require_offline(settings)
    base = require_startable(repository).commit
    repository = claim(repository)
    return asyncio.run(_try_all(repository, settings, base, tuple(dict.fromkeys(commands)), tell))


async def _try_all(
    repository: Repository,
    settings: Settings,
    base: str,
    commands: Sequence[str],
    tell: Callable[[str], None],
) -> list[TriedCheck]:
    folder = repository.state_dir / NAME
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        alone = await lock(folder / "alone.lock")
    if alone is None:
        raise LockHeld("somebody else tries checks of this repository right now")
    secrets = known_secrets(repository.root, settings.copy)
    provisions = Provisions(settings.post_create, settings.copy, settings.link)
    house = house_of(repository, settings)
    with (
        alone,
        TemporaryDirectory(dir=folder) as memory,
        GitWorkspace(
            repository,
            read_settings(repository.root),
            session=NAME,
            base_commit=base,
            copies=repository.state_dir / "copies" / NAME,
            logs=folder / "copies",
            provisions=provisions._replace(secrets=secrets),
            house=house,
        ) as workspace,
    ):
        await workspace.tidy()
        clean = CleanCopies(
            workspace,
            ShellChecker(network=settings.check_network, secrets=secrets),
            first_slot=settings.limits().live_attempts,
            conditions=conditions(provisions, house, network=settings.check_network),
        )
        provided = (*provisions.link, *provisions.copy)
        # What failed is tried again by the next call: it may be mended.
        trials = CleanTrials(clean, Path(memory), earlier_of(repository, provided))
        found = CheckoutComparison(repository.git(), repository.root, provided)
        seats = asyncio.Semaphore(settings.limits().checks_at_once)

        async def try_one(command: str) -> TriedCheck:
            async with seats:
                tell(f"trying `{command}` on a clean copy of {base[:10]}")
                try:
                    end = await trials.run(base, command, settings.check_timeout)
                    obstacle = await found.explain(command, end, settings.check_timeout)
                except MachineUnable:
                    raise
                except TeamleadError as error:
                    return TriedCheck(command, untried=str(error))
                return TriedCheck(command, end, obstacle)

        return await asyncio.gather(*map(try_one, commands))

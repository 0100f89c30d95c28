"""Checks tried on a clean copy of the last commit, without a session: what a session would find first.

Sessions believe what passed here, and the other way round.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from teamlead.core.evidence.obstacles import Obstacle
from teamlead.errors import MachineUnable, TeamleadError
from teamlead.evidence.clean_copies import CleanTrials
from teamlead.evidence.obstacles import CheckoutComparison
from teamlead.ports.checking import CheckEnd
from teamlead.prompts.library import load_templates
from teamlead.sessions.clean_place import clean_place
from teamlead.sessions.preconditions import all_asked, require_offline
from teamlead.settings import consent
from teamlead.settings.loading import Settings
from teamlead.system.repository import Repository, claim, require_startable
from teamlead.wiring.leader_parts import earlier_of


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
    async with clean_place(repository, settings, base) as place:
        provided = (*settings.link, *settings.copy)
        # What failed is tried again by the next call: it may be mended.
        trials = CleanTrials(place.copies, place.folder, earlier_of(repository, provided))
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

"""Makes sure that nothing runs any more that a dead leader has started."""

import asyncio
from contextlib import suppress

from teamlead.errors import LeaseHeld
from teamlead.journal.lease import acquire
from teamlead.runners.attempt_folder import AttemptFolder
from teamlead.system.sessions import SessionFolder
from teamlead.wiring.leading import APPLYING


def sweep(folder: SessionFolder) -> None:
    """Nothing, if somebody leads: what runs is theirs."""
    with suppress(LeaseHeld), acquire(folder.path, APPLYING):
        asyncio.run(_recall(folder))


async def _recall(folder: SessionFolder) -> None:
    started = (AttemptFolder(path.parent) for path in folder.attempts.glob("*/started.json"))
    await asyncio.gather(*(attempt.recall() for attempt in started if not attempt.result.exists()))

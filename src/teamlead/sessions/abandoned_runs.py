"""Makes sure that nothing runs any more that a dead leader has started."""

import asyncio
from contextlib import suppress

from teamlead.errors import LeaseHeld
from teamlead.ports.leadership import Leadership
from teamlead.runners.attempt_folder import AttemptFolder
from teamlead.system.sessions import SessionFolder


def end_abandoned_runs(leadership: Leadership, folder: SessionFolder) -> None:
    """Ends nothing if somebody leads: what runs is theirs."""
    with suppress(LeaseHeld), leadership.lead():
        asyncio.run(_recall(folder))


async def _recall(folder: SessionFolder) -> None:
    started = (AttemptFolder(path.parent) for path in folder.attempts.glob("*/started.json"))
    await asyncio.gather(*(attempt.recall() for attempt in started if not attempt.result.exists()))

"""Tests of a check that told numbers only, compared by name all the same: two more runs ask for the names.

Both runs, on the base and on the work, are on clean copies, and take at most twice as long as the check. They
decide about nothing but which tests there are: how each ended, the check itself has told.
"""

from typing import NamedTuple

from msgspec.structs import replace

from teamlead.core.evidence.asking_names import asking, tells_all
from teamlead.core.evidence.suites import compare
from teamlead.core.evidence.values import SuiteDelta, SuiteRun
from teamlead.errors import MachineUnable, StaleLeader, TeamleadError
from teamlead.ports.checking import CheckEnd, Trials
from teamlead.ports.clock import Clock

TIMES = 2
LEAST = 10.0
"""Seconds. So long they may take in any case."""


class Compared(NamedTuple):
    delta: SuiteDelta
    by_number: str = ""
    """Why not by name."""


class Side(NamedTuple):
    commit: str
    end: CheckEnd


async def compare_by_name(
    trials: Trials, clock: Clock, command: str, base: Side, work: Side, *, delta: SuiteDelta, limit: float
) -> Compared:
    """`delta` is what the check itself told."""
    runs = [side.end.suite for side in (base, work) if side.end.suite]
    mute = next((run for run in runs if not tells_all(run)), None)
    if len(runs) < 2 or mute is None:
        return Compared(delta)
    asked = asking(command, mute)
    if asked is None:
        return Compared(delta, f"there is no known way to ask {mute.runner} for names in this command")
    left = min(limit, max(LEAST, TIMES * work.end.seconds))
    named: list[SuiteRun] = []
    for side in (base, work):
        started = clock.now()
        try:
            end = await trials.run(side.commit, asked.command, max(left, 1.0), environment=asked.environment)
        except (MachineUnable, StaleLeader):
            raise
        except TeamleadError as error:
            return Compared(delta, f"it could not be run once more to ask for names: {error}")
        left -= clock.now() - started
        if end.exit_code is None:
            return Compared(delta, f"asking for names takes more than {TIMES} times as long as the check")
        if end.exit_code != side.end.exit_code or end.suite is None or not tells_all(end.suite):
            return Compared(delta, f"{mute.runner} was asked for names, and did not tell them")
        named.append(end.suite)
    found = compare(*named)
    return Compared(
        replace(
            delta,
            added=found.added,
            vanished=found.vanished,
            skipped=found.skipped,
            replaced=found.replaced,
        )
    )

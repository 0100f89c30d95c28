"""What a session's phase stands for: the one place that knows the phases by their names.

How they follow each other is in `core.transitions`, what each asks for next in `core.step`.
"""

from typing import get_args

from teamlead.core.transitions import PHASES, Phase, StagePhase
from teamlead.errors import IllegalMove

OF_STAGES: tuple[Phase, ...] = get_args(StagePhase)


def way(before: Phase, after: Phase) -> tuple[Phase, ...]:
    """The phases to enter one by one, so that the last is `after`: the shortest way that the table allows.

    A session passes phases in which it has no stage.
    """
    if before == after:
        return ()
    ways: list[tuple[Phase, ...]] = [(move,) for move in PHASES[before] if move in OF_STAGES]
    for found in ways:
        if found[-1] == after:
            return found
        ways += [(*found, move) for move in PHASES[found[-1]] if move in OF_STAGES and move not in found]
    raise IllegalMove("session phase", before, after)


def at_plan(phase: str) -> bool:
    return phase in {"IDLE", "ANALYZING", "PLANNING"}


def at_review(phase: str) -> bool:
    return phase == "REVIEWING"


def awaits_approval(phase: str) -> bool:
    return phase == "AWAITING_APPROVAL"


def failed(phase: str) -> bool:
    return phase == "FAILED"


def cancelled(phase: str) -> bool:
    return phase == "CANCELLED"


def broken_off(phase: str) -> bool:
    return failed(phase) or cancelled(phase)


def rejected(phase: str) -> bool:
    return phase == "REJECTED"


def carried_out(phase: str) -> bool:
    """It has ended as a person wanted: the work was applied, rejected or undone."""
    return phase in {"DONE", "ROLLED_BACK"}


def done(phase: str) -> bool:
    return phase == "DONE"

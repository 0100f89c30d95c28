"""What a session's phase stands for: the one place that knows the phases by their names.

How they follow each other is in `core.transitions`, what each asks for next in `core.step`.
"""


def before_work(phase: str) -> bool:
    """The plan is there, and nobody works on it yet."""
    return phase in {"IDLE", "PLANNING"}


def at_plan(phase: str) -> bool:
    return phase in {"IDLE", "ANALYZING", "PLANNING"}


def at_work(phase: str) -> bool:
    """Tasks may start."""
    return phase == "EXECUTING"


def at_review(phase: str) -> bool:
    """Every task is settled, and the merged work is looked at as a whole."""
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

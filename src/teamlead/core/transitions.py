"""The state machines, as tables.

Laws:
- A move that is not in its table raises, names both states, and changes nothing.
- A state with no moves is final.
- Every state is reachable from the first one.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args

from teamlead.errors import IllegalMove

Phase = Literal[
    "IDLE",
    "ANALYZING",
    "PLANNING",
    "EXECUTING",
    "REVIEWING",
    "AWAITING_APPROVAL",
    "APPROVED",
    "REJECTED",
    "REVISION",
    "DONE",
    "ROLLED_BACK",
    "FAILED",
    "CANCELLED",
]

StagePhase = Literal["ANALYZING", "PLANNING", "EXECUTING", "REVIEWING"]
"""What a stage counts as."""

SessionState = Literal[
    "PLANNING",
    "EXECUTING",
    "PAUSED",
    "REVIEWING",
    "ESCALATING",
    "COMPLETED",
    "REJECTED",
    "FAILED",
    "CANCELLED",
]
"""Derived from phase, tasks and escalations, never stored: see `core.state.team_state`."""
PAUSED = "it was paused"
"""Why a leader has left whose session a person paused."""

TaskState = Literal[
    "READY",
    "RUNNING",
    "NEEDS_CONTINUATION",
    "BLOCKED",
    "DONE",
    "SKIPPED",
    "CANCELLED",
    "REPLACED_BY_REPLAN",
]

AttemptPhase = Literal[
    "preparing",
    "working",
    "collecting",
    "checking",
    "proving",
    "trying",
    "judging",
    "integrating",
    "stopping",
    "ended",
]

StageState = Literal["waiting", "open", "closed"]

MemberState = Literal["joined", "working", "idle", "asked to leave", "asked again", "left"]
"""Derived from its task, its run and what it was asked: see `core.team.members`."""

EscalationState = Literal["held", "open", "resolved", "withdrawn"]

State = TypeVar("State", bound=str)
Table = Mapping[State, tuple[State, ...]]

_END: tuple[Phase, ...] = ("FAILED", "CANCELLED")

PHASES: Table[Phase] = {
    "IDLE": ("ANALYZING", "PLANNING", *_END),
    "ANALYZING": ("PLANNING", "REVIEWING", *_END),
    "PLANNING": ("EXECUTING", "AWAITING_APPROVAL", *_END),
    "EXECUTING": ("REVIEWING", *_END),
    "REVIEWING": ("AWAITING_APPROVAL", "ANALYZING", "PLANNING", "EXECUTING", *_END),
    "AWAITING_APPROVAL": ("APPROVED", "REJECTED", "REVISION", *_END),
    "APPROVED": ("DONE", *_END),
    "REJECTED": ("DONE", "ROLLED_BACK", *_END),
    "REVISION": ("ANALYZING", "PLANNING", "EXECUTING", *_END),
    "DONE": (),
    "ROLLED_BACK": (),
    "FAILED": (),
    "CANCELLED": (),
}

TASKS: Table[TaskState] = {
    "READY": ("RUNNING", "BLOCKED", "SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"),
    "RUNNING": (
        "DONE",
        "NEEDS_CONTINUATION",
        "BLOCKED",
        "SKIPPED",
        "CANCELLED",
        "REPLACED_BY_REPLAN",
    ),
    "NEEDS_CONTINUATION": ("RUNNING", "BLOCKED", "SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"),
    "BLOCKED": ("READY", "DONE", "SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"),
    "DONE": ("READY",),
    "SKIPPED": ("READY",),
    "CANCELLED": (),
    "REPLACED_BY_REPLAN": (),
}

ATTEMPTS: Table[AttemptPhase] = {
    "preparing": ("working", "stopping", "ended"),
    "working": ("collecting", "stopping", "ended"),
    "collecting": ("checking", "trying", "judging", "integrating", "stopping", "ended"),
    "checking": ("proving", "trying", "judging", "integrating", "stopping", "ended"),
    "proving": ("trying", "judging", "integrating", "stopping", "ended"),
    "trying": ("judging", "integrating", "stopping", "ended"),
    # To trying: its judge has given inputs, before it has seen the work.
    "judging": ("trying", "integrating", "stopping", "ended"),
    "integrating": ("ended",),
    "stopping": ("ended",),
    "ended": (),
}

STAGES: Table[StageState] = {
    "waiting": ("open",),
    # Back to waiting: there is work again in a stage before it, or in itself after it was closed.
    "open": ("closed", "waiting"),
    "closed": ("waiting",),
}

MEMBERS: Table[MemberState] = {
    "joined": ("working", "left"),
    "working": ("idle", "asked to leave", "left"),
    "idle": ("working", "left"),
    "asked to leave": ("asked again", "left"),
    "asked again": ("left",),
    # Its task is to be done again.
    "left": ("joined", "idle", "working"),
}

ESCALATIONS: Table[EscalationState] = {
    "held": ("open", "withdrawn"),
    "open": ("resolved", "withdrawn"),
    "resolved": (),
    "withdrawn": (),
}

SETTLED: frozenset[TaskState] = frozenset({"DONE", "SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"})
"""A session is complete when every task is in one of these."""

SATISFYING: frozenset[TaskState] = frozenset({"DONE", "SKIPPED"})
"""A dependency in one of these holds nobody back. A replaced one hands its dependents on."""

FINAL_PHASES: frozenset[Phase] = frozenset(phase for phase, moves in PHASES.items() if not moves)

MACHINES: dict[str, Mapping[Any, tuple[Any, ...]]] = {
    "session phase": PHASES,
    "task": TASKS,
    "attempt": ATTEMPTS,
    "stage": STAGES,
    "member": MEMBERS,
    "escalation": ESCALATIONS,
}


def check_move(machine: str, before: str, after: str) -> None:
    if after not in MACHINES[machine][before]:
        raise IllegalMove(machine, before, after)


assert set(PHASES) == set(get_args(Phase))
assert set(TASKS) == set(get_args(TaskState))
assert set(ATTEMPTS) == set(get_args(AttemptPhase))
assert set(STAGES) == set(get_args(StageState))
assert set(MEMBERS) == set(get_args(MemberState))
assert set(ESCALATIONS) == set(get_args(EscalationState))

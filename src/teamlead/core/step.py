"""One turn, the same for every driver: facts in; events, refusals and a changed state out.

What the facts cause and what that makes startable belong together: a driver writes them in one transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from teamlead.core import graph
from teamlead.core.decide import decide
from teamlead.core.events import (
    LAZY,
    AnyEvent,
    ApprovalRequested,
    AttemptStarted,
    PhaseChanged,
)
from teamlead.core.evolve import evolve
from teamlead.core.facts import AnyFact
from teamlead.core.state import TeamState
from teamlead.errors import TeamleadError


@dataclass(slots=True)
class Turn:
    events: list[AnyEvent] = field(default_factory=list)
    refusals: dict[int, TeamleadError] = field(default_factory=dict)
    """By position of the fact."""
    durable: bool = False
    """Something here must be on disk before anybody acts on it."""


def step(state: TeamState, facts: Sequence[AnyFact], now: float) -> Turn:
    turn = Turn()
    for position, fact in enumerate(facts):
        try:
            events = decide(state, fact, now)
        except TeamleadError as refusal:
            turn.refusals[position] = refusal
            events = []
        for event in events:
            _apply(state, turn, event, now)
        # After each fact: facts that arrive together mean what they mean one by one.
        _follow(state, turn, now)
    if not facts:
        _follow(state, turn, now)
    return turn


def _follow(state: TeamState, turn: Turn, now: float) -> None:
    while (event := consequence(state, now)) is not None:
        _apply(state, turn, event, now)


def _apply(state: TeamState, turn: Turn, event: AnyEvent, now: float) -> None:
    evolve(state, event, now)
    turn.events.append(event)
    turn.durable = turn.durable or type(event) not in LAZY


def consequence(state: TeamState, now: float) -> AnyEvent | None:
    """What the state as it is asks for, one event at a time, until it asks for nothing."""
    if state.spec is None or state.final:
        return None
    match state.phase:
        case "IDLE":
            return PhaseChanged("PLANNING", "the plan was read and checked")
        case "PLANNING":
            return PhaseChanged("EXECUTING", "work begins") if state.leader else None
        case "EXECUTING":
            if state.unsettled == 0 and not state.active:
                return PhaseChanged("REVIEWING", "every task is settled")
            return _start(state, now)
        case "REVIEWING":
            return _review(state)
        case "AWAITING_APPROVAL":
            return _await_approval(state)
        case "REVISION":
            return PhaseChanged("EXECUTING", "there is work again")
        case "APPROVED" | "REJECTED":
            return PhaseChanged("DONE", "finished")
        case _:
            return None


def _review(state: TeamState) -> AnyEvent | None:
    if state.unsettled:
        return PhaseChanged("EXECUTING", "there is work again")
    return None if state.open else PhaseChanged("AWAITING_APPROVAL", "everything is settled")


def _await_approval(state: TeamState) -> AnyEvent | None:
    if state.approval is not None:
        return None
    if state.unsettled:
        return PhaseChanged("REVISION", "there is work again")
    if not state.integration_tip:
        return PhaseChanged("APPROVED", "there is nothing to merge")
    if state.session.auto_approve and not state.approval_refused:
        return ApprovalRequested("--approve")
    return None


def _start(state: TeamState, now: float) -> AnyEvent | None:
    task = state.next_start(now)
    if task is None:
        return None
    base = state.session.base_commit
    tip = state.integration_tip
    return AttemptStarted(
        task.spec.id,
        len(task.attempts) + 1,
        (tip or base,) if task.fresh else graph.bases(task, base),
        tip,
        task.fresh,
        task.spec.agent or state.session.agent,
    )

"""One turn, the same for every driver: facts in; events, refusals and a changed state out.

What the facts cause and what that makes startable belong together: a driver writes them in one transaction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from teamlead.core import phases
from teamlead.core.advisers import completion, failing_plan
from teamlead.core.asking import consulting, escalation, holds
from teamlead.core.attempts import deciding, judging, repetition
from teamlead.core.attempts.starting import ask_about_agent, start
from teamlead.core.decide import decide
from teamlead.core.events import (
    LAZY,
    AnyEvent,
    ApprovalRequested,
    EscalationWithdrawn,
    PhaseChanged,
)
from teamlead.core.evolve import evolve
from teamlead.core.facts import AnyFact
from teamlead.core.people import approval, permissions
from teamlead.core.pipeline import preflight, stage_end, stages, whole_plan
from teamlead.core.state.team_state import TeamState
from teamlead.core.team import leaving
from teamlead.core.transitions import Phase
from teamlead.core.work.second_look import second_look
from teamlead.errors import TeamleadError

_ROUNDS: Final = 1000
_ROUNDS_A_TASK: Final = 10
"""No fact has so many consequences that follow from each other."""


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
    rounds = 0
    while events := consequence(state, now):
        for event in events:
            _apply(state, turn, event, now)
        rounds += 1
        if rounds > _ROUNDS and rounds > _ROUNDS_A_TASK * len(state.tasks):
            # Two rules that answer each other would fill the memory: a leader that ends loses nothing.
            raise RuntimeError(f"the rules ask for something for ever, last for {events!r}")


def _apply(state: TeamState, turn: Turn, event: AnyEvent, now: float) -> None:
    evolve(state, event, now)
    turn.events.append(event)
    turn.durable = turn.durable or type(event) not in LAZY


def consequence(state: TeamState, now: float) -> list[AnyEvent]:
    """What the state as it is asks for, one step at a time, until it asks for nothing."""
    if state.spec is None:
        return []
    if state.final:
        return leaving.go_on(state)
    return (
        (permissions.moot(state) if state.permissions else [])
        or (escalation.limit_is_moot(state) if state.asked else [])
        or (stage_end.moot(state) if state.asked else [])
        or (deciding.ask(state) if state.undecided else [])
        or (holds.moot(state) if state.holds else [])
        or (second_look(state) if state.second_looks else [])
        or (consulting.moot(state) if state.asked else [])
        or (judging.without(state) if state.wanted else [])
        or (consulting.start(state, now) if state.wanted else [])
        or _of_phase(state, now)
    )


def _of_phase(state: TeamState, now: float) -> list[AnyEvent]:
    asks = _ASKS.get(state.phase)
    return asks(state, now) if asks else []


def _prepare(state: TeamState, now: float) -> list[AnyEvent]:
    first = next(iter(state.stages.values()))
    passed = phases.way(state.phase, first.spec.phase)[:-1]
    return [PhaseChanged(phase, "the plan was read and checked") for phase in passed] or stages.go_on(state)


def _work(state: TeamState, now: float) -> list[AnyEvent]:
    if moves := stages.go_on(state):
        return moves
    if state.stage is None:
        return []
    return (
        preflight.begin(state, now)
        or failing_plan.review(state)
        or repetition.without_end(state)
        or preflight.block(state, now)
        or start(state, now)
    )


def _work_again(state: TeamState, now: float) -> list[AnyEvent]:
    return stages.reopen(state)


def _finish(state: TeamState, now: float) -> list[AnyEvent]:
    return [PhaseChanged("DONE", "finished")]


def _end_rejected(state: TeamState, now: float) -> list[AnyEvent]:
    return [] if approval.rolls_back(state) else [PhaseChanged("DONE", "the work was rejected")]


def _review(state: TeamState, now: float) -> list[AnyEvent]:
    if state.stage is not None:
        return _work(state, now)
    if moves := stages.go_on(state):
        return moves
    following = stages.next_stage(state)
    if state.halts and following is None:
        return [EscalationWithdrawn(name, "no task is left to be started") for name in state.halts]
    if state.completing:
        return ask_about_agent(state) if state.holds else []
    if following is None and (moot := _needed_by_nobody(state)):
        return moot
    if outdated := whole_plan.outdated(state) or completion.outdated(state):
        return outdated
    if state.open or following is not None or whole_plan.wanted(state):
        return []
    return completion.check(state) or [PhaseChanged("AWAITING_APPROVAL", "everything is settled")]


def _needed_by_nobody(state: TeamState) -> list[AnyEvent]:
    return [EscalationWithdrawn(name, "no task needs it any more") for name in state.asked.values()]


def _await_approval(state: TeamState, now: float) -> list[AnyEvent]:
    if state.approval is not None:
        return []
    if state.unsettled:
        return [PhaseChanged("REVISION", stages.WORK_AGAIN)]
    if moot := _needed_by_nobody(state):
        return moot
    if not state.integration_tip:
        made = "the plan is there" if state.session.pipeline.ends == "plan" else "there is nothing to merge"
        return [PhaseChanged("APPROVED", made)]
    if state.session.auto_approve and not state.approval_refused and not state.trespasses:
        return [ApprovalRequested(state.integration_tip, "--approve")]
    return []


_ASKS: dict[Phase, Callable[[TeamState, float], list[AnyEvent]]] = {
    "IDLE": _prepare,
    "ANALYZING": _work,
    "PLANNING": _work,
    "EXECUTING": _work,
    "REVIEWING": _review,
    "AWAITING_APPROVAL": _await_approval,
    "REVISION": _work_again,
    "APPROVED": _finish,
    "REJECTED": _end_rejected,
}
"""What each phase asks for. The rest are final, or nothing of today's enters them."""

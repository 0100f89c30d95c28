"""A person moves the session into another phase: by the same table and the same guard as the lead.

The lead enters a phase by itself as soon as nothing is missing for it. So what a person can move is what
waits for nobody else: the first stage of a session that nobody has led, a way back from a review, the answer
to finished work, and the end.
"""

from collections.abc import Callable, Iterator

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core import phases
from teamlead.core.asking import escalation
from teamlead.core.people import approval, revising
from teamlead.core.pipeline import guard, stages, whole_plan
from teamlead.core.pipeline.reopening import Reopened, reopen
from teamlead.core.pipeline.reshape import not_being_approved, not_over
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.core.team import leaving
from teamlead.core.transitions import PHASES, Phase
from teamlead.core.work.acceptance import listed
from teamlead.errors import IllegalMove, Refused

Events = list[e.AnyEvent]


def move(state: TeamState, fact: f.MovePhase, now: float) -> Events:
    moves = PHASES[state.phase]
    if fact.phase not in moves:
        allowed = f"from {state.phase}: {', '.join(moves)}" if moves else f"{state.phase} is final"
        raise IllegalMove("session phase", state.phase, fact.phase, remedy=allowed)
    if not fact.reason.strip():
        raise Refused("a transition needs a reason")
    not_being_approved(state)
    return _MEANS[fact.phase](state, fact, now)


def cancel(state: TeamState, fact: f.Cancel, now: float) -> Events:
    if fact.at_once and leaving.is_leaving(state):
        return [e.TeamLeaving(at_once=True)]
    not_over(state, "cancelling")
    not_being_approved(state)
    reason = fact.reason or f"cancelled by {fact.by}"
    return [
        *escalation.withdraw(state, reason),
        e.PhaseChanged("CANCELLED", reason),
        *([e.TeamLeaving(at_once=True)] if fact.at_once else []),
    ]


def missing(state: TeamState, phase: Phase) -> list[str]:
    """What has to be there before the session may be in this phase, which the table allows next."""
    if phase not in {*phases.OF_STAGES, "AWAITING_APPROVAL"} or _goes_back(state, phase):
        return []
    return [*_missing_before(state, phase), *_unanswered(state)]


def _missing_before(state: TeamState, phase: Phase) -> Iterator[str]:
    following = _next_of(state, phase)
    for stage in state.stages.values():
        if stage is following:
            return
        if stage.state != "closed":
            told = guard.misses(state, stage)
            yield from (f"{_named(stage)}{text}" for text in told or ["it is not closed"] * bool(stage.tasks))
    if phases.awaits_approval(phase) and whole_plan.wanted(state):
        yield "the checks of the whole plan on the merged work"


def _next_of(state: TeamState, phase: Phase) -> Stage | None:
    """The stage that opens with this phase; None: it has none left, and comes after all that are open."""
    return next(
        (each for each in state.stages.values() if each.state != "closed" and each.spec.phase == phase), None
    )


def _named(stage: Stage) -> str:
    return f"stage {stage.spec.name}: " if stage.spec.name else ""


def _unanswered(state: TeamState) -> Iterator[str]:
    if state.open:
        yield f"not answered: {listed(list(state.open))}"


def _goes_back(state: TeamState, phase: Phase) -> bool:
    return phases.at_review(state.phase) and phase in phases.OF_STAGES


def _enter(state: TeamState, fact: f.MovePhase, now: float) -> Events:
    if _goes_back(state, fact.phase):
        return _go_back(state, fact)
    first = _next_of(state, fact.phase)
    if told := missing(state, fact.phase):
        raise Refused(
            f"{fact.phase} cannot begin yet: {'; '.join(told)}", remedy=f"teamlead status {state.session.id}"
        )
    if first is None or state.begun_stages:
        raise _of_itself(state, fact.phase)
    return stages.opened(state, first, fact.reason.strip())


def _go_back(state: TeamState, fact: f.MovePhase) -> Events:
    """The last stage of that phase runs again, and all that was built on it."""
    of_phase = [each for each in state.stages.values() if each.spec.phase == fact.phase]
    stage = next((each for each in reversed(of_phase) if revising.done_in(state, each)), None)
    if stage is None:
        raise Refused(f"nothing was done in a stage of {fact.phase} that could be done again")
    reason = fact.reason.strip()
    again = reopen(
        state, [Reopened(task.spec.id, reason, own=True) for task in revising.done_in(state, stage)]
    )
    return [*again, *stages.opened(state, stage, reason)]


def _revise(state: TeamState, fact: f.MovePhase, now: float) -> Events:
    return revising.revise(state, f.ReviseWork(fact.reason, by=fact.by), now)


def _approve(state: TeamState, fact: f.MovePhase, now: float) -> Events:
    name = state.session.id
    raise Refused(
        "an approval is for what you were shown, and brings it onto your branch",
        remedy=f"teamlead approve {name}",
    )


def _reject(state: TeamState, fact: f.MovePhase, now: float) -> Events:
    return approval.reject(state, f.Reject(fact.reason.strip(), by=fact.by), now)


def _fail(state: TeamState, fact: f.MovePhase, now: float) -> Events:
    return escalation.fail_session(state, fact.reason.strip())


def _cancel(state: TeamState, fact: f.MovePhase, now: float) -> Events:
    return cancel(state, f.Cancel(fact.reason.strip(), by=fact.by), now)


def _end(state: TeamState, fact: f.MovePhase, now: float) -> Events:
    raise _of_itself(state, fact.phase)


def _of_itself(state: TeamState, phase: Phase) -> Refused:
    return Refused(
        f"{phase} begins by itself as soon as it may", remedy=f"teamlead resume {state.session.id}"
    )


_MEANS: dict[Phase, Callable[[TeamState, f.MovePhase, float], Events]] = {
    **dict.fromkeys(phases.OF_STAGES, _enter),
    "AWAITING_APPROVAL": _enter,
    "REVISION": _revise,
    "APPROVED": _approve,
    "REJECTED": _reject,
    "DONE": _end,
    "ROLLED_BACK": _end,
    "FAILED": _fail,
    "CANCELLED": _cancel,
}

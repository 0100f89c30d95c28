"""The session as a whole, and who leads it."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from teamlead.core import events as e
from teamlead.core import phases
from teamlead.core.effects import Preflight
from teamlead.core.evolve.leaving import leader_changed
from teamlead.core.evolve.runs import advisers, drop
from teamlead.core.people import notices
from teamlead.core.pipeline import whole_plan
from teamlead.core.state.budget import SESSION, UNLIMITED, open_purse, scope_of_role
from teamlead.core.state.indexes import (
    PATIENCE,
    add_task,
    forget_preflight,
    link,
    make_due,
    queue,
    release,
    set_task,
)
from teamlead.core.state.records import PhaseEntry, PlanFile
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SETTLED, check_move


def _team_formed(state: TeamState, event: e.TeamFormed, at: float) -> None:
    state.team = event.team


def _session_opened(state: TeamState, event: e.SessionOpened, at: float) -> None:
    spec = event.spec
    state.spec = spec
    state.questions_allowed = spec.limits.questions
    state.phases.append(PhaseEntry("IDLE", at, "session opened", event.who))
    state.purses[SESSION] = open_purse(SESSION, spec.budget)
    for role in spec.roles:
        if role.budget != UNLIMITED:
            scope = scope_of_role(role.name)
            state.purses[scope] = open_purse(scope, role.budget)
    state.stages = {each.name: Stage(each, order) for order, each in enumerate(spec.pipeline.stages)}
    for task in spec.plan.tasks:
        add_task(state, task, at).planned = bool(spec.plan.planner_session)
    for task in spec.plan.tasks:
        link(state, state.tasks[task.id], [state.tasks[d] for d in task.depends_on])


def _phase_changed(state: TeamState, event: e.PhaseChanged, at: float) -> None:
    check_move("session phase", state.phase, event.phase)
    _end_review(state)
    state.phase = event.phase
    state.phases.append(PhaseEntry(event.phase, at, event.reason, event.who))
    if phases.cancelled(event.phase):
        for task in state.tasks.values():
            if task.live is None and task.state not in SETTLED:
                set_task(state, task, "CANCELLED", at)
                task.blocked = None
                queue(state, task)
    _begin_review(state)
    notices.enter_phase(state)
    if state.final:
        _end_preflight(state)
        for run in advisers(state):
            drop(state, run)
        for name in state.copies:
            release(state, state.tasks[name])


def _stage_opened(state: TeamState, event: e.StageOpened, at: float) -> None:
    stage = state.stages[event.stage]
    check_move("stage", stage.state, "open")
    _end_review(state)
    if state.stage is not None:
        state.stage.state = "waiting"
    stage.state = "open"
    stage.commit = event.commit
    state.stage = stage
    state.earlier = sum(other.unsettled for other in state.stages.values() if other.order < stage.order)


def _stage_closed(state: TeamState, event: e.StageClosed, at: float) -> None:
    stage = state.stages[event.stage]
    check_move("stage", stage.state, "closed")
    stage.state = "closed"
    notices.settle(state, notices.findings(stage))
    stage.closings += 1
    stage.found = event.found
    state.stage = None
    notices.show_findings(state, stage)
    _begin_review(state)


def _stage_sent_back(state: TeamState, event: e.StageSentBack, at: float) -> None:
    state.stages[event.stage].sent_back += 1


def _stage_taken(state: TeamState, event: e.StageTaken, at: float) -> None:
    stage = state.stages[event.stage]
    stage.taken = (*stage.taken, *event.against)


def _begin_review(state: TeamState) -> None:
    if not state.reviews:
        return
    state.failing.clear()
    _end_preflight(state)
    if whole_plan.wanted(state):
        make_due(state, whole_plan.effect(state))


def _end_preflight(state: TeamState) -> None:
    """Where there is work again, it begins anew."""
    for key in list(state.preflighting):
        effect = state.due[key]
        assert isinstance(effect, Preflight)
        forget_preflight(state, effect)
        state.untried[effect.command] = None


def _end_review(state: TeamState) -> None:
    """Whether the work holds, and is all that was wanted, is not to be told while there is more of it."""
    if not state.reviews:
        return
    if state.checking_whole:
        state.due.pop(whole_plan.effect(state).key, None)
        state.trying = ""
    for run in advisers(state):
        if run.purpose == "complete":
            drop(state, run)


def _leader_started(state: TeamState, event: e.LeaderStarted, at: float) -> None:
    state.leader = event.holder
    state.draining = False
    state.stopped_because = ""
    leader_changed(state)
    for key in state.preflighting:
        state.preflighting[key] = at + PATIENCE


def _leader_stopping(state: TeamState, event: e.LeaderStopping, at: float) -> None:
    state.draining = True


def _leader_stopped(state: TeamState, event: e.LeaderStopped, at: float) -> None:
    state.leader = ""
    state.draining = False
    state.stopped_because = event.reason
    leader_changed(state)


def _plan_discussed(state: TeamState, event: e.PlanDiscussed, at: float) -> None:
    state.spec = replace(state.session, auto_approve=not event.wanted)


def _plan_filed(state: TeamState, event: e.PlanFiled, at: float) -> None:
    state.plan_file = PlanFile(event.path, event.digest)


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.TeamFormed: _team_formed,
    e.SessionOpened: _session_opened,
    e.PhaseChanged: _phase_changed,
    e.StageOpened: _stage_opened,
    e.StageClosed: _stage_closed,
    e.StageSentBack: _stage_sent_back,
    e.StageTaken: _stage_taken,
    e.PlanDiscussed: _plan_discussed,
    e.PlanFiled: _plan_filed,
    e.LeaderStarted: _leader_started,
    e.LeaderStopping: _leader_stopping,
    e.LeaderStopped: _leader_stopped,
}

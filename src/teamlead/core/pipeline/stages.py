"""When a stage opens and closes, and what follows it. Which stages there are is in `core.pipeline.pipelines`.

A stage opens when every task of the stages before it is settled, and closes when its own are and nobody works
on them. It opens again when one of its tasks runs again, and what comes after it waits.
"""

from teamlead.core import events as e
from teamlead.core import phases
from teamlead.core.pipeline import stage_end, whole_plan
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState

Events = list[e.AnyEvent]

WORK_AGAIN = "there is work again"


def go_on(state: TeamState) -> Events:
    """What the stages ask for next; nothing while the open one is at work."""
    stage = state.stage
    if stage is None:
        return _open_next(state) if state.leader or state.begun_stages else []
    if state.earlier:
        return reopen(state)
    if stage.unsettled or any(state.tasks[name].stage is stage for name in state.active):
        return []
    return stage_end.close(state, stage)


def _open_next(state: TeamState) -> Events:
    following = next_stage(state)
    if following is None and state.session.pipeline.ends == "plan":
        return [e.PhaseChanged("AWAITING_APPROVAL", "everything is settled")]
    if following is None or (whole_plan.undecided(state) and not _merges_from(state, following)):
        passed = phases.way(state.phase, "REVIEWING")
        return [e.PhaseChanged(phase, "every task is settled") for phase in passed]
    begins = f"stage {following.spec.name!r} begins" if following.order else "work begins"
    return opened(state, following, WORK_AGAIN if following.commit else begins)


def next_stage(state: TeamState) -> Stage | None:
    """The first that has work, or was not open yet."""
    return next((each for each in state.stages.values() if each.state != "closed"), None)


def reopen(state: TeamState) -> Events:
    """The first stage that has work again."""
    again = next_stage(state)
    assert again is not None
    return opened(state, again, WORK_AGAIN)


def opened(state: TeamState, stage: Stage, reason: str) -> Events:
    commit = state.integration_tip or state.session.base_commit
    passed = phases.way(state.phase, stage.spec.phase)
    return [e.StageOpened(stage.spec.name, commit), *(e.PhaseChanged(phase, reason) for phase in passed)]


def _merges_from(state: TeamState, stage: Stage) -> bool:
    """More work is to be merged, in this stage or after it."""
    return any(each.to_merge for each in state.stages.values() if each.order >= stage.order)

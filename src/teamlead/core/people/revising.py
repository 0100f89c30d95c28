"""A person wants the finished work to be different: a stage, and all that was built on it, runs again.

So often as the session's limit says. After that it has failed: another start would do better.
"""

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core import phases
from teamlead.core.asking import escalation
from teamlead.core.pipeline.reopening import Reopened, reopen
from teamlead.core.pipeline.reshape import not_over
from teamlead.core.state.records import Task
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.errors import NotFound, Refused

Events = list[e.AnyEvent]


def revise(state: TeamState, fact: f.ReviseWork, now: float) -> Events:
    not_over(state, "a revision")
    name = state.session.id
    if not phases.awaits_approval(state.phase) or state.approval is not None:
        raise Refused(f"session {name} does not wait for approval: it is {state.phase}")
    text = fact.text.strip()
    if not text:
        raise Refused("a revision needs to say what is to be different")
    stage = _named(state, fact.stage) if fact.stage else _usual(state)
    again = done_in(state, stage)
    if not again:
        raise Refused(
            f"nothing that was done in stage {stage.spec.name!r} could be done again",
            remedy=f"stages with work: {', '.join(each.spec.name for each in _with_work(state))}",
        )
    if state.revisions >= state.session.limits.revisions:
        reason = f"it was revised {state.revisions} times, and is still not what is wanted: {text}"
        return escalation.fail_session(state, reason)
    return [
        e.WorkRevised(stage.spec.name, text, fact.by),
        e.PhaseChanged("REVISION", text),
        *reopen(state, [Reopened(task.spec.id, text, own=True) for task in again]),
    ]


def _named(state: TeamState, name: str) -> Stage:
    wanted = name.casefold()
    for stage in state.stages.values():
        if stage.spec.name.casefold() == wanted:
            return stage
    known = ", ".join(filter(None, state.stages))
    raise NotFound(
        f"there is no stage {name!r} in session {state.session.id}",
        remedy=f"its stages: {known}" if known else "it has one stage only: leave the name away",
    )


def _usual(state: TeamState) -> Stage:
    """Where what is merged was made; where nothing was, the last."""
    with_work = _with_work(state) or [*state.stages.values()]
    merging = [stage for stage in with_work if any(task.spec.merges for task in done_in(state, stage))]
    return (merging or with_work)[-1]


def _with_work(state: TeamState) -> list[Stage]:
    return [stage for stage in state.stages.values() if done_in(state, stage)]


def done_in(state: TeamState, stage: Stage) -> list[Task]:
    return [task for name in stage.tasks if (task := state.tasks[name]).state == "DONE"]

"""The small moves that `evolve` is made of. Each keeps the indexes of the state true."""

from heapq import heappop, heappush

from teamlead.core.effects import (
    AnyEffect,
    Check,
    Collect,
    Deliver,
    Integrate,
    Preflight,
    PrepareCopy,
    Prove,
    Release,
    RunAgent,
)
from teamlead.core.model import TaskSpec
from teamlead.core.reports import DifficultyFeedback, Feedback, Result
from teamlead.core.state.budget import SESSION, UNLIMITED, open_purse, scope_of_role, scope_of_task
from teamlead.core.state.lanes import Lane
from teamlead.core.state.records import Attempt, Decision, Message, Task, TriedCheck
from teamlead.core.state.staffing import agent_of, kind_of
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SATISFYING, SETTLED, AttemptPhase, TaskState, check_move

MOST_DIFFICULTIES = 10
"""Of one attempt that are kept to be shown."""
PATIENCE = 60.0
"""Seconds for which no agent starts while checks are tried."""


def make_due(state: TeamState, effect: AnyEffect) -> str:
    """Returns its key."""
    key = effect.key
    state.due[key] = effect
    state.fresh_due.append(key)
    return key


def set_task(state: TeamState, task: Task, after: TaskState, at: float) -> None:
    before = task.state
    check_move("task", before, after)
    task.state = after
    task.version += 1
    task.since = at
    state.counts[before] -= 1
    state.counts[after] = state.counts.get(after, 0) + 1
    if change := (before in SETTLED) - (after in SETTLED):
        _count_unsettled(state, task, change)
    if after in SETTLED:
        state.begun.pop(task.spec.id, None)
        state.rounds = 0
        task.paused = ""
        state.paused.pop(task.spec.id, None)
    if (before in SATISFYING) != (after in SATISFYING):
        change = -1 if after in SATISFYING else 1
        for dependent in task.dependents:
            dependent.unmet += change
            # Between two and three that it waits for, it has no place either way.
            if dependent.unmet == 0 or change > 0:
                queue(state, dependent)
    state.touched[task.spec.id] = None


def _count_unsettled(state: TeamState, task: Task, change: int) -> None:
    stage = task.stage
    state.unsettled += change
    stage.unsettled += change
    stage.to_merge += change * task.spec.merges
    if stage.state == "closed":
        stage.state = "waiting"
    if state.stage is not None and stage.order < state.stage.order:
        state.earlier += change


def _startable(task: Task) -> bool:
    waits = task.state in {"READY", "NEEDS_CONTINUATION"}
    return waits and task.unmet == 0 and task.live is None and not task.paused


def queue(state: TeamState, task: Task) -> None:
    """Puts a task where `next_start` finds it, or takes it away, and drops stale heads."""
    ready, timers = task.lane.ready, task.lane.timers
    if not _startable(task):
        task.ticket = 0
    elif not task.ticket:
        state.tickets += 1
        task.ticket = state.tickets
        if task.not_before:
            heappush(timers, (task.not_before, task.order, task.ticket, task.spec.id))
        else:
            heappush(ready, (task.order, task.ticket, task.spec.id))
    _drop_stale(state, task.lane)


def _drop_stale(state: TeamState, lane: Lane) -> None:
    ready, timers = lane.ready, lane.timers
    while ready and state.tasks[ready[0][2]].ticket != ready[0][1]:
        heappop(ready)
    while timers and state.tasks[timers[0][3]].ticket != timers[0][2]:
        heappop(timers)


def queue_anew(state: TeamState, task: Task, spec: TaskSpec) -> None:
    """Gives up its place, for one where its agent and its moment are those of now."""
    task.ticket = 0
    _drop_stale(state, task.lane)
    task.spec = spec
    task.lane = _lane(state, task.stage, spec)
    queue(state, task)
    state.touched[spec.id] = None


def set_attempt(state: TeamState, task: Task, after: AttemptPhase, at: float) -> Attempt:
    attempt = task.live
    assert attempt is not None
    check_move("attempt", attempt.phase, after)
    clear_due(state, attempt)
    if attempt.phase == "working":
        for message in task.member.unread:
            state.due.pop(f"Deliver:{task.spec.id}:{attempt.number}:{message}", None)
    attempt.phase = after
    attempt.phase_since = at
    state.touched[task.spec.id] = None
    return attempt


def clear_due(state: TeamState, attempt: Attempt) -> None:
    state.due.pop(attempt.due, None)


def pursue(state: TeamState, task: Task, attempt: Attempt) -> None:
    """Makes due what the phase of an attempt asks for."""
    effect = _phase_effect(state, task, attempt)
    if effect is not None:
        attempt.due = make_due(state, effect)


def _phase_effect(state: TeamState, task: Task, attempt: Attempt) -> AnyEffect | None:
    """What the phase of an attempt asks of the outside."""
    spec, number = task.spec, attempt.number
    match attempt.phase:
        case "preparing":
            return PrepareCopy(spec.id, number, attempt.bases, attempt.fallback, attempt.fresh)
        case "working":
            return RunAgent(attempt.run.id)
        case "collecting":
            if spec.plans:
                return None
            return Collect(spec.id, number, attempt.base, attempt.run.summary)
        case "checking":
            commands = checks_of(state, spec)
            position = len(attempt.checks)
            if position < len(commands):
                return Check(spec.id, number, attempt.work.commit or attempt.base, commands[position])
            return None
        case "proving":
            return Prove(spec.id, number, attempt.work.commit)
        case "trying":
            given = state.runs[attempt.trying].ended_at is not None
            return Prove(spec.id, number, attempt.work.commit, attempt.trying) if given else None
        case "integrating":
            return Integrate(spec.id, number, attempt.work.commit)
        case _:
            return None


def checks_of(state: TeamState, spec: TaskSpec) -> tuple[str, ...]:
    own, common = spec.own_checks, state.session.checks
    return tuple(dict.fromkeys((*own, *common))) if own or common else ()


def visible_checks(state: TeamState, spec: TaskSpec) -> tuple[str, ...]:
    """All but those that no agent is told of."""
    return tuple(command for command in checks_of(state, spec) if command not in spec.hidden_checks)


def advance(state: TeamState, task: Task, after: AttemptPhase, at: float) -> Attempt:
    attempt = set_attempt(state, task, after, at)
    pursue(state, task, attempt)
    if after == "working":
        for message in task.member.unread:
            deliver(state, task, state.messages[message])
    return attempt


def take_result(attempt: Attempt, result: Result) -> None:
    attempt.result = result
    if result.impossible is not None:
        _note_difficulty(attempt, result.impossible)


def take_feedback(attempt: Attempt, feedback: Feedback) -> None:
    attempt.feedback = feedback
    if isinstance(feedback, DifficultyFeedback):
        _note_difficulty(attempt, feedback)


def _note_difficulty(attempt: Attempt, found: DifficultyFeedback) -> None:
    if found not in attempt.difficulties:
        attempt.difficulties = (*attempt.difficulties, found)[-MOST_DIFFICULTIES:]


def deliver(state: TeamState, task: Task, message: Message) -> None:
    """What the user or the lead says goes into a run; what other agents say, only where that is wanted."""
    attempt = task.live
    urgent = message.sender not in state.tasks or state.reacts
    if attempt is not None and attempt.phase == "working" and urgent:
        make_due(state, Deliver(task.spec.id, attempt.number, message.id))


def add_task(state: TeamState, spec: TaskSpec, at: float) -> Task:
    stage = stage_of(state, spec)
    lane = _lane(state, stage, spec)
    task = Task(spec=spec, order=len(state.tasks), since=at, stage=stage, lane=lane, funds=lane.funds)
    if spec.budget != UNLIMITED:
        scope = scope_of_task(spec.id)
        purse = state.purses[scope] = open_purse(scope, spec.budget)
        task.funds = (*lane.funds, purse)
    state.tasks[spec.id] = task
    state.members[task.member.name] = task.member
    if spec.own_checks:
        state.own_checks[spec.id] = None
    state.hidden_checks.update(dict.fromkeys(spec.hidden_checks))
    if state.session.preflight and not spec.plans:
        for command in checks_of(state, spec):
            want_tried(state, command, spec.id if command in spec.own_checks else "")
    stage.tasks.append(spec.id)
    _count_unsettled(state, task, 1)
    state.counts[task.state] = state.counts.get(task.state, 0) + 1
    state.touched[spec.id] = None
    return task


def want_tried(state: TeamState, command: str, task: str = "") -> None:
    """Once, before agents work. `task`: that names it itself."""
    known = state.preflights.get(command)
    if known is None:
        known = state.preflights[command] = TriedCheck(command)
        state.untried[command] = None
    if task:
        known.tasks[task] = None


def await_preflight(state: TeamState, effect: Preflight, at: float) -> None:
    state.preflighting[make_due(state, effect)] = at + PATIENCE


def forget_preflight(state: TeamState, effect: Preflight) -> None:
    state.due.pop(effect.key, None)
    state.preflighting.pop(effect.key, None)


def stage_of(state: TeamState, spec: TaskSpec) -> Stage:
    return state.stages[spec.stage] if spec.stage else next(iter(state.stages.values()))


def _lane(state: TeamState, stage: Stage, spec: TaskSpec) -> Lane:
    kind = kind_of(agent_of(state.session, spec))
    key = (stage.spec.name, kind, spec.role)
    lane = state.lanes.get(key)
    if lane is None:
        purses = (state.purses.get(scope) for scope in (SESSION, scope_of_role(spec.role)))
        lane = Lane(kind, spec.role, tuple(purse for purse in purses if purse is not None))
        state.lanes[key] = lane
        stage.lanes.append(lane)
    return lane


def link(state: TeamState, task: Task, dependencies: list[Task]) -> None:
    for dependency in dependencies:
        task.depends_on.append(dependency)
        dependency.dependents.append(task)
        task.unmet += dependency.state not in SATISFYING
    queue(state, task)


def decided(task: Task, decision: Decision, because: str) -> None:
    """What the lead made of the last attempt. A later decision is about the task, not about it."""
    if task.attempts and task.attempts[-1].decision is None:
        task.attempts[-1].decision = decision
        task.attempts[-1].decided_because = because


def hand_on_waits(state: TeamState, task: Task) -> None:
    """Who waited for this task waits for what it still waits for itself: they build on that now."""
    awaited = [dependency for dependency in task.depends_on if dependency.state not in SATISFYING]
    for dependent in task.dependents if awaited else ():
        known = {dependency.spec.id for dependency in dependent.depends_on}
        new = [dependency for dependency in awaited if dependency.spec.id not in known]
        if new:
            link(state, dependent, new)
            state.touched[dependent.spec.id] = None


def release(state: TeamState, task: Task) -> None:
    if task.spec.id in state.copies and task.live is None:
        make_due(state, Release(task.spec.id))

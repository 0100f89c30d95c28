"""Everything that is waited for: the reason, since when, until when, and what happens then."""

from typing import get_args

from teamlead.core import phases
from teamlead.core.attempts.proof import evidence_of, flagged
from teamlead.core.effects import Preflight
from teamlead.core.policy.scope import OWN_FOLDER
from teamlead.core.runs import Consultant, Run
from teamlead.core.state.indexes import PATIENCE
from teamlead.core.state.records import MACHINE, Attempt, Escalation, Leaver, Task
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import SETTLED
from teamlead.views.documents.sessions import WaitPart
from teamlead.views.moments import counted, iso
from teamlead.views.opinions import ASKED

SHOWN_WAITING = 5


def session_waiting(state: TeamState) -> tuple[WaitPart, ...]:
    name = state.session.id
    found = [
        _wait(
            f"{', '.join(record.tasks)} ({record.id})" if record.tasks else record.id,
            _asked(state, record),
            record.raised_at,
            None,
            f"teamlead resolve {name} --escalation-id {record.id} --resolution TEXT",
        )
        for record in state.open.values()
    ]
    found += [
        _wait(_held(kind), hold.reason, hold.since, hold.until, "its tasks go on by themselves")
        for kind, hold in state.holds.items()
        if hold.until is not None and hold.until > state.updated_at
    ]
    found += [_consultation(state, each) for each in (*state.wanted.values(), *state.advising.values())]
    if state.held:
        first = next(iter(state.held.values()))
        reason = f"{len(state.held)} more questions are held back by the limit on questions"
        found.append(
            _wait("held questions", reason, first.raised_at, None, "answer the open questions first")
        )
    if state.checking_whole and state.leader:
        reason = f"the merged work is being checked{f': {state.trying}' if state.trying else ''}"
        found.append(_wait("the whole plan", reason, state.updated_at, None, "goes on by itself"))
    if state.preflighting and state.leader:
        found.append(_preflight(state))
    if state.trespasses:
        told = counted(len(state.trespasses), "change")
        reason = f"{told} in your repository, not by you as far as one can tell; approval waits for it"
        found.append(_wait("your repository", reason, state.updated_at, None, f"teamlead mend {name}"))
    if phases.awaits_approval(state.phase) and state.approval is None:
        reason = state.approval_refused or "the finished work waits for your approval"
        reason += _flagged(state)
        steering = _own_files_changed(state)
        if steering:
            reason += f"; it changes how teamlead works here: {', '.join(steering)}"
        following = f"teamlead approve {name}, or teamlead reject {name}"
        found.append(_wait("approval", reason, state.phases[-1].entered_at, None, following))
    idle = _idle(state)
    if idle > 0 and not state.final:
        tasks = counted(idle, "task")
        jobs = state.session.limits.jobs
        after = f"{tasks} to start after other tasks{_after_stage(state)}"
        reason = f"{after}, or when a seat is free (jobs: {jobs}){_after_holds(state)}"
        following = _who_starts_them(state)
        found.append(_wait("tasks to start", reason, state.phases[-1].entered_at, None, following))
    if not state.leader and (state.under_way or (state.unsettled and not state.final)):
        found.append(_wait("session", _cut_short(state), state.updated_at, None, f"teamlead resume {name}"))
    return tuple(found)


def _preflight(state: TeamState) -> WaitPart:
    tried = [f"`{effect.command}`" for effect in state.due.values() if isinstance(effect, Preflight)]
    more = f" and {len(tried) - SHOWN_WAITING} more" if len(tried) > SHOWN_WAITING else ""
    reason = f"checks are tried on the base before agents start: {', '.join(tried[:SHOWN_WAITING])}{more}"
    until = state.preflight_until
    return _wait(
        "preflight", reason, until - PATIENCE, until, "agents start, and what is found later is asked at once"
    )


def _asked(state: TeamState, record: Escalation) -> str:
    asker = record.asker
    task = state.tasks.get(asker.task)
    if record.parked:
        return f"{record.reason}; its agent was told to end its turn, and goes on with your answer"
    if task is not None and task.live is not None and task.live.number == asker.attempt:
        return f"{record.reason} while it works"
    return record.reason


def _held(kind: str) -> str:
    return f"the {kind}" if kind in {MACHINE, *get_args(Consultant)} else f"agent {kind}"


def _consultation(state: TeamState, asked: Run) -> WaitPart:
    """No wait for a model is silent, nor one for its turn."""
    reason = ASKED[asked.purpose] + (f" (attempt {asked.attempt})" if asked.attempt else "")
    if asked.started_at is None:
        hold = state.holds.get(kind_of(asked.agent))
        until = hold.until if hold is not None and hold.forbids(state.updated_at) else None
        return _wait(asked.name, f"to be asked: {reason}", asked.wanted_at, until, _who_asks(state))
    limit = state.session.limits.hard_timeout
    following = (
        "its answer decides what comes next" if state.leader else f"teamlead resume {state.session.id}"
    )
    return _wait(asked.name, reason, asked.started_at, asked.started_at + limit if limit else None, following)


def _who_asks(state: TeamState) -> str:
    if not state.askable:
        return "it is asked after your answers"
    return "it is asked by itself" if state.leader else f"teamlead resume {state.session.id}"


def worth_a_look(state: TeamState) -> list[str]:
    """Tasks that were accepted although somebody should look at something."""
    return [
        task.spec.id
        for task in state.tasks.values()
        if any(flagged(evidence_of(state, task, each)) for each in task.taken)
    ]


def _flagged(state: TeamState) -> str:
    """How much of the accepted work somebody should look at first."""
    count = len(worth_a_look(state))
    return f"; {counted(count, 'task')} with something worth a look first" if count else ""


def _own_files_changed(state: TeamState) -> list[str]:
    """Paths of teamlead's own folder among the accepted work: worth a look before they steer the next run."""
    taken = (attempt for task in state.tasks.values() for attempt in task.taken)
    paths = (path for attempt in taken for path in attempt.work.paths)
    return sorted({path for path in paths if path.startswith(f"{OWN_FOLDER}/")})


def _after_stage(state: TeamState) -> str:
    """Where the plan names stages, and tasks wait for theirs."""
    stage = state.stage
    later = any(each.unsettled for each in state.stages.values() if stage and each.order > stage.order)
    return f", after stage {stage.spec.name}" if stage and later else ""


def _idle(state: TeamState) -> int:
    """Tasks that wait for others, or for a place."""
    records = (*state.open.values(), *state.held.values(), *state.referred.values())
    asking = {name for record in records for name in record.tasks}
    # What is left to the decision on the whole plan has no record of its own.
    asking |= {name for name in state.failing if state.tasks[name].blocked == "PLANNER"}
    blocked = [task for task in asking if state.tasks[task].state == "BLOCKED"]
    timed = sum(
        state.tasks[name].ticket == ticket
        for lane in state.lanes.values()
        for *_, ticket, name in lane.timers
    )
    paused = sum(
        task.live is None and task.state != "BLOCKED" for task in map(state.tasks.__getitem__, state.paused)
    )
    return state.unsettled - len(state.active) - len(blocked) - timed - paused


def _after_holds(state: TeamState) -> str:
    held = [kind for kind, hold in state.holds.items() if hold.forbids(state.updated_at)]
    return f", and not while {' or '.join(held)} is on hold" if held else ""


def _who_starts_them(state: TeamState) -> str:
    moving = state.active or state.startable or state.wanted or state.advising
    if state.leader and moving:
        return "they start by themselves"
    if state.open:
        return "they start after your answers"
    if state.leader:
        return "they start after what they wait for"
    return f"teamlead resume {state.session.id}"


def _cut_short(state: TeamState) -> str:
    if state.final:
        return "its end was cut short"
    if state.approval is not None:
        return "its approval was cut short"
    return f"no leader runs: {state.stopped_because or 'not started yet'}"


_STEPS = {
    "preparing": "its working copy is being made",
    "working": "its agent works",
    "collecting": "its work is being committed",
    "checking": "its checks run",
    "proving": "further runs show whether its checks prove it",
    "trying": "inputs that its judge thought of are run on its work",
    "integrating": "its work is being merged",
    "stopping": "its agent is being ended",
}


def task_waiting(state: TeamState, task: Task) -> WaitPart | None:
    limits = state.session.limits
    attempt = task.live
    if attempt is not None:
        deadline: float | None = None
        following = "goes on by itself"
        if attempt.phase == "working" and limits.hard_timeout:
            deadline = attempt.phase_since + limits.hard_timeout
            following = "at the deadline the agent is ended and the attempt counts as failed"
        if attempt.phase == "checking" and limits.check_timeout:
            deadline = attempt.phase_since + limits.check_timeout
            following = "at the deadline the check counts as failed"
        if attempt.phase == "judging":
            # The judge has an entry of its own, with what it waits for.
            return None
        if attempt.phase == "working" and task.member.leaver is not None:
            return _leaves(state, task.spec.id, task.member.leaver)
        reason = f"{_STEPS[attempt.phase]} (attempt {attempt.number})"
        if task.paused:
            following = f"{_paused(task)}; teamlead retry {task.spec.id}"
        return _wait(task.spec.id, reason, attempt.phase_since, deadline, following)
    if task.paused:
        return _wait(task.spec.id, _paused(task), task.since, None, f"teamlead retry {task.spec.id}")
    hold = state.holds.get(task.lane.kind)
    held = hold if hold is not None and hold.forbids(state.updated_at) else None
    if task.state == "NEEDS_CONTINUATION" and (task.not_before or held):
        reason = f"to be tried again: {reason_of(task, task.attempts[-1])}"
        following = f"attempt {len(task.attempts) + 1} starts"
        if held and held.until is None:
            return _wait(task.spec.id, reason, task.since, None, f"{following} after your answer")
        deadline = max(task.not_before, held.until or 0.0) if held else task.not_before
        return _wait(task.spec.id, reason, task.since, deadline, following)
    return None


def _leaves(state: TeamState, name: str, leaver: Leaver) -> WaitPart:
    limits = state.session.limits
    asked = state.messages[leaver.requests[-1]].sent_at
    again = len(leaver.requests) > 1
    reason = f"it was asked to leave{' once more' if again else ''}, and has not answered"
    if leaver.approved is False:
        reason = f"it was asked to leave, and does not want to: {leaver.reason or 'it does not say why'}"
    following = "at the deadline it is ended" if again else "at the deadline it is asked once more"
    now = f"; teamlead cancel {state.session.id} --now ends it at once"
    patience = limits.leaving_again if again else limits.leaving
    return _wait(name, reason, asked, asked + patience, following + now)


def _paused(task: Task) -> str:
    waiting = [dependent.spec.id for dependent in task.dependents if dependent.state not in SETTLED]
    shown = ", ".join(waiting[:SHOWN_WAITING]) + (", …" if len(waiting) > SHOWN_WAITING else "")
    return f"paused by {task.paused}{f'; {shown} cannot start before it is done' if waiting else ''}"


def reason_of(task: Task, last: Attempt | None) -> str:
    if task.detail:
        return f"{task.blocked}: {task.detail}" if task.blocked else f"{task.detail}{stays(task)}"
    return last.reasons[0] if last and last.reasons and task.state != "DONE" else ""


def stays(task: Task) -> str:
    """What was merged before it was to be done again is still there, whatever became of it since."""
    merged = task.commit and task.spec.merges and task.state in SETTLED and task.state != "DONE"
    return f"; its earlier work, {task.commit[:10]}, stays merged" if merged else ""


def _wait(what: str, reason: str, since: float, deadline: float | None, following: str) -> WaitPart:
    return WaitPart(what=what, reason=reason, since=iso(since), deadline=iso(deadline), next=following)

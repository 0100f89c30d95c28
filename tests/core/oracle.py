"""The laws of the core, checked the slow way: by scanning everything, and by following the events alone."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tests.core.accounts import Accounts, kind_of
from tests.core.departures import Departures
from tests.core.planned_proofs import PlannedProofs
from tests.core.proofs import Proofs

from teamlead.core import effects as do
from teamlead.core import events as e
from teamlead.core.model import Concern, TaskSpec
from teamlead.core.runs import Run
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.radar import MOST_TOLD
from teamlead.core.transitions import PHASES

SETTLED = {"DONE", "SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"}
DEAD_ENDS = {"CANCELLED", "REPLACED_BY_REPLAN"}
SATISFYING = {"DONE", "SKIPPED"}
FINE = {"passed", "failed before", "flaky"}
COUNTED = {
    *("failed", "conflict", "scope", "technical", "dependency", "contradiction"),
    *("impossible", "already-done"),
}
FOR_THE_LEAD = {
    "question": set(),
    "scope": {"skip", "stop"},
    "technical": {"retry", "skip", "stop"},
    "dependency": {"retry", "skip", "stop"},
    "contradiction": {"retry", "accept", "skip", "stop"},
    "impossible": {"retry", "skip", "stop"},
    "already-done": {"retry", "accept", "skip", "stop"},
}
"""Answers that no agent hears of."""
FINAL = {"DONE", "ROLLED_BACK", "FAILED", "CANCELLED"}
JUDGING = {"examples", "judge", "quality"}


Answer = e.EscalationResolved | e.EscalationAnswered | e.EscalationWithdrawn


class LawBroken(AssertionError):
    pass


def broken(message: str) -> LawBroken:
    return LawBroken(message)


def law(holds: object, message: str) -> None:
    if not holds:
        raise broken(message)


def same(actual: object, expected: object, what: str) -> None:
    if actual != expected:
        raise broken(f"{what}: {actual!r}, but a scan of everything says {expected!r}")


# Scanning everything


def check_indexes(state: TeamState) -> None:
    tasks = state.tasks.values()
    same(state.unsettled, sum(t.state not in SETTLED for t in tasks), "unsettled")
    counts = {name: count for name, count in state.counts.items() if count}
    same(counts, dict(Counter(task.state for task in tasks)), "counts")
    same(state.active, {t.spec.id: t.live for t in tasks if t.live}, "active")
    same(set(state.paused), {t.spec.id for t in tasks if t.paused}, "paused")
    _check_slots(state)
    _check_runs(state)
    _check_foreseen(state)
    _check_questions(state)
    _check_referrals(state)
    _check_consultations(state)
    _check_edges(state)
    for task in tasks:
        _check_task(state, task)
    _check_queues(state)
    _check_stages(state)
    _check_due(state)
    law(state.phases[-1].phase == state.phase, "the last phase entered is the phase")
    for before, after in pairwise(state.phases):
        law(after.phase in PHASES[before.phase], f"{before.phase} → {after.phase} is no legal move")


def _check_slots(state: TeamState) -> None:
    taken = [attempt.slot for attempt in state.active.values()]
    most = state.session.limits.live_attempts
    law(len(taken) <= most, "more attempts are live than there may be")
    numbers = sorted([*taken, *state.free_slots])
    law(len(numbers) <= most, "copies have more numbers than there may be copies")
    same(numbers, list(range(len(numbers))), "slots taken and free")


def _check_runs(state: TeamState) -> None:
    """A run that works on an attempt lives with it, in its seat. A tester has one of its own."""
    for task in state.tasks.values():
        for attempt in task.attempts:
            run = attempt.run
            same(state.runs[run.id], run, f"the run of attempt {attempt.number} of {task.spec.id}")
            alive = attempt.phase in {"preparing", "working"}
            alive = alive or (attempt.phase == "stopping" and run.end is None)
            same(run.id in state.seated, alive, f"the seat of {run.id} ({attempt.phase})")
            same(run.ended_at is None, alive, f"the end of {run.id} ({attempt.phase})")
    for run in state.advising.values():
        law(run.purpose != "tests" or run.id in state.seated, f"{run.id} works, and has no seat")
    for run in state.seated.values():
        law(run.ended_at is None, f"{run.id} has ended, and has a seat")
        law(run.purpose == "work" or run.started_at is not None, f"{run.id} has a seat before it starts")


def _check_foreseen(state: TeamState) -> None:
    for pair, found in state.foreseen.items():
        same(pair, (found.task, found.other), "the two that a conflict is foreseen for")
        law(found.task != found.other, f"{found.task} is in conflict with itself")
        for name, number in ((found.task, found.attempt), (found.other, found.other_attempt)):
            live = state.active.get(name)
            law(not name or (live and live.number == number), f"{name} is not at work, and in conflict")
        law(found.told <= MOST_TOLD, f"{pair} were told {found.told} times of each other")


def _check_questions(state: TeamState) -> None:
    records = state.escalations
    asked_of_user = {n: r for n, r in records.items() if r.state == "open" and r.target == "user"}
    same(state.open, asked_of_user, "open questions")
    same(state.held, {n: r for n, r in records.items() if r.state == "held"}, "held questions")
    to_user = (*state.open.values(), *state.held.values())
    asked = Counter((name, r.kind) for r in to_user for name in r.tasks)
    for task in state.tasks.values():
        name = task.spec.id
        waits = task.blocked if state.phase not in {"FAILED", "CANCELLED"} else None
        for kind in ("failed", "conflict", "budget", "proposal"):
            expected = int(waits == kind.upper())
            same(asked[name, kind], expected, f"questions ({kind}) about {name} ({task.state})")
        own = [records[n] for n in task.attempts[-1].questions] if task.attempts else []
        undecided = [r for r in own if r.state in {"open", "held"}]
        users = [r for r in undecided if r.target == "user"]
        law(waits != "QUESTION" or users, f"{name} waits for an answer, and its question is not open")
        advisers = [r for r in undecided if r.target in {"logicValidator", "externalAdvisor"}]
        law(waits != "ADVICE" or advisers, f"{name} waits for advice, and nobody is asked")
        if waits == "PLANNER":
            planned = any(name in r.tasks and r.target == "planner" for r in state.referred.values())
            whole = any(r.kind == "plan" for r in state.halts.values())
            law(planned or whole, f"{name} waits for a replan, and nobody is asked")
        law(task.state not in SETTLED or not asked[name, "question"], f"{name} is settled, and asks")
    permissions = {n: r for n, r in state.open.items() if r.kind == "permission"}
    same(state.permissions, permissions, "permissions")
    causes = [(r.kind, r.cause) for r in to_user if r.cause]
    law(len(causes) == len(set(causes)), f"the same is asked twice: {causes}")
    same(state.asked, {(r.kind, r.cause): r.id for r in to_user if r.cause}, "asked")
    for thing, hold in () if state.final else state.holds.items():
        asked_of = {("failed", hold.cause), ("judge", hold.cause)}
        law(not hold.cause or asked_of & set(causes), f"nobody is asked about {thing}")
    same(state.calls, {r.call: n for n, r in records.items() if r.call}, "calls")
    same(len(state.calls), sum(bool(r.call) for r in records.values()), "questions asked by calls")
    limits = sum(r.kind == "limit" for r in state.open.values())
    law(limits <= 1, "a person is asked twice at once about the limit")
    law(limits or not state.held, "questions are held, and nobody is asked about the limit")


def _check_referrals(state: TeamState) -> None:
    records = state.escalations
    referred = {n: r for n, r in records.items() if r.state == "open" and r.target != "user"}
    same(state.referred, referred, "what is open with a model")
    halting = {n: r for n, r in records.items() if r.state == "open" and r.kind in {"plan", "rounds"}}
    same(state.halts, halting, "what halts everything")
    turned = Counter(r.target for r in records.values() if r.target != "user")
    same(state.referrals, dict(turned), "how often models were turned to")
    limits = state.session.limits
    bounds = {
        "planner": limits.replans,
        "logicValidator": limits.validations,
        "externalAdvisor": limits.advices,
    }
    for target, count in turned.items():
        law(count <= bounds[target], f"the {target} was turned to {count} times")
    for record in (*state.open.values(), *state.held.values(), *state.referred.values()):
        over = [name for name in record.tasks if state.tasks[name].state in SETTLED]
        law(not over or record.kind in {"whole", "permission"}, f"{over} are settled, {record} is open")


def _check_consultations(state: TeamState) -> None:
    live = {**state.wanted, **state.advising}
    law(len(live) == len(state.wanted) + len(state.advising), "a consultation is wanted and under way")
    for found in live.values():
        if found.purpose in JUDGING:
            attempt = state.tasks[found.task].live
            judged = attempt and (attempt.number, attempt.phase) == (found.attempt, "judging")
            law(judged, f"{found.id} outlives the attempt that it judges")
        elif found.purpose == "tests":
            attempt = state.tasks[found.task].live
            law(attempt and attempt.tests == found.id, f"{found.id} outlives the attempt that it tests")
        elif found.purpose == "complete":
            law(state.phase == "REVIEWING", f"{found.id} looks at work that goes on")
        else:
            law(found.escalation in state.referred, f"{found.id} outlives its record")
    about = Counter(found.escalation for found in live.values() if found.escalation)
    same(dict(about), dict.fromkeys(state.referred, 1), "consultations by their records")
    judges = Counter(found.task for found in live.values() if found.purpose in JUDGING)
    judging = [name for name, attempt in state.active.items() if attempt.phase == "judging"]
    same(dict(judges), dict.fromkeys(judging, 1), "consultations of judges")


def _check_edges(state: TeamState) -> None:
    forwards = Counter((d.spec.id, t.spec.id) for t in state.tasks.values() for d in t.depends_on)
    backwards = Counter((t.spec.id, d.spec.id) for t in state.tasks.values() for d in t.dependents)
    same(backwards, forwards, "dependents")


def _check_task(state: TeamState, task: Task) -> None:
    name = task.spec.id
    same(task.unmet, sum(d.state not in SATISFYING for d in task.depends_on), f"unmet of {name}")
    same([a.number for a in task.attempts], list(range(1, len(task.attempts) + 1)), f"attempts of {name}")
    running = [a for a in task.attempts if a.phase != "ended"]
    same(running, [task.live] if task.live else [], f"live attempts of {name}")
    law(
        all(a.outcome for a in task.attempts if a is not task.live),
        f"an ended attempt of {name} has no outcome",
    )
    law((task.blocked is not None) == (task.state == "BLOCKED"), f"{name} is {task.state}, {task.blocked=}")
    stays = task.state == "SKIPPED" and bool(task.commit)
    law(bool(task.made) == (task.state == "DONE" or stays), f"{name} is {task.state} and made {task.made}")
    law(task.state != "RUNNING" or task.live, f"{name} is RUNNING, and nothing of it is live")
    if task.live and task.live.phase != "stopping":
        law(task.state == "RUNNING", f"{name} is {task.state} with an attempt {task.live.phase}")
    law(not task.live or task.spec.plans or name in state.copies, f"{name} is live without a copy")
    law(not task.spec.plans or name not in state.copies, f"{name} borrows its copies")
    law(not task.paused or task.state not in SETTLED, f"{name} is settled, and paused")


def startable(task: Task) -> bool:
    return (
        task.state in {"READY", "NEEDS_CONTINUATION"}
        and task.live is None
        and not task.paused
        and all(d.state in SATISFYING for d in task.depends_on)
    )


def _check_queues(state: TeamState) -> None:
    waiting = [t for t in state.tasks.values() if startable(t)]
    for (stage, kind, role), lane in state.lanes.items():
        here = [
            t
            for t in waiting
            if (stage_name(state, t), agent_kind(state, t), t.spec.role) == (stage, kind, role)
        ]
        valid = [entry for entry in lane.ready if state.tasks[entry[2]].ticket == entry[1]]
        at_once = [(t.order, t.ticket, t.spec.id) for t in here if not t.not_before]
        same(sorted(valid), sorted(at_once), "ready")
        law(not lane.ready or lane.ready[0] == min(valid, default=None), "the head of ready is stale")
        timed = [entry for entry in lane.timers if state.tasks[entry[3]].ticket == entry[2]]
        later = [(t.not_before, t.order, t.ticket, t.spec.id) for t in here if t.not_before]
        same(sorted(timed), sorted(later), "timers")
        law(not lane.timers or lane.timers[0] == min(timed, default=None), "the head of timers is stale")
    for task in waiting:
        place = (stage_name(state, task), agent_kind(state, task), task.spec.role)
        law(task.lane is state.lanes[place], "lanes of tasks")


def stage_name(state: TeamState, task: Task) -> str:
    return task.spec.stage or state.session.pipeline.stages[0].name


def _check_stages(state: TeamState) -> None:
    for name, stage in state.stages.items():
        tasks = [task for task in state.tasks.values() if stage_name(state, task) == name]
        unsettled = [task for task in tasks if task.state not in SETTLED]
        same(stage.tasks, [task.spec.id for task in tasks], f"tasks of stage {name!r}")
        same(stage.unsettled, len(unsettled), f"unsettled tasks of stage {name!r}")
        same(stage.to_merge, sum(task.spec.merges for task in unsettled), f"what stage {name!r} merges")
        law(stage.state != "closed" or not unsettled, f"stage {name!r} is closed, and has work")
        law(all(task.stage is stage for task in tasks), f"a task is not in its stage {name!r}")
    is_open = [stage for stage in state.stages.values() if stage.state == "open"]
    same(is_open, [state.stage] if state.stage else [], "the stage that is open")
    if state.stage is not None:
        before = [stage for stage in state.stages.values() if stage.order < state.stage.order]
        same(state.earlier, sum(stage.unsettled for stage in before), "unsettled before the open stage")


def agent_kind(state: TeamState, task: Task) -> str:
    """Of a task, the slow way."""
    if task.spec.function:
        return f"engine:{task.spec.function}"
    roles = [role.agent for role in state.session.roles if role.name == task.spec.role]
    return kind_of(next(agent for agent in (task.spec.agent, *roles, state.session.agent) if agent))


def _check_due(state: TeamState) -> None:
    working = [task for task in state.tasks.values() if task.live and task.live.phase != "judging"]
    awaited = [_wanted(state, task, task.live) for task in working if task.live]
    must: list[do.AnyEffect] = [effect for effect in awaited if effect is not None]
    must += [do.RunAgent(name) for name in state.advising]
    must += [do.StopAgent(run.id, "nobody wants its answer any more") for run in _unwanted(state)]
    # A task reopened before its old copy was released may still get that released, until it starts again.
    may: list[do.AnyEffect] = []
    for name in state.copies:
        task = state.tasks[name]
        if task.live is None and (task.state in SETTLED or state.final):
            must.append(do.Release(name))
        elif task.live is None and task.state in {"READY", "BLOCKED"} and task.fresh:
            may.append(do.Release(name))
    if state.approval is not None and state.phase == "AWAITING_APPROVAL":
        approval = state.approval
        target = state.session.target_branch
        must.append(do.ApplyWork(state.integration_tip, target, approval.squash, approval.sign))
    if "RollBack" in state.due:
        law("REJECTED" in [entry.phase for entry in state.phases], "it rolls back, and was not rejected")
        must.append(do.RollBack())
    if state.phase == "REVIEWING" and state.stage is None and _unproven(state):
        turn = state.whole.turn if state.whole and state.whole.tip == state.integration_tip else 0
        must.append(do.CheckWhole(state.integration_tip, turn))
    must += _preflight(state)
    must += [effect for task in state.tasks.values() for effect in _letters(state, task)]
    must += [effect for task in state.tasks.values() for effect in _requests(state, task)]
    must += [do.Notify(about) for about in _needs_a_person(state) if about not in state.notices]
    expected = {effect.key: effect for effect in must}
    optional = {effect.key: effect for effect in may if effect.key in state.due}
    same(state.due, expected | optional, "due")
    for key, effect in state.due.items():
        same(key, effect.key, "the key of an effect")


def _preflight(state: TeamState) -> list[do.AnyEffect]:
    """Every check of the session is to be tried, is being tried, or was."""
    wanted: dict[str, list[str]] = {}
    for task in state.tasks.values() if state.session.preflight else ():
        for command in () if task.spec.plans else (*task.spec.own_checks, *state.session.checks):
            wanted.setdefault(command, [])
            if command in task.spec.own_checks:
                wanted[command].append(task.spec.id)
    same(set(state.preflights), set(wanted), "checks that are tried first")
    under_way = [effect for effect in state.due.values() if isinstance(effect, do.Preflight)]
    same(list(state.preflighting), [effect.key for effect in under_way], "what agents wait for")
    for command, known in state.preflights.items():
        same(set(known.tasks), set(wanted[command]), f"tasks with `{command}`")
        here = [effect.turn for effect in under_way if effect.command == command]
        law(here in ([], [known.turn]), f"`{command}` is tried in another turn")
        law(not (here and command in state.untried), f"`{command}` is to be tried, and is")
    law(not (under_way and (state.final or state.reviews)), "checks are tried when nothing is to start")
    return list(under_way)


def _unwanted(state: TeamState) -> list[Run]:
    """Models at work whose answer nobody waits for."""
    asked = (run for run in state.runs.values() if run.purpose != "work")
    alive = [run for run in asked if run.started_at is not None and run.ended_at is None]
    return [run for run in alive if run.id not in state.advising]


def _needs_a_person(state: TeamState) -> list[str]:
    if not state.session.notify:
        return []
    waits = state.phase == "AWAITING_APPROVAL" and state.approval is None
    approval = [f"approval:{state.integration_tip}"] if waits else []
    failed = ["failed"] if state.phase == "FAILED" else []
    return [
        *(n for n, r in state.escalations.items() if r.state == "open" and r.target == "user"),
        *approval,
        *failed,
        *(f"stage:{each.closings}:{name}" for name, each in state.stages.items() if each.found),
    ]


def _unproven(state: TeamState) -> bool:
    """The checks of the whole plan have not run on the work as it is, or failed and nobody accepted that."""
    merged = {merge.task for merge in state.merges}
    wanted = [
        task
        for name, task in state.tasks.items()
        if task.spec.merges and (task.state == "DONE" or (task.state == "SKIPPED" and name in merged))
    ]
    texts = [*state.session.checks, *(text for task in wanted for text in task.spec.own_checks)]
    if not state.integration_tip or not texts or any(r.kind == "whole" for r in state.open.values()):
        return False
    known = state.whole
    if known is None or known.tip != state.integration_tip:
        return True
    settled = known.accepted or all(check.verdict in FINE for check in known.checks)
    return not settled or {check.command for check in known.checks} != set(texts)


def _letters(state: TeamState, task: Task) -> list[do.Deliver]:
    if task.live is None or task.live.phase != "working":
        return []
    said = [state.messages[name] for name in task.member.unread]
    urgent = [m for m in said if m.sender in {"user", "lead"} or state.session.autonomy == 2]
    return [do.Deliver(task.spec.id, task.live.number, message.id) for message in urgent]


def _requests(state: TeamState, task: Task) -> list[do.AwaitAnswer]:
    """Whoever was asked to leave, and is at work, has its time."""
    name = task.spec.id
    requests = [m.id for m in state.messages.values() if m.type == "shutdown_request" and m.recipient == name]
    if not requests or task.live is None or task.live.phase != "working":
        return []
    limits = state.session.limits
    seconds = limits.leaving if len(requests) == 1 else limits.leaving_again
    return [do.AwaitAnswer(name, task.live.number, requests[-1], seconds)]


def _wanted(state: TeamState, task: Task, attempt: Attempt) -> do.AnyEffect | None:
    name, number = task.spec.id, attempt.number
    match attempt.phase:
        case "preparing":
            return do.PrepareCopy(name, number, attempt.bases, attempt.fallback, attempt.fresh)
        case "working":
            return do.RunAgent(f"{name}-{number}")
        case "collecting":
            return do.Collect(name, number, attempt.base, attempt.run.summary)
        case "checking":
            every = [*task.spec.checks, *task.spec.hidden_checks, *state.session.checks]
            passed = [check.command for check in attempt.checks]
            following = next(command for command in every if command not in passed)
            return do.Check(name, number, attempt.work.commit or attempt.base, following)
        case "proving":
            return do.Prove(name, number, attempt.work.commit)
        case "trying":
            law(attempt.trying in {attempt.tests, attempt.examples}, f"{name} is tried with something else")
            if attempt.trying in {*state.wanted, *state.advising}:
                return None
            return do.Prove(name, number, attempt.work.commit, attempt.trying)
        case "integrating":
            return do.Integrate(name, number, attempt.work.commit)
        case "stopping":
            due = state.due.get(f"StopAgent:{name}-{number}")
            return do.StopAgent(f"{name}-{number}", due.reason if isinstance(due, do.StopAgent) else "")
        case _:
            raise broken(f"an attempt of {name} is live in {attempt.phase}")


# No silent standstill


def _check_open(state: TeamState, stage: Stage, now: float) -> None:
    law(not state.earlier, f"{stage.spec.name!r} is open, and there is work before it")
    here = [task for task in state.tasks.values() if task.stage is stage]
    asked = any((record.kind, record.cause) == ("stage", stage.spec.name) for record in state.open.values())
    law(
        asked or any(task.state not in SETTLED or task.live for task in here),
        "every task is settled, and work goes on",
    )
    for task in here:
        if task.state not in SETTLED and task.live is None:
            _check_wait(state, task, now)


def _check_leaving(state: TeamState) -> None:
    leaving = state.leaving
    law(leaving is not None, "a session has ended, and its team does not leave")
    assert leaving is not None
    for name, attempt in state.active.items():
        asked = name in leaving.leavers and not leaving.at_once
        waits = {"integrating", "stopping", *(["working"] if asked else [])}
        law(attempt.phase in waits, f"after the end an attempt is {attempt.phase}")
    left = not state.active and not _unwanted(state)
    same(leaving.deleted_at is not None, left, "whether the team is deleted")


def check_waits(state: TeamState, now: float) -> None:
    """Whatever does not move has a reason that somebody can act on."""
    if state.final:
        _check_leaving(state)
        return
    _check_asking(state, now)
    match state.phase:
        case "IDLE" | "PLANNING" | "ANALYZING" | "EXECUTING":
            law(state.stage or not state.leader, f"a led session stays in {state.phase} without a stage")
            for stage in (state.stage,) if state.stage else ():
                same(stage.spec.phase, state.phase, "the phase of the open stage")
                _check_open(state, stage, now)
        case "REVIEWING" if state.stage is not None:
            _check_open(state, state.stage, now)
        case "REVIEWING":
            completing = any(c.purpose == "complete" for c in state.advising.values()) or state.wanted
            law(state.open or _unproven(state) or completing, "REVIEWING waits for nothing")
            left = [t for t in state.tasks.values() if t.state not in SETTLED or t.live]
            to_come = all(t.stage.state == "waiting" and not t.spec.merges for t in left)
            law(to_come, "REVIEWING with work left")
        case "AWAITING_APPROVAL":
            law(not state.unsettled and not state.active and not state.open, "approval asked with work left")
            law(state.integration_tip, "approval asked for nothing")
            known = state.fulfilment
            told = known is not None and known.tip == state.integration_tip and known.settled
            law(told or "planner" not in state.session.consultants, "nobody said that this is all")
            refused = (
                state.approval or state.approval_refused or state.trespasses or not state.session.auto_approve
            )
            law(refused, "approved in advance, and it waits")
        case "REJECTED":
            law("RollBack" in state.due, "it is rejected, and does not end")
        case _:
            raise broken(f"the session rests in {state.phase}")


def _check_asking(state: TeamState, now: float) -> None:
    """A model that is to be asked is, unless it may not be and somebody or something will end that."""
    for record in state.open.values():
        if record.kind == "budget" and not record.tasks:
            paid = [f"role:{found.role}" for found in state.wanted.values()]
            paid += [f"role:{task.spec.role}" for task in state.tasks.values() if startable(task)]
            needed = record.cause in paid or (record.cause == "session" and paid)
            law(needed, f"{record.id} is asked about a budget that nothing waits for")
    for found in state.wanted.values():
        hold = state.holds.get(found.role) or state.holds.get(kind_of(found.agent))
        if hold is not None and hold.until is None:
            seen_to = hold.cause or any(r.kind == "agent" for r in state.open.values())
            law(seen_to, f"nobody sees to {found.agent}")
        held = hold is not None and (hold.until is None or hold.until > now)
        asked = any(r.kind == "budget" for r in state.open.values())
        reserved = any(purse.reserved and purse.used_up for purse in state.funds_of(found.role))
        queued = any(found.name == other.name for other in state.advising.values())
        about = state.active.get(found.task)
        shares = about is not None and about.number == found.attempt and about.run.id in state.seated
        shares = shares and found.purpose != "tests"
        queued = queued or (len(state.seated) >= state.session.limits.jobs and not shares)
        timed = hold is not None and hold.until is not None and not (asked or reserved or queued)
        law(not timed or state.next_timer() is not None, f"nothing will wake {found.agent}")
        waits = held or asked or reserved or queued or _machine_held(state, now)
        law(waits or not state.leader or state.draining, f"{found.id} may be asked, and is not")


def _check_wait(state: TeamState, task: Task, now: float) -> None:
    name = task.spec.id
    if task.state == "BLOCKED" and task.blocked in {"QUESTION", "PLANNER", "ADVICE"}:
        # That somebody is asked, `_check_questions` says.
        held = any(name in r.tasks for r in state.held.values())
        law(not held or any(r.kind == "limit" for r in state.open.values()), f"{name} is held for ever")
    elif task.state == "BLOCKED" and task.blocked == "CHECK":
        law(_about_checks(state, task), f"{name} has a check that cannot be run, and nobody is asked")
    elif task.state == "BLOCKED":
        kind = (task.blocked or "").lower()
        records = [r for r in state.escalations.values() if name in r.tasks and r.kind == kind]
        records = [r for r in records if r.state in {"open", "held"}]
        law(records, f"{name} is blocked, and nobody is asked")
        asked = any(r.state == "open" for r in records) or any(r.kind == "limit" for r in state.open.values())
        law(asked, f"the question about {name} is held for ever")
    elif not startable(task) and not task.paused:
        unmet = [d for d in task.depends_on if d.state not in SATISFYING]
        law(unmet, f"{name} may start and is not counted as startable")
        never = [d.spec.id for d in unmet if d.state in DEAD_ENDS]
        law(not never, f"{name} waits for {never}, which will never be done")
    elif not task.paused and task.not_before <= now:
        limits = state.session.limits
        full = len(state.seated) >= limits.jobs or len(state.active) >= limits.live_attempts
        halted = state.halts or (state.session.stop_on_escalation and state.open) or _needed(state)
        idle = full or halted or not state.leader or state.draining
        waits = idle or _held(state, task, now) or _short(state, task)
        tried = [until for until in state.preflighting.values() if until > now]
        if not waits and (_machine_held(state, now) or tried):
            law(state.next_timer() is not None, f"nothing will wake {name} when the machine can again")
        else:
            law(waits, f"{name} may start, and does not")


def _about_checks(state: TeamState, task: Task) -> bool:
    commands = (*task.spec.own_checks, *state.session.checks)
    found = [state.preflights[command].obstacle for command in commands]
    causes = [each.cause(command) for each, command in zip(found, commands, strict=True) if each]
    return any(r.kind == "preflight" and r.cause in causes for r in state.open.values())


def _needed(state: TeamState) -> list[str]:
    """What is on hold, and every task needs."""
    return [thing for thing in state.holds if thing == "environment" or thing.startswith("`")]


def _machine_held(state: TeamState, now: float) -> bool:
    hold = state.holds.get("machine")
    return hold is not None and hold.until is not None and hold.until > now


def _held(state: TeamState, task: Task, now: float) -> bool:
    """Its kind of agent may not be used, and somebody or something will end that."""
    kind = agent_kind(state, task)
    hold = state.holds.get(kind)
    if hold is None:
        return False
    if hold.until is None:
        asked = any(r.kind == "agent" and r.cause == kind for r in state.open.values())
        law(asked or hold.cause, f"nobody sees to {kind}")
        return True
    at_work = [attempt.run for attempt in state.active.values() if attempt.run.ended_at is None]
    others = any(kind_of(run.agent) == kind for run in at_work)
    timed = hold.until > now
    law(
        not timed or (state.next_timer() or now) <= hold.until or state.open or state.active,
        f"nothing will wake {kind}",
    )
    return timed or (hold.strikes >= 2 and others)


def _short(state: TeamState, task: Task) -> bool:
    """A budget is used up, and a person is asked; or others have reserved what is left of it."""
    scopes = ("session", f"role:{task.spec.role}")
    asked = any(r.kind == "budget" and r.cause in scopes for r in state.open.values())
    return asked or any(state.purses[scope].reserved for scope in scopes if scope in state.purses)


def _met(troubles: Mapping[str, Mapping[str, Iterable[str]]]) -> dict[str, list[list[str]]]:
    """By what failed: the tasks that met it in each way."""
    found = {
        thing: sorted(sorted(met) for met in causes.values() if met) for thing, causes in troubles.items()
    }
    return {thing: met for thing, met in found.items() if met}


# Following the events alone


@dataclass
class Ledger:
    """What must be true of any sequence of events, whatever the state says."""

    spec: Any = None
    leader: bool = False
    phase: str = "IDLE"
    stage: str = ""
    """The one that is open."""
    opened_on: dict[str, str] = field(default_factory=dict)
    stages: dict[str, int] = field(default_factory=dict)
    """Of each task, by its place in the pipeline."""
    dependencies: dict[str, list[str]] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    live: dict[str, int] = field(default_factory=dict)
    started: set[tuple[str, int]] = field(default_factory=set)
    failures: Counter[str] = field(default_factory=Counter)
    conflicts: Counter[str] = field(default_factory=Counter)
    not_before: dict[str, float] = field(default_factory=dict)
    copies: set[str] = field(default_factory=set)
    kinds: dict[str, str] = field(default_factory=dict)
    counted: int = 0
    allowed: int = 0
    tip: str = ""
    seen: int = 0
    """How many events."""
    agents: dict[str, str] = field(default_factory=dict)
    """The agent kind of each run that is alive."""
    seats: set[str] = field(default_factory=set)
    """Those of them that take one."""
    subjects: dict[str, str] = field(default_factory=dict)
    """The attempt's run that each model was asked about, if any."""
    began: dict[str, int] = field(default_factory=dict)
    holds: dict[str, tuple[e.AgentHeld, int]] = field(default_factory=dict)
    """With the number of events before it."""
    troubles: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    """By what fails and how: the tasks that failed for good over it, since it last worked."""
    to_hold: set[str] = field(default_factory=set)
    """What has failed for two tasks in the same way."""
    proofs: Proofs = field(default_factory=lambda: Proofs(law))
    planned: PlannedProofs = field(default_factory=lambda: PlannedProofs(law))
    accounts: Accounts = field(default_factory=Accounts)
    departures: Departures = field(default_factory=lambda: Departures(law))
    asked_by: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """What each attempt asked, or its work."""
    asking: dict[tuple[str, str], int] = field(default_factory=dict)
    """The attempts of agents whose questions are open, by question and task."""
    unheard: dict[str, int] = field(default_factory=dict)
    """Tasks whose last attempt ended with a question open, though nothing had failed."""
    parked: set[tuple[str, int]] = field(default_factory=set)
    """Attempts that were told to end their turn."""
    answered: Counter[str] = field(default_factory=Counter)
    advised: Counter[str] = field(default_factory=Counter)
    begun: list[str] = field(default_factory=list)
    unread: dict[str, list[str]] = field(default_factory=dict)
    checks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The own checks of tasks whose work is merged."""
    merged: set[str] = field(default_factory=set)
    paused: set[str] = field(default_factory=set)
    specs: dict[str, TaskSpec] = field(default_factory=dict)
    left_out: dict[str, bool] = field(default_factory=dict)
    """Skipped tasks: whether that was nobody's word."""
    left: dict[str, str] = field(default_factory=dict)
    """What the work of each task holds, that was collected last; empty: it changed nothing."""
    approved: dict[str, str] = field(default_factory=dict)
    """The work that a person has accepted, by task."""
    taken: set[str] = field(default_factory=set)
    """Stages that a person goes on from as they are."""
    revised: int = 0
    halting: list[str] = field(default_factory=list)
    """What has to be decided before anything new starts."""
    proven: str = ""
    """The merged work that the checks of the whole plan let pass, or a person did."""

    def observe(self, event: e.AnyEvent, now: float) -> None:
        first = self.spec or isinstance(event, e.SessionOpened | e.TeamFormed)
        law(first, "the first event opens the session")
        law(not (self.seen and isinstance(event, e.TeamFormed)), "a team is formed before its session")
        self._observe_troubles(event)
        self._observe_agents(event, now)
        self._observe_questions(event)
        self._observe_messages(event)
        self.proofs.observe(event)
        self.planned.observe(event)
        self.departures.observe(event)
        complaint = self.accounts.observe(event, now)
        law(not complaint, complaint)
        self.seen += 1
        match event:
            case e.SessionOpened():
                self.spec = event.spec
                self.allowed = event.spec.limits.questions
                for spec in event.spec.plan.tasks:
                    self._add(spec)
            case e.PhaseChanged():
                self._enter(event.phase)
            case e.StageOpened() | e.StageClosed():
                self._turn_to_stage(event)
            case e.LeaderStarted():
                self.leader = True
            case e.LeaderStopping() | e.LeaderStopped():
                self.leader = False
            case e.AttemptStarted():
                self._start(event, now)
            case e.AttemptEnded():
                self._end(event)
            case _:
                self._observe_task(event, now)
                self._observe_steering(event)
                self._observe_decisions(event)
                self._observe_rest(event)
        self.begun = [name for name in self.begun if self.states[name] not in SETTLED]
        self.paused = {name for name in self.paused if self.states[name] not in SETTLED}

    def _observe_agents(self, event: e.AnyEvent, now: float) -> None:
        match event:
            case e.AttemptStarted():
                kind = kind_of(event.agent)
                hold = self.holds[kind][0] if kind in self.holds else None
                law(not hold or (hold.until is not None and hold.until <= now), f"{kind} is held, and starts")
                machine = self.holds["machine"][0].until if "machine" in self.holds else None
                law((machine or now) <= now, f"the machine is held, and {kind} starts")
                needed = ["environment", *(f"`{check}`" for check in self.spec.checks)]
                law(not set(needed) & set(self.holds), f"{needed} is held, and {event.task} starts")
                law(
                    not hold or hold.strikes < 2 or not self._at_work(kind),
                    f"a second {kind} starts, before the first has shown that it works",
                )
                self._sit(f"{event.task}-{event.attempt}", kind)
            case e.AgentHeld():
                law(
                    event.until is None or event.until > now,
                    f"{event.kind} is held until a time that is over",
                )
                self.holds[event.kind] = event, self.seen
                self.to_hold.discard(event.kind)
            case e.AgentReleased():
                self.holds.pop(event.kind, None)
            case e.RunEnded():
                kind = self.agents.pop(event.run)
                self.seats.discard(event.run)
                worked = event.end.status in {"ok", "budget"}
                if worked and kind in self.holds and self.began[event.run] > self.holds[kind][1]:
                    del self.holds[kind]
            case e.AttemptEnded():
                self.agents.pop(f"{event.task}-{event.attempt}", None)
                self.seats.discard(f"{event.task}-{event.attempt}")
            case _:
                self._observe_consultations(event, now)

    def _observe_consultations(self, event: e.AnyEvent, now: float) -> None:
        match event:
            case e.RunWanted():
                self.subjects[event.run] = f"{event.task}-{event.attempt}"
            case e.RunStarted():
                kind = kind_of(event.agent)
                hold = self.holds[kind][0] if kind in self.holds else None
                law(
                    not hold or (hold.until is not None and hold.until <= now),
                    f"{kind} is held, and is asked",
                )
                role = event.run.rsplit("-", 2)[-2]
                law(role not in self.holds, f"{role} is held, and is asked")
                beside = self.subjects[event.run] in self.seats and role != "tester"
                self._sit(event.run, kind, shares=beside)
            case _:
                pass

    def _sit(self, run: str, kind: str, *, shares: bool = False) -> None:
        """Whoever is asked about an attempt at work uses its seat, but for a tester, who works meanwhile."""
        self.agents[run] = kind
        self.began[run] = self.seen
        if not shares:
            law(len(self.seats) < self.spec.limits.jobs, f"{run} starts, and every seat is taken")
            self.seats.add(run)

    def _at_work(self, kind: str) -> bool:
        return any(other == kind for run, other in self.agents.items() if run not in self.subjects)

    def _observe_questions(self, event: e.AnyEvent) -> None:
        match event:
            case e.TaskAdvised():
                self.advised[event.task] += 1
            case e.QuestionParked():
                self.parked.add((event.task, event.attempt))
            case e.WorkCollected():
                unheard = (event.task, event.attempt) in self.parked
                law(
                    not unheard, f"{event.task} was told to wait for an answer, and counts as done without it"
                )
            case e.AttemptEnded() if event.outcome in {"asked", "lost", "interrupted", "held", "stopped"}:
                self.unheard[event.task] = event.attempt
            case e.AttemptStarted():
                last = self.unheard.pop(event.task, 0)
                waits = any(key[1] == event.task and asker == last for key, asker in self.asking.items())
                law(not waits, f"{event.task} goes on without its answer")
            case _:
                self._observe_askers(event)

    def _observe_askers(self, event: e.AnyEvent) -> None:
        match event:
            case e.EscalationRaised() if event.kind != "permission":
                for concern in event.tasks:
                    self._is_asked(event.id, concern)
            case e.EscalationJoined():
                self._is_asked(event.id, event.task)
            case e.EscalationLeft():
                self.asking.pop((event.id, event.task), None)
            case e.EscalationAnswered():
                self._is_answered(event, [key for key in self.asking if key[1] in event.tasks])
            case e.EscalationResolved() | e.EscalationWithdrawn():
                self._is_answered(event, list(self.asking))
            case _:
                pass

    def _is_answered(self, event: Answer, keys: list[tuple[str, str]]) -> None:
        for question, task in keys:
            if question == event.id:
                del self.asking[question, task]
                self.answered[task] += self._hands_on(event)

    def _is_asked(self, question: str, concern: Concern) -> None:
        if concern.attempt:
            self.asking[question, concern.task] = concern.attempt
            self.asked_by.setdefault((concern.task, concern.attempt), []).append(question)

    def _hands_on(self, event: Answer) -> bool:
        """The answer is for the agent, and not only for the lead."""
        kind = self.kinds[event.id]
        if (
            isinstance(event, e.EscalationWithdrawn)
            or event.by == "planner"
            or kind in {"proposal", "decision"}
        ):
            return False
        return event.resolution.lower() not in FOR_THE_LEAD[kind]

    def _observe_troubles(self, event: e.AnyEvent) -> None:
        match event:
            case e.TaskBlocked() if event.cause and event.cause.thing:
                self._forget_troubles(event.task)
                met = self.troubles.setdefault(event.cause.thing, {}).setdefault(event.cause.how, set())
                met.add(event.task)
                held = self.holds.get(event.cause.thing)
                if len(met) > 1 and not (held and held[0].cause == event.cause.name):
                    self.to_hold.add(event.cause.thing)
            case e.TaskUnblocked() | e.TaskSkipped():
                self._forget_troubles(event.task)
            case e.CopyPrepared():
                self.troubles.pop("environment", None)
            case e.RunEnded() if event.end.status in {"ok", "budget"}:
                self.troubles.pop(self.agents[event.run], None)
                if event.answer is not None:
                    self.troubles.pop(event.run.rsplit("-", 2)[-2], None)
            case e.CheckFinished() if event.result.exit_code not in {126, 127}:
                self.troubles.pop(f"`{event.result.command}`", None)
            case _:
                pass

    def _forget_troubles(self, task: str) -> None:
        for causes in self.troubles.values():
            for met in causes.values():
                met.discard(task)

    def _observe_messages(self, event: e.AnyEvent) -> None:
        match event:
            case e.AttemptStarted() if event.task not in self.begun:
                self.begun.append(event.task)
            case e.MessageSent():
                own = [event.recipient] if event.recipient in self.states else self.begun
                for name in own:
                    called = event.recipient in {name, self.accounts.roles[name], "all"}
                    if called and name != event.sender:
                        self.unread.setdefault(name, []).append(event.id)
            case e.MessagesRead():
                for message in event.messages:
                    self.unread[event.task].remove(message)
            case e.AttemptEnded():
                own = self.departures.asked.get(event.task, [])
                self.unread[event.task] = [m for m in self.unread.get(event.task, []) if m not in own]
            case _:
                pass

    def _observe_rest(self, event: e.AnyEvent) -> None:
        match event:
            case e.WorkIntegrated():
                law(self.live.get(event.task) == event.attempt, f"{event.task} was merged by a dead attempt")
                self.tip = event.tip
                self.merged.add(event.task)
            case e.CopyRemoved() if event.task not in self.live:
                self.copies.discard(event.task)
            case e.WholeChecked():
                law(event.tip == self.tip, "other work was checked than what is merged")
                self.proven = event.tip if all(check.verdict in FINE for check in event.checks) else ""
            case e.WholeAccepted():
                self.proven = event.tip
            case e.EscalationRaised():
                self.kinds[event.id] = event.kind
                self._ask(event.kind, held=event.held or event.target != "user")
                self.halting += [event.id] if event.kind in {"plan", "rounds"} else []
            case e.EscalationResolved() | e.EscalationWithdrawn():
                self.halting = [name for name in self.halting if name != event.id]
            case e.EscalationReleased():
                self._ask(self.kinds[event.id], held=False)
            case e.QuestionsAllowed():
                self.allowed += event.more
            case _:
                pass

    def _hold_back(self, task: str) -> None:
        for name, dependencies in list(self.dependencies.items()):
            if task in dependencies and self.states[name] == "SKIPPED":
                self._hand_on_waits(name)
                self._hold_back(name)

    def _hand_on_waits(self, task: str) -> None:
        awaited = [d for d in self.dependencies[task] if self.states[d] not in SATISFYING]
        for names in self.dependencies.values():
            if task in names:
                names += [name for name in awaited if name not in names]

    def _observe_task(self, event: e.AnyEvent, now: float) -> None:
        match event:
            case e.TaskAdded():
                law(event.spec.id not in self.states, f"{event.spec.id} is added twice")
                self._add(event.spec)
            case e.TaskReplaced():
                self.states[event.task] = "REPLACED_BY_REPLAN"
                for name, names in self.dependencies.items():
                    heirs = [n for n in event.by_tasks if n not in names]
                    self.dependencies[name] = [n for d in names for n in (heirs if d == event.task else [d])]
            case e.TaskSkipped():
                self._hand_on_waits(event.task)
                self.states[event.task] = "SKIPPED"
            case e.TaskBlocked():
                self.states[event.task] = "BLOCKED"
            case e.TaskRetried():
                self.states[event.task] = "NEEDS_CONTINUATION"
                # At once is at once, also if the clock is set back before it happens.
                self.not_before[event.task] = event.not_before if event.not_before > now else 0.0
            case e.TaskDone():
                self.states[event.task] = "DONE"
            case e.TaskUnblocked() | e.TaskReopened():
                before = self.states[event.task]
                goes_on = isinstance(event, e.TaskReopened) and before in {"RUNNING", "NEEDS_CONTINUATION"}
                self.states[event.task] = "NEEDS_CONTINUATION" if goes_on else "READY"
                if isinstance(event, e.TaskReopened):
                    self._hold_back(event.task)
                self.not_before[event.task] = 0.0
                self.failures[event.task] = self.conflicts[event.task] = 0
            case _:
                pass

    def _observe_decisions(self, event: e.AnyEvent) -> None:
        match event:
            case e.TaskSkipped():
                self.left_out[event.task] = event.by in {"lead", "judge"}
            case e.WorkCollected():
                self.left[event.task] = event.work.tree if event.work.commit else ""
            case e.TaskUnblocked() if event.waived:
                self.approved[event.task] = self.left[event.task]
            case e.TaskReopened():
                self.approved.pop(event.task, None)
            case e.TaskDone():
                said = self.approved.get(event.task) == self.left.get(event.task) or event.before
                law(said or not self.specs[event.task].approved_by_user, f"{event.task} is done unapproved")
            case e.StageTaken():
                self.taken.add(event.stage)
            case e.WorkRevised():
                self.revised += 1
                law(self.revised <= self.spec.limits.revisions, "it is revised too often")
            case _:
                pass

    def _observe_steering(self, event: e.AnyEvent) -> None:
        match event:
            case e.TaskPaused():
                self.paused.add(event.task)
            case e.TaskResumed():
                self.paused.discard(event.task)
                self.not_before[event.task] = 0.0
                self.failures[event.task] = self.conflicts[event.task] = 0
            case e.TaskAdded():
                for name in event.before:
                    self.dependencies[name].append(event.spec.id)
            case _:
                pass

    def _add(self, spec: TaskSpec) -> None:
        self.states[spec.id] = "READY"
        self.specs[spec.id] = spec
        self.dependencies[spec.id] = list(spec.depends_on)
        self.checks[spec.id] = spec.own_checks if spec.merges else ()
        names = [stage.name for stage in self.spec.pipeline.stages]
        self.stages[spec.id] = names.index(spec.stage) if spec.stage else 0

    def _enter(self, phase: str) -> None:
        law(self.phase not in FINAL, f"{phase} after the end, {self.phase}")
        self.phase = phase
        if phase == "CANCELLED":
            self.states.update(
                {n: phase for n, s in self.states.items() if s not in SETTLED and n not in self.live}
            )
        if phase in {"AWAITING_APPROVAL", "APPROVED", "DONE"}:
            left = [name for name, state in self.states.items() if state not in SETTLED]
            law(not left, f"{phase} with {left} not settled")
        if phase == "AWAITING_APPROVAL" and self.tip:
            here = [n for n, s in self.states.items() if s == "DONE" or (s == "SKIPPED" and n in self.merged)]
            own = any(self.checks[name] for name in here)
            checked = self.proven == self.tip or not (own or self.spec.checks)
            law(checked, "approval asked of work that was never checked as a whole")

    def _turn_to_stage(self, event: e.StageOpened | e.StageClosed) -> None:
        names = [stage.name for stage in self.spec.pipeline.stages]
        place = names.index(event.stage)
        if isinstance(event, e.StageClosed):
            law(event.stage == self.stage, f"{event.stage!r} closes, and is not open")
            place += 1
            self.stage = ""
        else:
            law(event.commit == (self.tip or self.spec.base_commit), f"{event.stage!r} opens on old work")
            self.stage = event.stage
            self.opened_on[event.stage] = event.commit
        left = [n for n, s in self.states.items() if self.stages[n] < place and s not in SETTLED]
        law(not left, f"{type(event).__name__} {event.stage!r} with {left} not settled")
        alive = [name for name in self.live if self.stages[name] == place - 1]
        law(isinstance(event, e.StageOpened) or not alive, f"{event.stage!r} closes, and {alive} is at work")
        spec = self.spec.pipeline.stages[names.index(event.stage)]
        if isinstance(event, e.StageClosed) and spec.findings and event.stage not in self.taken:
            here = [n for n in self.states if self.stages[n] == place - 1]
            left_out = [n for n in here if self.states[n] == "SKIPPED" and self.left_out[n]]
            critical = [n for n in left_out if self.specs[n].critical]
            law(not critical, f"{event.stage!r} closes without {critical}, and nobody said so")
            done = [n for n in here if self.states[n] == "DONE" and not self.specs[n].function]
            law(done or not here, f"{event.stage!r} closes, and nothing was handed in")

    def _start(self, event: e.AttemptStarted, now: float) -> None:
        name, limits = event.task, self.spec.limits
        law(self.leader, f"{name} starts, and nobody leads")
        stage = self.spec.pipeline.stages[self.stages[name]]
        law(stage.name == self.stage, f"{name} starts, and its stage {stage.name!r} is not open")
        law(self.phase == stage.phase, f"{name} starts in {self.phase}")
        here = [other for other in self.dependencies[name] if self.stages[other] == self.stages[name]]
        if not here and not event.fresh:
            same(event.bases, (self.opened_on[stage.name],), f"what {name} starts from")
        law(name not in self.live, f"{name} has two live attempts")
        law(name not in self.paused, f"{name} starts, and is paused")
        law(not self.halting, f"{name} starts, before {self.halting} are decided")
        law(len(self.live) < limits.live_attempts, f"{name} starts, and there are too many copies")
        law((name, event.attempt) not in self.started, f"{name} uses the number {event.attempt} again")
        law(
            self.states[name] in {"READY", "NEEDS_CONTINUATION"}, f"{name} starts, and is {self.states[name]}"
        )
        unmet = [d for d in self.dependencies[name] if self.states[d] not in SATISFYING]
        law(not unmet, f"{name} starts before {unmet}")
        law(self.failures[name] < limits.attempts, f"{name} failed {self.failures[name]} times and starts")
        law(self.conflicts[name] <= limits.conflict_reruns, f"{name} runs again after too many conflicts")
        law(self.not_before.get(name, 0.0) <= now, f"{name} starts too early")
        self.states[name] = "RUNNING"
        self.live[name] = event.attempt
        self.started.add((name, event.attempt))
        if not (self.spec and self.spec.plan.tasks[0].plans):
            self.copies.add(name)

    def _end(self, event: e.AttemptEnded) -> None:
        name = event.task
        law(
            self.live.pop(name, None) == event.attempt,
            f"attempt {event.attempt} of {name} ended, and was not live",
        )
        self.failures[name] += event.outcome in {"refused", "failed"}
        self.conflicts[name] += event.outcome == "conflict"
        law(event.reasons or event.outcome == "accepted", f"{name} ended {event.outcome} without a reason")
        if self.phase in FINAL and self.states[name] not in SETTLED and event.outcome != "accepted":
            self.states[name] = "CANCELLED"

    def _ask(self, kind: str, *, held: bool) -> None:
        if kind in COUNTED and not held:
            self.counted += 1
            law(self.counted <= self.allowed, "a person is asked more often than they agreed to")

    def compare(self, state: TeamState) -> None:
        same({name: task.state for name, task in state.tasks.items()}, self.states, "states of tasks")
        same({name: a.number for name, a in state.active.items()}, self.live, "live attempts")
        same(set(state.copies), self.copies, "copies")
        same(set(state.seated), self.seats, "seats")
        same(set(state.paused), self.paused, "paused tasks")
        same(state.counted_questions, self.counted, "questions asked")
        same(state.questions_allowed, self.allowed, "questions allowed")
        same(state.integration_tip, self.tip, "the tip of the integration branch")
        same(set(state.holds), set(self.holds), "holds")
        law(not self.to_hold, f"{self.to_hold} failed for two tasks in the same way, and is not held")
        same(_met(state.troubles), _met(self.troubles), "what failed for tasks")
        same(self.advised, +self.answered, "answers handed on")
        attempts = [(name, each) for name, task in state.tasks.items() for each in task.attempts]
        asked = {(name, each.number): list(each.questions) for name, each in attempts if each.questions}
        same(asked, self.asked_by, "what attempts asked")
        same(list(state.begun), self.begun, "tasks begun")
        unread = {name: list(member.unread) for name, member in state.members.items() if member.unread}
        same(unread, {name: ids for name, ids in self.unread.items() if ids}, "unread messages")
        complaint = self.accounts.compare(state)
        law(not complaint, complaint)
        same(
            {name: [d.spec.id for d in task.depends_on] for name, task in state.tasks.items()},
            self.dependencies,
            "dependencies",
        )

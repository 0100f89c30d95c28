"""Runs of agents and models: wanted, started, paid and ended, whatever they are for."""

from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.advisers.planning import score
from teamlead.core.answers import Completion, Examples, Judgement, Proposal, Quality
from teamlead.core.effects import RunAgent, StopAgent
from teamlead.core.runs import ROLE_OF, Run, name_of
from teamlead.core.state import budget
from teamlead.core.state.indexes import advance, clear_due, make_due, pursue, set_attempt
from teamlead.core.state.records import Attempt, Fulfilment, Task
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.team_state import TeamState

WORKED = frozenset({"ok", "budget"})
"""How a run ends whose agent was at its service all along."""
JUDGING = frozenset({"examples", "judge", "quality"})
"""What models are asked about an attempt before its task goes on."""


def _wanted(state: TeamState, event: e.RunWanted, at: float) -> None:
    name = name_of(event.purpose, event.task)
    number = state.asked_of.get(name, 0) + 1
    role = ROLE_OF[event.purpose]
    staff = state.consultant(role)
    state.asked_of[name] = number
    state.runs[event.run] = state.wanted[event.run] = Run(
        id=event.run,
        number=number,
        purpose=event.purpose,
        role=role,
        task=event.task,
        attempt=event.attempt,
        agent=staff.agent,
        model=staff.model,
        effort=staff.effort,
        wanted_at=at,
        escalation=event.escalation,
        about=event.about,
        problem=event.problem,
        tries=event.tries,
    )
    task = state.tasks.get(event.task)
    if task is not None:
        if event.purpose in JUDGING and task.live is not None and task.live.phase != "judging":
            set_attempt(state, task, "judging", at)
        if event.purpose == "tests" and task.live is not None:
            _tested(state, task.live, event.run)
        state.touched[event.task] = None


def _tested(state: TeamState, attempt: Attempt, run: str) -> None:
    """By what this run gives. Where the one before it gave nothing of use, the work waits for this one."""
    if attempt.phase == "trying" and attempt.trying == attempt.tests:
        attempt.trying = run
        clear_due(state, attempt)
    attempt.tests = run


def _started(state: TeamState, event: e.RunStarted, at: float) -> None:
    run = state.wanted.pop(event.run)
    if not state.shares_seat(run):
        state.seated[run.id] = run
    state.advising[run.id] = run
    run.agent, run.model, run.effort = event.agent, event.model, event.effort
    run.commit = event.commit
    run.started_at = at
    run.began = state.seq
    make_due(state, RunAgent(run.id))
    task = state.tasks.get(run.task)
    if task is not None and task.live is not None and run.purpose == "judge":
        task.live.told = len(task.told)
    if run.task:
        state.touched[run.task] = None


def _ended(state: TeamState, event: e.RunEnded, at: float) -> None:
    run = state.runs[event.run]
    task = state.tasks.get(run.task)
    wanted = state.advising.pop(run.id, None) is not None
    run.end = event.end
    run.answer = event.answer
    run.problem = event.problem or run.problem
    if run.purpose == "work":
        assert task is not None
        assert task.live is not None
        run.seconds += at - task.live.phase_since
        over(state, run, at)
        budget.release(task.funds, task.spec.id)
        _pay(state, run, task.funds)
        if task.live.phase == "working":
            advance(state, task, "collecting", at)
    else:
        run.seconds = at - (run.started_at or at)
        over(state, run, at)
        _pay(state, run, state.funds_of(run.role))
    if run.answer is not None:
        state.troubles.pop(run.role, None)
    if run.task:
        state.touched[run.task] = None
    if wanted:
        _heard(state, run)
    live = task.live if task is not None else None
    if task is not None and live is not None and live.phase == "trying" and live.trying == run.id:
        pursue(state, task, live)


def _pay(state: TeamState, run: Run, funds: tuple[budget.Purse, ...]) -> None:
    assert run.end is not None
    state.usage = state.usage.beside(run.end.usage) if state.usage else run.end.usage
    kind = kind_of(run.agent)
    spent = budget.amount(run.end.usage, run.seconds, run.end.turns)
    budget.pay(funds, kind, spent, priced=not run.unpriced)
    if run.end.status in WORKED:
        state.troubles.pop(kind, None)
    hold = state.holds.get(kind)
    if hold is not None and run.end.status in WORKED and run.began > hold.raised:
        del state.holds[kind]


def over(state: TeamState, run: Run, at: float) -> None:
    """Nothing of it is alive: its seat is free."""
    run.ended_at = at
    state.seated.pop(run.id, None)
    state.due.pop(f"RunAgent:{run.id}", None)
    if run.purpose != "work":
        state.due.pop(f"StopAgent:{run.id}", None)


def _heard(state: TeamState, run: Run) -> None:
    if isinstance(run.answer, Completion) and run.purpose == "complete":
        state.fulfilment = Fulfilment(run.commit, run.answer)
    if isinstance(run.answer, Proposal) and run.purpose == "review":
        state.proposed = run.answer
    if isinstance(run.answer, Judgement) and run.purpose == "judge":
        attempt = state.tasks[run.task].live
        if attempt is not None and attempt.number == run.attempt:
            attempt.judgement = run.answer
            attempt.judged_by = run.id
    if isinstance(run.answer, Examples) and run.purpose == "examples":
        attempt = state.tasks[run.task].live
        if attempt is not None and attempt.number == run.attempt:
            attempt.examples = run.id
    if isinstance(run.answer, Quality) and run.purpose == "quality":
        _score(state, run, run.answer)


def _score(state: TeamState, run: Run, answer: Quality) -> None:
    attempt = state.tasks[run.task].live
    if attempt is not None and attempt.number == run.attempt:
        attempt.score = score(answer)
        attempt.judged_by = run.id


def advisers(state: TeamState) -> list[Run]:
    return [*state.wanted.values(), *state.advising.values()]


def drop_judge(state: TeamState, task: Task) -> None:
    """An attempt that ends is judged no more. What else is asked about its task, its record keeps."""
    for run in advisers(state):
        if run.task == task.spec.id and run.purpose in {*JUDGING, "tests"}:
            drop(state, run)


def drop(state: TeamState, run: Run) -> None:
    """Nobody wants its answer any more. While something of it is alive, it keeps its seat."""
    state.wanted.pop(run.id, None)
    if state.advising.pop(run.id, None) is not None:
        state.due.pop(f"RunAgent:{run.id}", None)
        make_due(state, StopAgent(run.id, "nobody wants its answer any more"))


def _completion_accepted(state: TeamState, event: e.CompletionAccepted, at: float) -> None:
    known = state.fulfilment
    answer = known.answer if known is not None and known.tip == event.tip else None
    state.fulfilment = Fulfilment(event.tip, answer, event.by)


HANDLERS: dict[type[Any], Callable[[TeamState, Any, float], None]] = {
    e.RunWanted: _wanted,
    e.RunStarted: _started,
    e.RunEnded: _ended,
    e.CompletionAccepted: _completion_accepted,
}

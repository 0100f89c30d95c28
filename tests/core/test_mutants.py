"""The laws are worth something: each of these planted faults breaks one of them."""

import re
from collections.abc import Callable
from heapq import heappop
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest
from tests.core.oracle import LawBroken
from tests.core.support import World, outcome, play, play_script, session_of, settle
from tests.recorded_seeds import found, recorded_first

from teamlead.core import decide as deciding
from teamlead.core import events as e
from teamlead.core import evolve as evolving
from teamlead.core import facts as f
from teamlead.core import step as stepping
from teamlead.core.advisers import completion, failing_plan
from teamlead.core.asking import consulting, escalation, holds, routing
from teamlead.core.attempts import ending, lifecycle, starting, verdicts
from teamlead.core.evolve import attempts as attempt_changes
from teamlead.core.evolve import escalations as escalation_changes
from teamlead.core.evolve import leaving as leaving_changes
from teamlead.core.evolve import people as decisions
from teamlead.core.evolve import session as session_changes
from teamlead.core.people import questions, replies, steering
from teamlead.core.pipeline import stages
from teamlead.core.state import budget, indexes
from teamlead.core.state import team_state as states
from teamlead.core.state.records import Attempt, Escalation, Hold, Leaving, Task
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.core.team import leaving, talk
from teamlead.core.work import graph

Patch = pytest.MonkeyPatch
ENOUGH = 3000
"""Sessions in which every fault must show itself at least once."""


def explore(seed: int) -> str:
    """The law that is broken; "" if none is."""
    random = Random(seed)
    session = session_of(seed, random)
    try:
        world = World(session)
        play(world, random, 60)
        settle(world)
        world.check_replay()
    except LawBroken as broken:
        return str(broken)
    return ""


def handle(patch: Patch, kind: type[e.Event], handler: Callable[[TeamState, Any, float], None]) -> None:
    patch.setattr(evolving, "_HANDLERS", {**evolving._HANDLERS, kind: handler})


def rule(
    patch: Patch, kind: type[f.Fact], faulty: Callable[[TeamState, Any, float], list[e.AnyEvent]]
) -> None:
    patch.setattr(deciding, "_RULES", {**deciding._RULES, kind: faulty})


def after(patch: Patch, kind: type[e.Event], change: Callable[[TeamState, Any], None]) -> None:
    """A handler that does one thing too many."""
    handler = evolving._HANDLERS[kind]

    def faulty(state: TeamState, event: Any, at: float) -> None:
        handler(state, event, at)
        change(state, event)

    handle(patch, kind, faulty)


def forgets_to_free_the_slot(patch: Patch) -> None:
    def change(state: TeamState, _: Any) -> None:
        state.free_slots.pop()

    after(patch, e.AttemptEnded, change)


def takes_from_the_queue_while_deciding(patch: Patch) -> None:
    original = deciding._RULES[f.RunOver]

    def faulty(state: TeamState, fact: Any, now: float) -> list[e.AnyEvent]:
        for lane in state.lanes.values():
            if lane.ready:
                heappop(lane.ready)
        return original(state, fact, now)

    rule(patch, f.RunOver, faulty)


def starts_before_its_dependencies(patch: Patch) -> None:
    def faulty(task: Task) -> bool:
        return task.state in {"READY", "NEEDS_CONTINUATION"} and task.live is None

    patch.setattr(indexes, "_startable", faulty)


def opens_a_stage_before_the_last_is_settled(patch: Patch) -> None:
    def faulty(state: TeamState) -> list[e.AnyEvent]:
        stage = state.stage
        early = stage is not None and stage.unsettled == 1
        return [e.StageClosed(stage.spec.name)] if early and stage else go_on(state)

    def waiting(state: TeamState) -> Stage | None:
        return next((each for each in state.stages.values() if each.state == "waiting"), None)

    go_on = stages.go_on
    patch.setattr(stages, "go_on", faulty)
    patch.setattr(stages, "next_stage", waiting)


def goes_on_in_a_stage_when_one_before_it_has_work_again(patch: Patch) -> None:
    def change(state: TeamState, event: e.TaskReopened) -> None:
        state.earlier = 0

    after(patch, e.TaskReopened, change)


def starts_tasks_of_a_later_stage_from_the_base(patch: Patch) -> None:
    def faulty(task: Task, base: str) -> tuple[str, ...]:
        return bases(task, base) if task.depends_on else (base,)

    bases = graph.bases
    patch.setattr(graph, "bases", faulty)


def runs_what_is_done_again(patch: Patch) -> None:
    startable = indexes._startable

    def faulty(task: Task) -> bool:
        return startable(task) or (task.state == "DONE" and task.live is None and task.unmet == 0)

    patch.setattr(indexes, "_startable", faulty)


def believes_every_attempt(patch: Patch) -> None:
    def faulty(state: TeamState, fact: Any, *phases: str) -> Any:
        task = state.tasks.get(fact.task)
        return (task, task.live) if task and task.live and task.live.phase in phases else None

    for module in (lifecycle, verdicts):
        patch.setattr(module, "live", faulty)


def believes_every_phase(patch: Patch) -> None:
    def faulty(state: TeamState, fact: Any, *_: str) -> Any:
        task = state.tasks.get(fact.task)
        return (task, task.live) if task and task.live and task.live.number == fact.attempt else None

    for module in (lifecycle, verdicts):
        patch.setattr(module, "live", faulty)


def retries_for_ever(patch: Patch) -> None:
    def faulty(
        state: TeamState, task: Task, result: e.AttemptOutcome, reasons: list[str], *, after: float, **_: Any
    ) -> list[e.AnyEvent]:
        assert task.live is not None
        ended = e.AttemptEnded(task.spec.id, task.live.number, result, tuple(reasons))
        return [ended] if state.final else [ended, e.TaskRetried(task.spec.id, after, fresh=False)]

    for module in (lifecycle, ending, verdicts):
        patch.setattr(module, "fail", faulty)


def reruns_conflicts_for_ever(patch: Patch) -> None:
    def faulty(state: TeamState, fact: f.MergeRefused, now: float) -> list[e.AnyEvent]:
        if lifecycle.live(state, fact, "integrating") is None:
            return []
        ended = e.AttemptEnded(fact.task, fact.attempt, "conflict", ("conflict",))
        return [ended] if state.final else [ended, e.TaskRetried(fact.task, now, fresh=True)]

    rule(patch, f.MergeRefused, faulty)


def retries_too_early(patch: Patch) -> None:
    retried = evolving._HANDLERS[e.TaskRetried]

    def faulty(state: TeamState, event: e.TaskRetried, at: float) -> None:
        retried(state, msgspec.structs.replace(event, not_before=0.0), at)

    handle(patch, e.TaskRetried, faulty)


def miscounts_what_is_unsettled(patch: Patch) -> None:
    def change(state: TeamState, _: Any) -> None:
        state.unsettled += 1

    after(patch, e.TaskSkipped, change)


def remembers_outside_the_state(patch: Patch) -> None:
    numbers = count()

    def change(state: TeamState, event: e.AttemptStarted) -> None:
        state.tasks[event.task].detail = str(next(numbers))

    after(patch, e.AttemptStarted, change)


def never_asks_about_the_limit(patch: Patch) -> None:
    ask = escalation.ask
    patch.setattr(escalation, "ask", lambda *arguments, **named: ask(*arguments, **named)[:1])


def keeps_asking_beyond_the_limit(patch: Patch) -> None:
    ask = escalation.ask

    def faulty(*arguments: Any, **named: Any) -> list[e.AnyEvent]:
        raised = ask(*arguments, **named)[0]
        return [msgspec.structs.replace(raised, held=False)]

    patch.setattr(escalation, "ask", faulty)


def leaves_done_effects_due(patch: Patch) -> None:
    for module in (indexes, attempt_changes):
        patch.setattr(module, "clear_due", lambda *_: None)


def tells_the_driver_nothing(patch: Patch) -> None:
    def faulty(state: TeamState, effect: Any) -> str:
        key: str = effect.key
        state.due[key] = effect
        return key

    for module in (indexes, attempt_changes, decisions):
        patch.setattr(module, "make_due", faulty)


def stands_still_in_review(patch: Patch) -> None:
    patch.setattr(stepping, "_ASKS", {**stepping._ASKS, "REVIEWING": lambda *_: []})


def uses_a_number_twice(patch: Patch) -> None:
    started = starting._started

    def faulty(state: TeamState, task: Task) -> e.AttemptStarted:
        event = started(state, task)
        return msgspec.structs.replace(event, attempt=max(event.attempt - 1, 1))

    patch.setattr(starting, "_started", faulty)


def starts_more_than_there_are_jobs(patch: Patch) -> None:
    def faulty(state: TeamState, now: float) -> list[Task]:
        if not state.leader or state.draining or state.phase != "EXECUTING":
            return []
        heads = [lane.head(now) for lane in state.open_lanes]
        return [state.tasks[head.task] for head in heads if head]

    patch.setattr(TeamState, "heads", faulty)


def starts_while_draining(patch: Patch) -> None:
    def change(state: TeamState, _: Any) -> None:
        state.draining = False

    after(patch, e.LeaderStopping, change)


def forgets_that_a_dependency_was_reopened(patch: Patch) -> None:
    def change(state: TeamState, event: e.TaskReopened) -> None:
        for dependent in state.tasks[event.task].dependents:
            dependent.unmet -= 1
            indexes.queue(state, dependent)

    after(patch, e.TaskReopened, change)


def strands_the_dependents_of_a_replaced_task(patch: Patch) -> None:
    def faulty(state: TeamState, event: e.TaskReplaced, at: float) -> None:
        task = state.tasks[event.task]
        indexes.set_task(state, task, "REPLACED_BY_REPLAN", at)
        task.blocked = None
        indexes.queue(state, task)
        indexes.release(state, task)

    handle(patch, e.TaskReplaced, faulty)


def lets_agents_run_after_the_end(patch: Patch) -> None:
    patch.setattr(leaving, "_stop", lambda *_: [])


def asks_nobody_to_leave(patch: Patch) -> None:
    patch.setattr(leaving, "_ask", lambda *_: [])


def asks_a_third_time(patch: Patch) -> None:
    patch.setattr(leaving, "MOST_REQUESTS", 3)


def ends_who_was_asked_once(patch: Patch) -> None:
    patch.setattr(leaving, "MOST_REQUESTS", 1)


def deletes_the_team_before_its_lead_has_left(patch: Patch) -> None:
    patch.setitem(leaving.CHECKS, "lead-leaves-first", lambda _: iter(()))


def deletes_the_team_before_its_members_have_left(patch: Patch) -> None:
    patch.setitem(leaving.CHECKS, "members-left", lambda _: iter(()))


def takes_an_answer_for_the_end(patch: Patch) -> None:
    gone = leaving._gone

    def faulty(state: TeamState, team: Leaving) -> list[e.AnyEvent]:
        agreed = [(name, each) for name, each in team.leavers.items() if each.approved and each.how is None]
        return [e.MemberLeft(name, each.attempt, "approved") for name, each in agreed] or gone(state, team)

    patch.setattr(leaving, "_gone", faulty)


def keeps_a_request_for_the_next_attempt(patch: Patch) -> None:
    patch.setattr(leaving_changes, "attempt_over", lambda *_: None)


def waits_on_for_an_answer(patch: Patch) -> None:
    patch.setattr(leaving_changes, "_wait_no_more", lambda *_: None)


def asks_whom_the_leader_before_left_behind(patch: Patch) -> None:
    for module in (leaving_changes, session_changes):
        patch.setattr(module, "leader_changed", lambda _: None)


def hears_agents_after_the_end(patch: Patch) -> None:
    patch.setattr(talk, "still_wanted", lambda *_: None)


def frees_a_slot_before_the_attempt_is_quiet(patch: Patch) -> None:
    def change(state: TeamState, event: e.AttemptStopping) -> None:
        state.free_slots.append(state.tasks[event.task].attempts[-1].slot)
        del state.active[event.task]

    after(patch, e.AttemptStopping, change)


def leaves_an_answered_question_open(patch: Patch) -> None:
    def change(state: TeamState, event: e.EscalationResolved) -> None:
        state.open[event.id] = state.escalations[event.id]

    after(patch, e.EscalationResolved, change)


def starts_what_is_held(patch: Patch) -> None:
    patch.setattr(Hold, "forbids", lambda *_: False)


def lets_all_try_at_once_after_strikes(patch: Patch) -> None:
    patch.setattr(TeamState, "_tries", lambda *_: False)


def asks_nobody_about_an_agent(patch: Patch) -> None:
    patch.setattr(starting, "ask_about_agent", lambda _: [])


def forgets_a_hold_at_any_end(patch: Patch) -> None:
    def change(state: TeamState, event: e.RunEnded) -> None:
        state.holds.pop(kind_of(state.runs[event.run].agent), None)

    after(patch, e.RunEnded, change)


def spends_without_counting(patch: Patch) -> None:
    patch.setattr(budget, "pay", lambda *_, **__: None)


def reserves_nothing(patch: Patch) -> None:
    patch.setattr(budget, "reserve", lambda *_: None)


def keeps_what_was_reserved(patch: Patch) -> None:
    patch.setattr(budget, "release", lambda *_: None)


def starts_beyond_the_budget(patch: Patch) -> None:
    patch.setattr(states, "shortage", lambda *_: None)


def goes_on_before_all_questions_are_answered(patch: Patch) -> None:
    def faulty(state: TeamState, record: Escalation, name: str) -> list[e.AnyEvent]:
        blocked = state.tasks[name].blocked in {"QUESTION", "ADVICE"}
        return [e.TaskUnblocked(name, "")] if blocked else []

    patch.setattr(replies, "go_on", faulty)


def keeps_an_answer_to_itself(patch: Patch) -> None:
    def faulty(state: TeamState, record: Escalation, name: str, _: object) -> list[e.AnyEvent]:
        return routing.go_on(state, record, name)

    patch.setattr(replies, "_OF_TASK", {**replies._OF_TASK, "question": faulty})


def ends_an_attempt_over_its_open_question(patch: Patch) -> None:
    patch.setattr(questions, "wait", lambda *_, **__: [])


def takes_the_end_of_a_turn_for_done(patch: Patch) -> None:
    patch.setattr(questions, "answered_too_late", lambda *_: False)


def raises_a_question_for_every_repeated_call(patch: Patch) -> None:
    def faulty(state: TeamState, fact: f.Asked, _: float) -> list[e.AnyEvent]:
        task, attempt = talk.speaker(state, fact)
        return questions.raise_question(state, task, attempt, fact.question, call=fact.id)

    rule(patch, f.Asked, faulty)


def leaves_the_question_of_a_done_task_open(patch: Patch) -> None:
    def faulty(_: TeamState, task: Task, attempt: Attempt, commit: str, before: str = "") -> list[e.AnyEvent]:
        name = task.spec.id
        return [e.AttemptEnded(name, attempt.number, "accepted"), e.TaskDone(name, commit)]

    patch.setattr(lifecycle, "done", faulty)


def tells_the_sender_its_own_message(patch: Patch) -> None:
    def change(state: TeamState, event: e.MessageSent) -> None:
        if event.sender in state.tasks:
            state.members[event.sender].unread += (event.id,)
            state.touched[event.sender] = None

    after(patch, e.MessageSent, change)


def delivers_what_was_read(patch: Patch) -> None:
    read = evolving._HANDLERS[e.MessagesRead]

    def faulty(state: TeamState, event: e.MessagesRead, at: float) -> None:
        due = dict(state.due)
        read(state, event, at)
        state.due.update(due)

    handle(patch, e.MessagesRead, faulty)


def starts_what_is_paused(patch: Patch) -> None:
    def faulty(task: Task) -> bool:
        return task.state in {"READY", "NEEDS_CONTINUATION"} and task.unmet == 0 and task.live is None

    patch.setattr(indexes, "_startable", faulty)


def leaves_a_reassigned_task_in_its_lane(patch: Patch) -> None:
    def faulty(state: TeamState, event: e.TaskReassigned, _: float) -> None:
        task = state.tasks[event.task]
        task.spec = msgspec.structs.replace(task.spec, agent=event.agent, model=event.model)
        state.touched[event.task] = None

    handle(patch, e.TaskReassigned, faulty)


def lets_the_next_agent_go_on_without_the_answer_to_the_last(patch: Patch) -> None:
    stop = steering._stop

    def faulty(state: TeamState, task: Task, reason: str, now: float, **_: bool) -> list[e.AnyEvent]:
        return stop(state, task, reason, now, answered=True)

    patch.setattr(steering, "_stop", faulty)


def turns_to_a_model_beyond_its_limit(patch: Patch) -> None:
    def faulty(state: TeamState, target: Any) -> str:
        return "" if routing.ROLES[target] in state.session.consultants else "there is none"

    patch.setattr(routing, "_missing", faulty)


def lets_consultations_outlive_their_records(patch: Patch) -> None:
    patch.setattr(escalation_changes, "drop", lambda *_: None)


def judges_attempts_that_have_ended(patch: Patch) -> None:
    patch.setattr(attempt_changes, "drop_judge", lambda *_: None)


def goes_on_with_a_plan_that_fails(patch: Patch) -> None:
    patch.setattr(TeamState, "held_up", property(lambda _: False))


def asks_nobody_whether_the_work_is_all(patch: Patch) -> None:
    patch.setattr(completion, "check", lambda _: [])


def leaves_a_task_to_a_review_that_never_comes(patch: Patch) -> None:
    patch.setattr(failing_plan, "review", lambda _: [])


def asks_about_a_budget_that_nothing_needs(patch: Patch) -> None:
    patch.setattr(consulting, "moot", lambda _: [])


def forgets_what_a_model_was_turned_to_for(patch: Patch) -> None:
    def change(state: TeamState, event: e.EscalationRaised) -> None:
        state.referred.pop(event.id, None)

    after(patch, e.EscalationRaised, change)


def answers_for_the_first_task_only(patch: Patch) -> None:
    answer = replies.answer

    def faulty(
        state: TeamState, record: Escalation, text: str, by: str, tasks: list[str]
    ) -> list[e.AnyEvent]:
        events = answer(state, record, text, by, tasks)
        others = set(tasks[1:])
        return [event for event in events if getattr(event, "task", "") not in others]

    patch.setattr(replies, "answer", faulty)


def counts_tasks_towards_the_limit(patch: Patch) -> None:
    def change(state: TeamState, _: Any) -> None:
        state.counted_questions += 1

    after(patch, e.EscalationJoined, change)


def forgets_who_joined_a_question(patch: Patch) -> None:
    handle(patch, e.EscalationJoined, lambda *_: None)


def loses_who_joined_a_question_with_its_leader(patch: Patch) -> None:
    decide, joined = deciding.decide, evolving._HANDLERS[e.EscalationJoined]
    led: list[TeamState] = []

    def remembering(state: TeamState, fact: Any, now: float) -> list[e.AnyEvent]:
        led[:] = [state]
        return decide(state, fact, now)

    def faulty(state: TeamState, event: Any, at: float) -> None:
        if any(each is state for each in led):
            joined(state, event, at)

    patch.setattr(stepping, "decide", remembering)
    handle(patch, e.EscalationJoined, faulty)


def asks_again_what_is_asked(patch: Patch) -> None:
    ask = escalation.ask

    def faulty(state: TeamState, *arguments: Any, **named: Any) -> list[e.AnyEvent]:
        asked, state.asked = state.asked, {}
        try:
            return ask(state, *arguments, **named)
        finally:
            state.asked = asked

    patch.setattr(escalation, "ask", faulty)


def goes_on_asking_about_a_task_that_is_settled(patch: Patch) -> None:
    handle(patch, e.EscalationLeft, lambda *_: None)


def starts_more_of_what_fails_for_all(patch: Patch) -> None:
    patch.setattr(holds, "hold_thing", lambda *_: [])


def holds_what_nobody_is_asked_about(patch: Patch) -> None:
    patch.setattr(holds, "moot", lambda _: [])


def starts_what_needs_something_on_hold(patch: Patch) -> None:
    patch.setattr(TeamState, "_stuck", property(lambda _: False))


MUTANTS: dict[Callable[[Patch], None], str] = {
    answers_for_the_first_task_only: r"questions \(failed\) about|is not open|answers handed on",
    counts_tasks_towards_the_limit: "questions asked",
    forgets_who_joined_a_question: r"questions \(failed\) about|what attempts asked|is not open",
    loses_who_joined_a_question_with_its_leader: "a replay gives another state",
    asks_again_what_is_asked: "the same is asked twice|asked twice at once about the limit",
    goes_on_asking_about_a_task_that_is_settled: r"are settled|questions \(failed\) about|answers handed on",
    starts_more_of_what_fails_for_all: "failed for two tasks in the same way, and is not held",
    holds_what_nobody_is_asked_about: "nobody is asked about",
    starts_what_needs_something_on_hold: "is held, and .* starts",
    forgets_to_free_the_slot: "slots taken and free|the core raised IndexError",
    takes_from_the_queue_while_deciding: "decide changed the state|ready: ",
    starts_before_its_dependencies: "ready: ",
    opens_a_stage_before_the_last_is_settled: "StageClosed .* not settled|the core raised AssertionError",
    goes_on_in_a_stage_when_one_before_it_has_work_again: "unsettled before the open stage",
    starts_tasks_of_a_later_stage_from_the_base: "what task-. starts from",
    runs_what_is_done_again: "starts, and is DONE|ready:|transition: DONE",
    believes_every_attempt: "is stale and caused",
    believes_every_phase: "is stale and caused|the core raised",
    retries_for_ever: "failed . times and starts",
    reruns_conflicts_for_ever: "after too many conflicts",
    retries_too_early: "starts too early",
    starts_what_is_paused: "ready: |timers: |starts, and is paused",
    leaves_a_reassigned_task_in_its_lane: "ready: |timers: |lanes of tasks|reserves",
    lets_the_next_agent_go_on_without_the_answer_to_the_last: "goes on without its answer",
    miscounts_what_is_unsettled: "unsettled",
    remembers_outside_the_state: "a replay gives another state",
    never_asks_about_the_limit: "nobody is asked about the limit",
    keeps_asking_beyond_the_limit: "more often than they agreed to",
    leaves_done_effects_due: "due: ",
    tells_the_driver_nothing: "the driver is not told",
    stands_still_in_review: "REVIEWING waits for nothing",
    uses_a_number_twice: "uses the number . again",
    starts_more_than_there_are_jobs: "the core raised IndexError|is held, and starts",
    starts_while_draining: "nobody leads",
    forgets_that_a_dependency_was_reopened: "starts before|unmet of",
    strands_the_dependents_of_a_replaced_task: "dependencies: ",
    lets_agents_run_after_the_end: "after the end an attempt is|consultations of judges",
    asks_nobody_to_leave: "after the end an attempt is working",
    asks_a_third_time: "asked again|asked a third time",
    ends_who_was_asked_once: "before it had its time",
    deletes_the_team_before_its_lead_has_left: "whether the team is deleted|the lead still asks",
    deletes_the_team_before_its_members_have_left: "the team is deleted, and",
    takes_an_answer_for_the_end: "has left, and something of it is alive",
    keeps_a_request_for_the_next_attempt: "unread messages",
    waits_on_for_an_answer: "due: ",
    asks_whom_the_leader_before_left_behind: "after the end an attempt is working|nobody is to be asked",
    hears_agents_after_the_end: "of one who is to leave",
    frees_a_slot_before_the_attempt_is_quiet: "active: |every slot is taken",
    leaves_an_answered_question_open: "open questions",
    starts_what_is_held: "is held, and starts",
    lets_all_try_at_once_after_strikes: "before the first has shown that it works",
    asks_nobody_about_an_agent: "nobody sees to",
    forgets_a_hold_at_any_end: "holds: |is held, and starts",
    spends_without_counting: "has spent",
    reserves_nothing: "reserves",
    keeps_what_was_reserved: "reserves",
    starts_beyond_the_budget: "is used up",
    goes_on_before_all_questions_are_answered: "goes on without its answer|asks.*is not open",
    keeps_an_answer_to_itself: "answers handed on",
    ends_an_attempt_over_its_open_question: "goes on without its answer|settled, and asks",
    takes_the_end_of_a_turn_for_done: "counts as done without it",
    raises_a_question_for_every_repeated_call: "questions asked by calls",
    leaves_the_question_of_a_done_task_open: "is settled, and asks|are settled|answers handed on",
    tells_the_sender_its_own_message: "unread messages|due: ",
    delivers_what_was_read: "due: ",
    turns_to_a_model_beyond_its_limit: "was turned to . times",
    lets_consultations_outlive_their_records: "outlives its record",
    judges_attempts_that_have_ended: "outlives the attempt",
    goes_on_with_a_plan_that_fails: "are decided",
    asks_nobody_whether_the_work_is_all: "nobody said that this is all",
    leaves_a_task_to_a_review_that_never_comes: "waits for a replan, and nobody is asked",
    asks_about_a_budget_that_nothing_needs: "a budget that nothing waits for",
    forgets_what_a_model_was_turned_to_for: "open with a model|nobody is asked",
}


@pytest.mark.timeout(900)  # a search takes a minute of processor time, and the machine may be busy
@pytest.mark.parametrize("plant", MUTANTS, ids=lambda plant: plant.__name__)
def test_the_laws_notice_a_core_that(plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    plant(monkeypatch)
    what = f"core: {plant.__name__}"
    others = set()
    for seed in recorded_first(what, range(ENOUGH)):
        broken = explore(seed)
        if re.search(MUTANTS[plant], broken):
            found(what, [seed])
            return
        others.add(broken)
    raise AssertionError(f"not noticed in {ENOUGH} sessions, but: {others}")


def test_an_outcome_that_depends_on_what_else_runs_would_be_noticed(monkeypatch: Patch) -> None:
    fail = lifecycle.fail

    def faulty(state: TeamState, task: Task, *arguments: Any, **named: Any) -> list[e.AnyEvent]:
        if len(state.active) > 1 and not state.final:
            arguments = (arguments[0], ["others were running"])
        return fail(state, task, *arguments, **named)

    for module in (lifecycle, ending, verdicts):
        monkeypatch.setattr(module, "fail", faulty)
    outcomes = [outcome(play_script("script 0", Random(n), jobs=1 + n)) for n in range(3)]
    assert any(one != outcomes[0] for one in outcomes)

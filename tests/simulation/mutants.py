"""Faults planted in the core, the engine and the doubles around them: what the simulation must notice."""

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from teamlead.core import decide, step
from teamlead.core.advisers import advice, completion, drafts, replanning
from teamlead.core.asking import consulting, escalation, holds, routing
from teamlead.core.attempts import (
    answering,
    ending,
    examples,
    independent_tests,
    judging,
    lifecycle,
    starting,
    verdicts,
)
from teamlead.core.evidence import bisection
from teamlead.core.evolve import attempts as attempt_changes
from teamlead.core.evolve import escalations as escalation_changes
from teamlead.core.evolve import leaving as leaving_changes
from teamlead.core.evolve import people as approval_changes
from teamlead.core.evolve import runs as run_changes
from teamlead.core.evolve import talk as talk_changes
from teamlead.core.evolve import tasks as task_changes
from teamlead.core.people import moving, questions, replies
from teamlead.core.pipeline import reshape, whole_plan
from teamlead.core.state import budget, indexes
from teamlead.core.state.lanes import Lane
from teamlead.core.state.records import Hold
from teamlead.core.state.team_state import TeamState
from teamlead.core.team import leaving
from teamlead.core.work import acceptance
from teamlead.engine.alarm import Alarm
from teamlead.engine.intake import Intake
from teamlead.engine.leader import Leader
from teamlead.engine.live_runs import Runs
from teamlead.engine.pending_events import PendingEvents
from teamlead.engine.performers import Performers, _await_answer
from teamlead.engine.stopping import Stopping
from teamlead.engine.under_way import UnderWay
from teamlead.testing.workspace import FakeWorkspace


class Mutant(NamedTuple):
    """In the source of `function`, `old` is replaced by `new`."""

    function: Callable[..., Any]
    old: str
    new: str


@contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """In place, so that every table that holds the function has the fault, too."""
    function: Any = mutant.function
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(mutant.old) == 1, f"{mutant.old!r} is not once in {function.__qualname__}"
    names = dict(function.__globals__)
    exec(compile(source.replace(mutant.old, mutant.new), "a planted fault", "exec"), names)
    before = function.__code__
    function.__code__ = names[function.__name__].__code__
    try:
        yield
    finally:
        function.__code__ = before


COMMIT = "await self._parts.journal.commit(Commit(events, rows, outcomes, durable))"
WRITE = "await self._pending.write(durable=True, outcomes=outcomes)"

CORE = {
    "asks for approval of work that does not hold together": Mutant(
        step._review, " or whole_plan.wanted(state)", ""
    ),
    "blames the merge before the one that broke it": Mutant(
        bisection._culprit, "merges[place - 1]", "merges[place - 2]"
    ),
    "takes a failure that nobody accepted for settled": Mutant(
        whole_plan.wanted, " and (known.fine or known.accepted)", ""
    ),
    "sends the same task back for ever": Mutant(whole_plan.ended, " and not state.tasks[task].blamed", ""),
    "believes results of stale attempts": Mutant(lifecycle.live, " or attempt.number != fact.attempt", ""),
    "believes results of other phases": Mutant(lifecycle.live, " or attempt.phase not in phases", ""),
    "retries for ever": Mutant(
        lifecycle.fail, "failures >= going_without.attempts_allowed(state, task)", "False"
    ),
    "runs conflicts again for ever": Mutant(
        lifecycle.merge_refused, "task.conflicts < state.session.limits.conflict_reruns", "True"
    ),
    "blocks a task and asks nobody": Mutant(lifecycle.give_up, "*routing.refer(state, matter, targets),", ""),
    "starts before the dependencies are done": Mutant(indexes._startable, " and task.unmet == 0", ""),
    "starts a task that is running": Mutant(indexes._startable, " and task.live is None", ""),
    "leaks a slot": Mutant(
        attempt_changes._attempt_ended, "heappush(state.free_slots, attempt.slot)", "pass"
    ),
    "uses an attempt's number again": Mutant(
        starting._started, "len(task.attempts) + 1", "max(1, len(task.attempts))"
    ),
    "starts work while draining": Mutant(TeamState.heads, "or self.draining", ""),
    "starts more than there are jobs": Mutant(
        TeamState.heads, "or self.full", "or len(self.active) >= self.session.limits.live_attempts"
    ),
    "retries before it is time": Mutant(
        task_changes._task_retried, "event.not_before if event.not_before > at else 0.0", "0.0"
    ),
    "ignores the scope": Mutant(acceptance._beyond, "if beyond:", "if False:"),
    "accepts work that steers git": Mutant(acceptance._beyond, "if steering:", "if False:"),
    "accepts nothing as a change": Mutant(
        acceptance._wrong_change, "if must_change and not work.commit:", "if False:"
    ),
    "lets a task confirm that shall change something": Mutant(
        task_changes._task_reopened, "bool(event.follows) and (task.confirms or was_done)", "was_done"
    ),
    "accepts work whose checks failed": Mutant(verdicts._judge, "if against.refused:", "if False:"),
    "accepts what is objected to": Mutant(
        verdicts._judge, "if against.objected and not task.waived:", "if False:"
    ),
    "returns the same work for ever": Mutant(lifecycle.send_back, "if not task.returned:", "if True:"),
    "applies an answer twice": Mutant(
        decide._resolve, 'if record.state in {"resolved", "withdrawn"}:', "if False:"
    ),
    "resolves a question and resumes nothing": Mutant(
        replies._about_failure, "return [e.TaskUnblocked(", "return [] and [e.TaskUnblocked("
    ),
    "answers for the first of several tasks": Mutant(
        replies.answer, "for name in tasks:", "for name in tasks[:1]:"
    ),
    "counts the tasks of a question": Mutant(
        escalation_changes._escalation_joined,
        "_concern(state, state.escalations[event.id], event.task)",
        "_concern(state, state.escalations[event.id], event.task); state.counted_questions += 1",
    ),
    "forgets who joined a question": Mutant(
        escalation_changes._escalation_joined,
        "_concern(state, state.escalations[event.id], event.task)",
        "pass",
    ),
    "asks again what is asked": Mutant(
        escalation.ask, "if cause and (known := state.asked.get((kind, cause))) is not None:", "if False:"
    ),
    "closes a question with the first task that leaves it": Mutant(
        escalation_changes._escalation_left, "len(record.tasks) > 1", "False"
    ),
    "starts more of what fails for all": Mutant(holds.hold_thing, "len(tasks) < 2", "True"),
    "holds on to what was decided": Mutant(holds.moot, "if cause not in asked", "if False"),
    "cancels in the middle of an approval": Mutant(moving.cancel, "not_being_approved(state)", "pass"),
    "lets agents run on after a cancellation": Mutant(
        leaving.go_on, "_stop(state, leaving) or _ask(state, leaving) or ", ""
    ),
    "lets a skipped task's agent run on": Mutant(reshape.skip_task, "*stop_live(task, fact.reason),", ""),
    "asks for approval again after it was applied": Mutant(
        approval_changes._approval_applied,
        'state.due.pop(f"ApplyWork:{state.integration_tip}", None)',
        "pass",
    ),
    "never comes back from a refused approval": Mutant(
        approval_changes._approval_refused, "state.approval = None", "pass"
    ),
    "takes every event for one that can wait": Mutant(
        step._apply, "turn.durable or type(event) not in LAZY", "turn.durable"
    ),
    "releases the copy of a task that started again": Mutant(
        attempt_changes._attempt_started, 'state.due.pop(f"Release:{event.task}", None)', "pass"
    ),
    "forgets whom a skipped task waited for": Mutant(
        task_changes._task_skipped, "hand_on_waits(state, task)", "pass"
    ),
    "starts agents of a kind that is held": Mutant(
        Hold.forbids, "self.until is None or self.until > now", "False"
    ),
    "starts all at once after strikes": Mutant(TeamState._tries, "hold.strikes >= CAUTIOUS and", "False and"),
    "asks nobody about an agent that is denied": Mutant(
        starting.ask_about_agent, "kind in waiting and kind not in asked", "False"
    ),
    "never sets an alarm for the end of a hold": Mutant(
        Lane.opens, "if self.ready and until is not None:", "if False:"
    ),
    "counts nothing as spent": Mutant(budget.pay, "purse.spent = purse.spent.plus(used)", "pass"),
    "starts although the budget is used up": Mutant(budget.Purse.short_of, "return dimension", "pass"),
    "never gives back what was reserved": Mutant(
        budget.release, "purse.reserved.pop(reserver, None)", "pass"
    ),
    "goes on without the answer": Mutant(
        ending._go_on,
        "waits or [e.TaskRetried(task.spec.id, now, fresh=False)]",
        "[e.TaskRetried(task.spec.id, now, fresh=False)]",
    ),
    "resumes nobody who was parked": Mutant(
        ending._waits, "attempt.questions and questions.answered_too_late(state, attempt)", "False"
    ),
    "asks again for a repeated call": Mutant(questions.asked, "if fact.id in state.calls:", "if False:"),
    "never takes a message away": Mutant(
        talk_changes._messages_read, "message not in event.messages", "True"
    ),
    "believes a merge only in its own phase": Mutant(lifecycle.merged, "*BEFORE_ITS_END", '"integrating"'),
}

LEAVING = {
    "ends agents without asking": Mutant(
        leaving.go_on, "_stop(state, leaving)", "_stop(state, Leaving(0.0, True))"
    ),
    "asks for ever": Mutant(leaving.overdue, "if len(leaver.requests) < MOST_REQUESTS:", "if True:"),
    "waits for ever": Mutant(
        leaving.overdue,
        "if len(leaver.requests) < MOST_REQUESTS:",
        "if leaver.requests:\n        return []\n    if True:",
    ),
    "takes an answer to another request": Mutant(
        leaving.answered, "fact.request not in leaver.requests", "not fact.request"
    ),
    "deletes a team that is at work": Mutant(
        leaving.members_alive, "for name in state.active", "for name in ()"
    ),
    "asks whom its leader took along": Mutant(
        leaving_changes.leader_changed, "state.leaving.at_once = True", "pass"
    ),
    "forgets who has left": Mutant(leaving._gone, "leaver.how is None and", "False and"),
}

LEADING = {
    "merges what the judge refused": Mutant(
        judging._follow, "if answer.success and not work.refused:", "if not work.refused:"
    ),
    "lets a judge accept what code refused": Mutant(
        judging._follow, "if answer.success and not work.refused:", "if answer.success:"
    ),
    "takes a plan below its measure": Mutant(drafts.reviewed, "mark < limits.plan_quality", "False"),
    "takes a plan that code refuses": Mutant(drafts.proposed, "if wrong or excess:", "if excess:"),
    "takes a plan that a person wants to accept": Mutant(
        drafts._accept, "if state.session.auto_approve:", "if True:"
    ),
    "asks a planner for ever": Mutant(
        drafts._turned_down, "if tried < state.session.limits.attempts:", "if True:"
    ),
    "forgets what a planner asks": Mutant(drafts._asks, "*raised,", ""),
    "takes another plan than the one that was accepted": Mutant(
        drafts.answer, "attempt=record.asker.attempt", "attempt=0"
    ),
    "keeps the review of a plan that nobody wants any more": Mutant(run_changes.drop_judge, "*JUDGING, ", ""),
    "takes a planner at its word on a full disk": Mutant(
        Runs._ask, 'self._unless_disk_full(end) if run.purpose == "work" else end', "end"
    ),
    "merges what a judge objects to": Mutant(
        judging._follow, "if answer.success and objected and not work.refused:", "if False:"
    ),
    "shows the work to who thinks of inputs for it": Mutant(
        consulting._subject, "found.purpose not in BLIND", "True"
    ),
    "judges work without what its judge expected of it": Mutant(
        examples._try, "if not answer.examples:", "if True:"
    ),
    "judges work before the tests for it are there": Mutant(
        independent_tests.of_work, "run = attempt.tests or _known(state, task)", "run = _known(state, task)"
    ),
    "asks no judge": Mutant(judging.wanted, "JUDGE not in state.session.consultants", "True"),
    "turns to a model for ever": Mutant(routing._missing, "state.referrals.get(target, 0) >= limit", "False"),
    "asks for ever what cannot be read": Mutant(
        answering.answered, "found.tries + 1 < READINGS[FORM_OF_PURPOSE[found.purpose]]", "True"
    ),
    "keeps advice to itself": Mutant(
        advice.analysed, ", *advise(state, record, record.asker.task, advice, own=False)", ""
    ),
    "leaves a record open with the planner": Mutant(
        replanning.replanned,
        'e.EscalationResolved(record.id, f"{found.task} is replaced by {new}", found.role), ',
        "",
    ),
    "forgets who waits for a task that is replaced": Mutant(
        task_changes._task_replaced, "for dependent in task.dependents:", "for dependent in ():"
    ),
    "asks for approval before the planner has looked": Mutant(
        completion.check, "if PLANNER not in state.session.consultants", "if True"
    ),
    "asks a model of a kind that is held": Mutant(
        TeamState._opens, "hold.until if hold is not None and hold.until is not None else 0.0", "0.0"
    ),
    "asks nobody after a model that does not know": Mutant(
        routing.forward, "*refer(state, matter, targets, cause=cause),", ""
    ),
    "asks a model without a look at the world": Mutant(
        Runs._end_of,
        "known = await runner.recall(spec)",
        'known = await runner.recall(spec) if run.purpose == "work" else None',
    ),
    "leaves models behind": Mutant(
        Runs.end_all,
        "for live in list(self._live.values())",
        'for name, live in list(self._live.items()) if name.count("-") == 2',
    ),
    "lets a model go on that nobody wants to hear": Mutant(
        run_changes.drop, 'make_due(state, StopAgent(run.id, "nobody wants its answer any more"))', "pass"
    ),
    "gives a model a seat that is taken": Mutant(
        TeamState._awaits_a_run, "if self.seats <= 0 and not self.shares_seat(run):", "if False:"
    ),
}

ENGINE = {
    "acknowledges before the commit": Mutant(
        Leader._turn, WRITE, f"self._intake.answered(outcomes); {WRITE}"
    ),
    "acknowledges with a commit that is not synced": Mutant(
        Leader._turn, WRITE, "await self._pending.write(durable=turn.durable, outcomes=outcomes)"
    ),
    "acknowledges what an agent says before the commit": Mutant(
        Leader._turn, WRITE, f"tell(batch, turn); {WRITE}"
    ),
    "lets agents wait for a leader that has ended": Mutant(
        Intake.close, "for offer in (*self._batch, *self.waiting):", "for offer in ():"
    ),
    "acts before the commit": Mutant(
        Leader._turn,
        "if turn.durable or outcomes or any(offer.told for offer in batch):",
        "self._under_way.launch(self._stopping.may)\n    if turn.durable or outcomes:",
    ),
    "goes on after a failed commit": Mutant(
        PendingEvents.write, COMMIT, f"try:\n        {COMMIT}\n    except TeamleadError:\n        pass"
    ),
    "leaves events in memory at its end": Mutant(
        Leader._lead, "await self._pending.write(durable=True)", "pass"
    ),
    "starts an agent without a look at the world": Mutant(
        Runs._end_of,
        "known = await runner.recall(spec)",
        'known = None if run.purpose == "work" else await runner.recall(spec)',
    ),
    "does not end what an earlier leader left": Mutant(
        Leader._arrive, "await self._performers.runs.end_leftovers(self.state)", "pass"
    ),
    "does not ask git what was merged": Mutant(
        Leader._arrive, "for fact in await self._performers.done_before(self.state):", "for fact in ():"
    ),
    "stops an attempt without recalling its agent": Mutant(
        Runs.stop, "await self._recall(state, state.runs[effect.run])", "pass"
    ),
    "stops an attempt without waiting for its agent": Mutant(
        Runs.stop, "await live.end(state.session.limits.grace)", "pass"
    ),
    "does not wait for what is at work in a copy": Mutant(
        UnderWay._end_work, "await asyncio.wait(at_work.values())", "pass"
    ),
    "starts agents while draining": Mutant(
        Stopping.may,
        "return not (draining and isinstance(effect, NOT_WHEN_DRAINING))",
        "return True",
    ),
    "runs agents where only a command is applied": Mutant(Stopping.may, "if not self._staffed:", "if False:"),
    "gives nobody time to leave": Mutant(
        UnderWay.launch, "or not may(effect)", "or not may(effect) or key.startswith('AwaitAnswer:')"
    ),
    "gives up the time that somebody has to leave": Mutant(
        _await_answer, "await asyncio.sleep(effect.seconds)", "await asyncio.sleep(1e9)"
    ),
    "starts who has not begun when the session ends": Mutant(Runs._end_of, "if state.final:", "if False:"),
    "sets no alarm": Mutant(Alarm.set, "if moment is None:", "if True:"),
    "takes a command twice": Mutant(Intake.take_commands, "if command in self._taken:", "if False:"),
    "takes a command that has its outcome": Mutant(
        Intake.take_commands, "if self._journal.has_outcome(command):", "if False:"
    ),
    "prepares a copy that is being released": Mutant(
        UnderWay._in_the_way,
        'isinstance(effect, do.PrepareCopy) and f"Release:{effect.task}" in self.running',
        "False",
    ),
    "leaves its agents behind": Mutant(Leader._abandon, "if self._performers.runs.running:", "if False:"),
    "does not hurry when told to": Mutant(
        UnderWay.hurry,
        'self.begin("end agents", partial(self._performers.runs.end_all, HURRIED_GRACE))',
        "pass",
    ),
    "takes a failed merge for done": Mutant(
        Performers._integrate,
        'return _failed(effect, "merging", error)',
        "return f.Merged(effect.task, effect.attempt, effect.commit, effect.commit)",
    ),
    "does not report a copy that stays": Mutant(
        Performers._release, "kept = str(self._parts.workspace.path(effect.task))", 'kept = ""'
    ),
    "waits although something is due": Mutant(
        Leader._end,
        "if self.state.next_timer() is not None or any(map(self._stopping.may, self.state.due.values())):",
        "if False:",
    ),
    "kills agents after a jump of the clock": Mutant(
        Leader._turn,
        "now = self._parts.clock.now()",
        "now = self._parts.clock.now()\n    if now - self.state.updated_at > 1000: self._stopping._hurry()",
    ),
}

DOUBLES = {
    "removes a copy without keeping its work": Mutant(FakeWorkspace.release, "self._keep(task)", "''"),
    "starts anew without keeping what was there": Mutant(FakeWorkspace.prepare, "self._keep(task)", "''"),
}

MUTANTS = {**CORE, **LEAVING, **LEADING, **ENGINE, **DOUBLES}

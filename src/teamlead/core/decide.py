"""What a fact means: the events it causes, or a refusal. One file a family of rules; here is their table.

Laws:
- It only reads the state.
- A refusal is raised before any event exists.
- A fact about an attempt that is not live, or not in the phase it speaks of, is stale and causes nothing.
  What an agent says while it works is refused then, since it waits for the answer.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.advisers import completion, drafts, failing_plan
from teamlead.core.asking import holds
from teamlead.core.attempts import ending, going_without, lifecycle, verdicts
from teamlead.core.people import (
    approval,
    mending,
    moving,
    notices,
    permissions,
    questions,
    replies,
    revising,
    steering,
)
from teamlead.core.pipeline import pipelines, preflight, reshape, stage_end, whole_plan
from teamlead.core.state.budget import grants_nothing
from teamlead.core.state.records import Escalation
from teamlead.core.state.team_state import TeamState
from teamlead.core.team import leaving, messages, radar, talk
from teamlead.core.work import graph
from teamlead.errors import NotFound, Refused

Events = list[e.AnyEvent]


def decide(state: TeamState, fact: f.AnyFact, now: float) -> Events:
    events = _RULES[type(fact)](state, fact, now)
    if isinstance(fact, f.Wish) and fact.who is not None:
        return [replace(event, who=fact.who) for event in events]
    return events


def _open(state: TeamState, fact: f.Open, now: float) -> Events:
    if state.spec is not None:
        raise Refused(f"session {state.spec.id!r} is open already")
    if fact.spec.limits.jobs < 1:
        raise Refused(f"{fact.spec.limits.jobs} agents at a time can do no work")
    if not fact.spec.plan.tasks:
        raise Refused("the plan has no tasks")
    roles, tasks = fact.spec.roles, fact.spec.plan.tasks
    budgets = [fact.spec.budget, *(role.budget for role in roles), *(task.budget for task in tasks)]
    if any(grants_nothing(budget) for budget in budgets):
        raise Refused("a budget of nothing lets no agent start")
    problems = (*graph.problems(tasks, {}), *pipelines.problems(fact.spec.pipeline, tasks))
    if problems:
        raise Refused("the plan cannot be carried out: " + "; ".join(problems))
    formed = [e.TeamFormed(fact.team)] if fact.team else []
    return [*formed, e.SessionOpened(fact.spec)]


def _leader_arrived(state: TeamState, fact: f.LeaderArrived, now: float) -> Events:
    return [e.LeaderStarted(fact.epoch, fact.holder)]


def _leader_draining(state: TeamState, fact: f.LeaderDraining, now: float) -> Events:
    return [] if state.draining else [e.LeaderStopping(fact.reason)]


def _leader_left(state: TeamState, fact: f.LeaderLeft, now: float) -> Events:
    return [e.LeaderStopped(fact.reason)] if state.leader else []


def _resolve(state: TeamState, fact: f.Resolve, now: float) -> Events:
    record = state.escalations.get(fact.escalation)
    if record is None:
        raise NotFound(
            f"there is no escalation {fact.escalation!r} in session {state.session.id}",
            remedy="see `teamlead escalations --all`",
        )
    if record.state in {"resolved", "withdrawn"}:
        raise Refused(f"{record.id} is {record.state} already: {record.resolution}")
    if record.state == "held":
        raise Refused(f"{record.id} is held until the question about the limit is answered")
    if not fact.text.strip():
        raise Refused(f"an empty answer does not resolve {record.id}")
    if record.target != "user":
        raise Refused(f"{record.id} is with the {record.target}, who will see to it: nobody asks you")
    tasks = replies.chosen(record, fact.tasks)
    if (decision := _REPLIES.get(record.kind)) is None:
        return replies.answer(state, record, fact.text, fact.by, tasks)
    replies.for_all(record, tasks)
    return decision(state, record, fact.text, fact.by)


def _command_unreadable(state: TeamState, fact: f.CommandUnreadable, now: float) -> Events:
    return [e.WarningNoted(fact.problem)]


_REPLIES: dict[e.EscalationKind, Callable[[TeamState, Escalation, str, str], Events]] = {
    "whole": whole_plan.answer,
    "preflight": preflight.answer,
    "plan": failing_plan.answer,
    "completion": completion.answer,
    "proposal": drafts.answer,
    "stage": stage_end.answer,
}
"""What a person's answer means, where that is not for `replies` to say."""

_RULES: dict[type[Any], Callable[[TeamState, Any, float], Events]] = {
    f.Open: _open,
    f.LeaderArrived: _leader_arrived,
    f.LeaderDraining: _leader_draining,
    f.LeaderLeft: _leader_left,
    f.CopyReady: lifecycle.copy_ready,
    f.CopyConflict: lifecycle.copy_conflict,
    f.RunOver: ending.run_over,
    f.RunQuiet: ending.run_quiet,
    f.WorkFound: verdicts.work_found,
    f.CheckEnded: verdicts.check_ended,
    f.WorkProved: verdicts.work_proved,
    f.Merged: lifecycle.merged,
    f.MergeRefused: lifecycle.merge_refused,
    f.EffectFailed: lifecycle.effect_failed,
    f.CopyReleased: lifecycle.copy_released,
    f.TrialBegun: whole_plan.trial_begun,
    f.WholeEnded: whole_plan.ended,
    f.CheckTried: preflight.tried,
    f.PlanWritten: drafts.written,
    f.KindHeld: holds.kind_held,
    f.MachineShort: holds.machine_short,
    f.CommandUnreadable: _command_unreadable,
    f.ReleaseAgent: replies.release,
    f.Reported: talk.reported,
    f.FeedbackGiven: questions.feedback_given,
    f.ResultSubmitted: talk.result_submitted,
    f.TaskUpdated: talk.task_updated,
    f.Asked: questions.asked,
    f.QuestionParked: questions.parked,
    f.PermissionAsked: permissions.asked,
    f.PermissionLapsed: permissions.lapsed,
    f.ConflictSeen: radar.seen,
    f.MessagePosted: messages.posted,
    f.MessagesTaken: messages.taken,
    f.ShutdownAnswered: leaving.answered,
    f.Tell: messages.told,
    f.Notified: notices.notified,
    f.RepositoryLooked: mending.looked,
    f.Mend: mending.mend,
    f.ApprovalMade: approval.made,
    f.ApprovalImpossible: approval.impossible,
    f.Approve: approval.approve,
    f.Reject: approval.reject,
    f.ReviseWork: revising.revise,
    f.RolledBack: approval.rolled_back,
    f.Resolve: _resolve,
    f.Cancel: moving.cancel,
    f.MovePhase: moving.move,
    f.AnswerOverdue: leaving.overdue,
    f.LeadRead: going_without.read_by_lead,
    f.AddTasks: reshape.add_tasks,
    f.SkipTask: reshape.skip_task,
    f.PauseTask: steering.pause_task,
    f.RetryTask: steering.retry_task,
    f.ReassignTask: steering.reassign_task,
    f.Revise: drafts.revise,
    f.PauseSession: steering.pause_session,
}

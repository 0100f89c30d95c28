"""The rows that `status` and `list` print without folding the journal: JSON, ready to be passed on."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import msgspec

from teamlead.core.asking.routing import ROLES
from teamlead.core.events import EscalationTarget
from teamlead.core.model import Person
from teamlead.core.reports import DifficultyFeedback
from teamlead.core.state.budget import scope_of_task
from teamlead.core.state.records import Approval, Attempt, Escalation, Message, Task
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState, rejection, session_state
from teamlead.core.team.members import state_of
from teamlead.core.transitions import SETTLED, EscalationState
from teamlead.ports.journal import Rows, TaskRow
from teamlead.system.text import clip
from teamlead.views.documents.sessions import (
    ApprovalPart,
    ConflictPart,
    DifficultyPart,
    HoldPart,
    KeptPart,
    MessagePart,
    PartAnswerPart,
    PersonPart,
    QuestionPart,
    QuestionState,
    QuestionTaskPart,
    QuestionTo,
    SessionRow,
    StageMemberPart,
    StagePart,
    TaskPart,
    TrespassPart,
)
from teamlead.views.evidence import evidence_count, plan_checks_view
from teamlead.views.leaving import leaving_view
from teamlead.views.moments import iso
from teamlead.views.opinions import consultation_view
from teamlead.views.spending import budget_view, budgets_view, session_spent, spent_view
from teamlead.views.waiting import reason_of, session_waiting, task_waiting
from teamlead.views.words import headline

_encode = msgspec.json.Encoder().encode

SHOWN_KEPT = 50
SHOWN_VIOLATIONS = 20
SHOWN_NOTICES = 10
SHOWN_ISSUE = 300
"""Rows are written with every commit."""


def view_rows(state: TeamState, touched: Iterable[str]) -> Rows:
    return Rows(_encode(session_view(state)), [_task_row(state, state.tasks[name]) for name in touched])


def _task_row(state: TeamState, task: Task) -> TaskRow:
    view = task_view(state, task)
    return TaskRow(task.order, task.spec.id, task.state, view["waiting"] is not None, _encode(view))


def branch_of(state: TeamState, task: str) -> str:
    return f"teamlead/{state.session.id}/{task}"


def task_view(state: TeamState, task: Task) -> TaskPart:
    spec = task.spec
    last = task.attempts[-1] if task.attempts else None
    # What was given up is no change, though it was made; what was merged stays one.
    given_up = task.state in {"SKIPPED", "CANCELLED", "REPLACED_BY_REPLAN"}
    change = task.accepted if given_up else task.counts
    # Before its next attempt, another agent may have been chosen.
    who = last.run if last and (task.live or task.state in SETTLED) else state.staff_of(spec)
    violations = violations_of(task.attempts)
    # A literal: it is made for every task of every commit, and a call with so many names costs twice as much.
    return {
        "id": spec.id,
        "title": spec.title,
        "state": task.state,
        "attempts_total": len(task.attempts),
        "branch": "" if spec.plans else branch_of(state, spec.id),
        "depends_on": tuple(dependency.spec.id for dependency in task.depends_on),
        "stage": task.stage.spec.name,
        "member": spec.member or spec.id,
        "member_state": state_of(task.member),
        "type": spec.type,
        "role": spec.role,
        "agent": who.agent,
        "model": who.model,
        "effort": who.effort,
        "since": iso(task.since),
        "step": task.live.phase if task.live else None,
        "started_at": iso(task.attempts[0].started_at) if task.attempts else None,
        "ended_at": iso(last.ended_at) if last else None,
        "paused": bool(task.paused),
        "reason": reason_of(task, last),
        "summary": last.run.summary if last else "",
        "commit": task.commit,
        "files_total": change.work.files if change else 0,
        "lines_added": change.work.added if change else 0,
        "lines_deleted": change.work.deleted if change else 0,
        "kept": task.kept,
        "spent": spent_view(attempt.run for attempt in task.attempts),
        "budget": budget_view(state.purses.get(scope_of_task(spec.id))),
        "progress": last.progress if last else "",
        "word": last.word if last else None,
        "difficulties": tuple(map(_difficulty, last.difficulties)) if last else (),
        "evidence": evidence_count(state, task, last),
        "denials": violations.denials,
        "trespasses": violations.trespasses,
        "remarks": violations.remarks,
        "unread": task.member.unread,
        "waiting": task_waiting(state, task),
    }


def _difficulty(reported: DifficultyFeedback) -> DifficultyPart:
    return DifficultyPart(
        issue=clip(headline(reported.issue), SHOWN_ISSUE),
        category=reported.category,
        requested_action=reported.requested_action,
    )


def session_view(state: TeamState) -> SessionRow:
    spec = state.session
    return SessionRow(
        id=spec.id,
        title=spec.plan.title,
        state=session_state(state),
        phase=state.phase,
        phase_reason=state.phases[-1].reason,
        plan=spec.plan.source,
        team=state.team.preset if state.team else "",
        agent=spec.agent,
        jobs=spec.limits.jobs,
        base_commit=spec.base_commit,
        target_branch=spec.target_branch,
        integration_branch=branch_of(state, "integration") if spec.pipeline.ends == "merge" else "",
        integration_commit=state.integration_tip,
        created_at=iso(state.phases[0].entered_at),
        updated_at=iso(state.updated_at),
        seq=state.seq,
        tasks_total=len(state.tasks),
        tasks_done=state.counts.get("DONE", 0),
        tasks_unsettled=state.unsettled,
        stages=tuple(stage_view(state, stage) for stage in state.stages.values()),
        task_counts={name: count for name, count in sorted(state.counts.items()) if count},
        leader=state.leader,
        under_way=state.under_way,
        stopped_because=state.stopped_because,
        plan_checks=plan_checks_view(state),
        plan_check_running=state.trying,
        spent=session_spent(state),
        budgets=budgets_view(state),
        holds=holds_view(state),
        warnings=tuple(state.warnings),
        consultations=tuple(
            consultation_view(each) for each in (*state.wanted.values(), *state.advising.values())
        ),
        conflicts_ahead=conflicts_view(state),
        not_notified=not_notified(state),
        messages_total=len(state.messages),
        questions=tuple(map(question_view, (*state.open.values(), *state.referred.values()))),
        approval=approval_view(state.approval),
        approval_refused=state.approval_refused,
        rejected=rejection(state) or "",
        leaving=leaving_view(state),
        trespasses=trespasses_view(state),
        kept_total=len(state.kept),
        kept=kept_view(state, SHOWN_KEPT),
        waiting=session_waiting(state),
    )


def stage_view(state: TeamState, stage: Stage) -> StagePart:
    return StagePart(
        name=stage.spec.name,
        phase=stage.spec.phase,
        state=stage.state,
        commit=stage.commit,
        tasks_total=len(stage.tasks),
        tasks_unsettled=stage.unsettled,
        members=tuple(_stage_members(state, stage)) if state.team else (),
        found=stage.found,
    )


def _stage_members(state: TeamState, stage: Stage) -> Iterator[StageMemberPart]:
    for task in map(state.tasks.__getitem__, stage.tasks):
        yield StageMemberPart(name=task.spec.member or task.spec.id, task=task.spec.id, state=task.state)


class Violations(NamedTuple):
    """What agents were kept from, what they changed outside of their copy, and what may have been them."""

    denials: tuple[str, ...]
    trespasses: tuple[str, ...]
    remarks: tuple[str, ...]


_NO_VIOLATIONS = Violations((), (), ())


def violations_of(attempts: Iterable[Attempt]) -> Violations:
    """The first of them."""
    attempts = [each for each in attempts if each.run.denials or each.work.trespasses or each.work.remarks]
    if not attempts:
        return _NO_VIOLATIONS
    denials = [each for attempt in attempts for each in attempt.run.denials]
    trespasses = [each for attempt in attempts for each in attempt.work.trespasses]
    remarks = [each for attempt in attempts for each in attempt.work.remarks]
    return Violations(
        tuple(denials[:SHOWN_VIOLATIONS]),
        tuple(trespasses[:SHOWN_VIOLATIONS]),
        tuple(remarks[:SHOWN_VIOLATIONS]),
    )


def trespasses_view(state: TeamState) -> tuple[TrespassPart, ...]:
    """What was changed in the user's repository and is not put right."""
    return tuple(
        TrespassPart(item=each.item, what=each.told, suspects=each.suspects)
        for each in state.trespasses.values()
    )


def conflicts_view(state: TeamState) -> tuple[ConflictPart, ...]:
    """Of attempts at work, as it is foreseen."""
    return tuple(
        ConflictPart(
            task=found.task,
            attempt=found.attempt,
            other=found.other,
            other_attempt=found.other_attempt or None,
            paths=found.paths,
            since=iso(found.since),
            times_told=found.told,
        )
        for found in state.foreseen.values()
        if found.paths
    )


def holds_view(state: TeamState) -> tuple[HoldPart, ...]:
    """Also those whose time is over by now: whoever reads it looks at the clock. None once the session is.

    Screens call it from another thread: `list` of a dict is one step.
    """
    if state.final:
        return ()
    return tuple(
        HoldPart(
            agent=kind,
            reason=hold.reason,
            since=iso(hold.since),
            until=iso(hold.until),
            strikes=hold.strikes,
        )
        for kind, hold in list(state.holds.items())
    )


def not_notified(state: TeamState) -> tuple[str, ...]:
    """What the user was to be told outside of the terminal, and was not."""
    problems = [f"{about}: {problem}" for about, problem in state.notices.items() if problem]
    return tuple(problems[-SHOWN_NOTICES:])


def kept_view(state: TeamState, most: int | None = None) -> tuple[KeptPart, ...]:
    return tuple(KeptPart(task=task, place=place) for place, task in islice(state.kept.items(), most))


def message_view(message: Message) -> MessagePart:
    return MessagePart(
        id=message.id,
        sender=message.sender,
        to=message.recipient,
        text=message.text,
        sent_at=iso(message.sent_at),
        type=message.type,
        summary=message.summary or headline(message.text),
        request=message.request,
        approve=message.approve,
    )


def person_view(person: Person | None) -> PersonPart | None:
    if person is None:
        return None
    return PersonPart(user=person.user, pid=person.pid, terminal=person.terminal)


def approval_view(approval: Approval | None) -> ApprovalPart | None:
    if approval is None:
        return None
    return ApprovalPart(
        by=approval.by,
        person=person_view(approval.who),
        branch=approval.branch,
        commit=approval.commit,
        before=approval.before,
        undo=approval.undo,
    )


def asked_of(target: EscalationTarget) -> QuestionTo:
    return "user" if target == "user" else ROLES[target]


QUESTION_STATES: dict[EscalationState, QuestionState] = {
    "held": "held",
    "open": "open",
    "resolved": "answered",
    "withdrawn": "withdrawn",
}


def question_view(record: Escalation) -> QuestionPart:
    return QuestionPart(
        id=record.id,
        kind=record.kind,
        state=QUESTION_STATES[record.state],
        to=asked_of(record.target),
        tasks=tuple(
            QuestionTaskPart(id=name, attempt=each.attempt or None, reason=each.reason or record.reason)
            for name, each in record.tasks.items()
        ),
        reason=record.reason,
        cause=record.cause,
        text=record.question.text if record.question else record.reason,
        options=record.options,
        while_working=bool(record.call),
        parked=record.parked,
        asked_at=iso(record.raised_at),
        closed_at=iso(record.resolved_at),
        answer=record.resolution,
        by=record.by,
        person=person_view(record.who),
        answered_for_some=tuple(
            PartAnswerPart(
                tasks=event.tasks,
                answer=event.resolution,
                by=event.by,
                person=person_view(event.who),
                answered_at=iso(at),
            )
            for at, event in record.parts
        ),
    )

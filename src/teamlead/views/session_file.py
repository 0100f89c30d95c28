"""session.json: a session for people and their scripts. Written for reading, never read back."""

from collections.abc import Iterator
from typing import get_args

from msgspec import structs

from teamlead.core import phases
from teamlead.core.answers import Completion, Proposal
from teamlead.core.events import EscalationTarget
from teamlead.core.reports import DifficultyFeedback, ExplorationFeedback, Feedback
from teamlead.core.state.records import Attempt, Escalation, Member, Task
from teamlead.core.state.staffing import ENGINE
from teamlead.core.state.team_state import TeamState, session_state
from teamlead.core.team.leaving import is_leaving
from teamlead.core.team.members import state_of
from teamlead.core.transitions import PAUSED, MemberState, SessionState
from teamlead.system.repository import PROJECTIONS
from teamlead.views.documents.session_file import (
    ArtifactsPart,
    CancelPart,
    CheckedPart,
    DifficultyFeedbackPart,
    EscalationRecordPart,
    ExecutionPart,
    ExplorationFeedbackPart,
    FeedbackPart,
    HistoryPart,
    ImpedimentPart,
    ImplementationFeedbackPart,
    JudgementResultPart,
    MemberPart,
    SessionFileDocument,
    StoredTaskPart,
    WorkerResultPart,
)
from teamlead.views.documents.sessions import MessagePart, QuestionTaskPart
from teamlead.views.evidence import evidence_view
from teamlead.views.findings import FOLDER, findings_names
from teamlead.views.moments import iso
from teamlead.views.opinions import consultation_view
from teamlead.views.phases import fix_loop_view
from teamlead.views.report import phase_view
from teamlead.views.rows import branch_of, holds_view, message_view, question_view, violations_of
from teamlead.views.spending import budgets_view, session_spent, usage_view
from teamlead.views.words import headline

_ARTIFACTS = ("analysis", "design", "implementation", "review")


def long_id(session: str, task: str) -> str:
    """Unique beyond the session: `task-1` of session `…-k3f9` is `task-k3f9-1`."""
    return task.replace("task-", f"task-{session.rsplit('-', 1)[-1]}-", 1)


def _status(state: TeamState) -> SessionState:
    """In the words that readers of this file know: all was done, whatever the user thought of it."""
    found = session_state(state)
    return "COMPLETED" if found == "REJECTED" else found


def _members(state: TeamState) -> Iterator[MemberPart]:
    """The lead itself, who works on tasks, and whom the lead may consult."""
    gone = state.final and not is_leaving(state)
    leads: MemberState = "left" if gone else "working" if state.leader else "idle"
    led = any(entry.phase != "IDLE" for entry in state.phases) or bool(state.leader)
    yield MemberPart(name="leader", agent="engine", role="leader", state=leads, spawned=led)
    yield from _workers(state)
    for role in state.session.consultants:
        asked = any(run.role == role for run in state.advising.values())
        asks: MemberState = "left" if gone else "working" if asked else "idle"
        spawned = any(run.role == role for run in state.asked_runs)
        agent = state.consultant(role).agent
        yield MemberPart(name=role, agent=agent, role=role, state=asks, spawned=spawned)


def _workers(state: TeamState) -> Iterator[MemberPart]:
    """Those of a team have names of their own, and may have several tasks."""
    named: dict[str, list[Member]] = {}
    for member in state.members.values():
        named.setdefault(member.task.spec.member or member.name, []).append(member)
    for name, members in named.items():
        spec = members[0].task.spec
        states = {state_of(each) for each in members}
        yield MemberPart(
            name=name,
            agent=f"{ENGINE}:{spec.function}" if spec.function else state.staff_of(spec).agent,
            role=spec.role,
            state=_together(states),
            spawned=any(each.task.attempts for each in members),
        )


def _together(states: set[MemberState]) -> MemberState:
    """Of several tasks: it is at work, else it waits for the next one, or has not begun with any."""
    if len(states) == 1:
        return next(iter(states))
    return "working" if "working" in states else "idle"


def _execution(state: TeamState) -> ExecutionPart:
    workers = list(_workers(state))
    return ExecutionPart(
        workers_total=len(workers),
        workers_active=sum(each.state == "working" for each in workers),
        tasks_total=_total(state),
        tasks_completed=_completed(state),
    )


def _total(state: TeamState) -> int:
    return sum(task.state != "REPLACED_BY_REPLAN" for task in state.tasks.values())


def _completed(state: TeamState) -> int:
    return sum(task.state in {"DONE", "SKIPPED"} for task in state.tasks.values())


def _cancel(state: TeamState) -> CancelPart:
    paused = not state.final and (state.draining or state.stopped_because == PAUSED)
    return CancelPart(requested=paused or phases.cancelled(state.phase), preserve_for_resume=paused)


def _artifacts(state: TeamState) -> ArtifactsPart:
    found = findings_names(state)
    folder = f"{PROJECTIONS}{state.session.id}/{FOLDER}"
    paths = {f"{name}_path": f"{folder}/{name}.md" if name in found else None for name in _ARTIFACTS}
    return ArtifactsPart(**paths)


def session_document(state: TeamState) -> SessionFileDocument:
    spec = state.session
    tasks = state.tasks.values()
    return SessionFileDocument(
        id=spec.id,
        version=state.seq,
        source_type=spec.plan.source_type,
        plan_document=spec.plan.source,
        instruction=spec.plan.wanted,
        planner_session_id=spec.plan.planner_session or None,
        child_planner_session_ids=_plannings(state),
        title=spec.plan.title,
        team=state.team.preset if state.team else "",
        task=state.team.task if state.team else spec.plan.wanted,
        status=_status(state),
        phase=state.phase,
        phase_history=tuple(map(phase_view, state.phases)),
        execution=_execution(state),
        fix_loop=fix_loop_view(state),
        cancel=_cancel(state),
        artifacts=_artifacts(state),
        base_commit=spec.base_commit,
        target_branch=spec.target_branch,
        members=tuple(_members(state)),
        tasks=tuple(_task(state, task) for task in tasks),
        member_task_history=tuple(_history(state, task, attempt) for task, attempt in _ended(state)),
        escalation_records=tuple(_escalation(state, record) for record in state.escalations.values()),
        escalation_attempts=_attempts_by_target(state),
        conversation_history=_conversation(state),
        consultations=tuple(map(consultation_view, state.asked_runs)),
        active_task_ids=tuple(long_id(spec.id, name) for name in state.active),
        completed_task_count=_completed(state),
        total_task_count=_total(state),
        error_message=state.phases[-1].reason if phases.failed(state.phase) else None,
        spent=session_spent(state),
        budgets=budgets_view(state),
        holds=holds_view(state),
        warnings=tuple(state.warnings),
        created_at=iso(state.phases[0].entered_at),
        opened_at=iso(state.phases[0].entered_at),
        updated_at=iso(state.updated_at),
    )


def _task(state: TeamState, task: Task) -> StoredTaskPart:
    session = state.session.id
    return StoredTaskPart(
        id=long_id(session, task.spec.id),
        title=task.spec.title,
        state=task.state,
        version=task.version,
        branch=branch_of(state, task.spec.id),
        label=task.spec.branch,
        depends_on=tuple(long_id(session, dependency.spec.id) for dependency in task.depends_on),
        attempts_total=len(task.attempts),
        reason=task.detail,
    )


def _ended(state: TeamState) -> list[tuple[Task, Attempt]]:
    """In the order in which they ended: entries are added, and none is ever taken away or changed."""
    pairs = [(task, attempt) for task in state.tasks.values() for attempt in task.attempts if attempt.outcome]
    return sorted(pairs, key=lambda pair: pair[1].ended_at or 0.0)


def _plannings(state: TeamState) -> tuple[str, ...]:
    """The times that the planner was asked while the plan was carried out, and gave it further tasks."""
    return tuple(
        asked.id
        for asked in state.asked_runs
        if isinstance(asked.answer, Proposal | Completion) and asked.answer.tasks
    )


def _conversation(state: TeamState) -> tuple[MessagePart, ...]:
    """How the plan was made, and what was said since."""
    planning = (
        MessagePart(
            id="",
            sender=said.who,
            to="",
            text=said.text,
            sent_at=None,
            type="message",
            summary=headline(said.text),
            request="",
            approve=None,
        )
        for said in state.session.plan.conversation
    )
    return (*planning, *map(message_view, state.messages.values()))


def _history(state: TeamState, task: Task, attempt: Attempt) -> HistoryPart:
    violations = violations_of([attempt])
    assert attempt.outcome is not None, "only attempts that have ended are told of"
    return HistoryPart(
        task_id=long_id(state.session.id, task.spec.id),
        attempt=attempt.number,
        agent=attempt.run.agent,
        model=attempt.run.model,
        turns=attempt.run.turns,
        usage=usage_view(attempt.run.usage),
        denials=violations.denials,
        trespasses=violations.trespasses,
        remarks=violations.remarks,
        assigned_at=iso(attempt.started_at),
        completed_at=iso(attempt.ended_at),
        worker_result=WorkerResultPart(
            end=attempt.run.status,
            summary=attempt.run.summary,
            commit=attempt.work.commit,
            handed_in=attempt.result,
        ),
        worker_feedback=None if attempt.feedback is None else _feedback(attempt.feedback),
        judgement_result=JudgementResultPart(
            outcome=attempt.outcome,
            reasons=attempt.reasons,
            checks=tuple(CheckedPart(command=c.command, exit_code=c.exit_code) for c in attempt.checks),
            evidence=evidence_view(state, task, attempt),
            judge=attempt.judgement,
        ),
        leader_decision=attempt.decision,
        leader_decision_reason=attempt.decided_because or next(iter(attempt.reasons), ""),
    )


def _feedback(feedback: Feedback) -> FeedbackPart:
    match feedback:
        case DifficultyFeedback():
            return DifficultyFeedbackPart(
                issue=feedback.issue,
                attempts=feedback.attempts,
                impediment=ImpedimentPart(
                    category=feedback.category, requested_action=feedback.requested_action
                ),
                suggestion=feedback.suggestion,
                paths=feedback.paths,
            )
        case ExplorationFeedback():
            return ExplorationFeedbackPart(**structs.asdict(feedback))
        case _:
            return ImplementationFeedbackPart(**structs.asdict(feedback))


def _escalation(state: TeamState, record: Escalation) -> EscalationRecordPart:
    question = question_view(record)
    tasks: list[QuestionTaskPart] = [
        {**each, "id": long_id(state.session.id, each["id"])} for each in question["tasks"]
    ]
    return EscalationRecordPart(
        id=question["id"],
        target=record.target,
        kind=question["kind"],
        reason=question["reason"],
        cause=question["cause"],
        related_task_id=tasks[0]["id"] if tasks else "",
        tasks=tasks,
        text=question["text"],
        options=question["options"],
        while_working=question["while_working"],
        parked=question["parked"],
        escalated_at=question["asked_at"],
        state=question["state"],
        resolved=question["state"] == "answered",
        resolved_at=question["closed_at"],
        resolution=question["answer"],
        by=question["by"],
        person=question["person"],
        answered_for_some=question["answered_for_some"],
    )


def _attempts_by_target(state: TeamState) -> dict[EscalationTarget, int]:
    counts: dict[EscalationTarget, int] = dict.fromkeys(get_args(EscalationTarget), 0)
    for record in state.escalations.values():
        counts[record.target] += 1
    return counts

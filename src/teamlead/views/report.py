"""What a session came to, stated honestly: asked, done, verified and how, not verified, failed, spent."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from teamlead.core.attempts.proof import evidence_of, flagged
from teamlead.core.evidence.values import CheckResult, Evidence, RoomKind
from teamlead.core.runs import Run
from teamlead.core.state.records import Attempt, PhaseEntry, Task
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.team_state import TeamState, rejection, session_state
from teamlead.core.work.checking import judged, roomless
from teamlead.views.documents.reports import (
    CheckPart,
    DonePart,
    FindingPart,
    FlagPart,
    HeldAttemptPart,
    NotDonePart,
    PhasePart,
    ReadPart,
    ReportDocument,
    ReportedDifficultyPart,
    ReportedSessionPart,
    ReportedStagePart,
    RoomlessPart,
    SessionSpentPart,
    UnacceptedAttemptPart,
    UnverifiedPart,
    VerifiedPart,
    ViolationKind,
    ViolationPart,
)
from teamlead.views.documents.sessions import RunsSpentPart
from teamlead.views.evidence import evidence_view, plan_checks_view
from teamlead.views.findings import Finding, findings_of
from teamlead.views.leaving import leaving_view
from teamlead.views.moments import iso
from teamlead.views.opinions import consultation_view
from teamlead.views.rows import (
    approval_view,
    branch_of,
    conflicts_view,
    kept_view,
    message_view,
    not_notified,
    person_view,
    question_view,
    stage_view,
    trespasses_view,
)
from teamlead.views.spending import budget_view, spent_view
from teamlead.views.waiting import stays


def report_document(state: TeamState) -> ReportDocument:
    tasks = list(state.tasks.values())
    return ReportDocument(
        session=_session(state),
        plan_text=state.session.plan.text,
        stages=tuple(
            ReportedStagePart(
                **stage_view(state, stage),
                tasks=tuple(stage.tasks),
                findings=tuple(map(finding_view, findings_of(state, stage))),
            )
            for stage in state.stages.values()
        ),
        done=tuple(done_view(state, task) for task in tasks if task.state == "DONE"),
        flagged=flags_view(state),
        not_verified=tuple(_unverified(t) for t in tasks if t.state == "DONE" and _words(t)),
        plan_checks=plan_checks_view(state),
        without_full_room=_roomless(state),
        awaiting_answer=_not_done(task for task in tasks if task.blocked in {"QUESTION", "DECISION"}),
        failed=_not_done(t for t in tasks if t.state == "CANCELLED" or t.blocked in {"FAILED", "CONFLICT"}),
        skipped=_not_done(task for task in tasks if task.state in {"SKIPPED", "REPLACED_BY_REPLAN"}),
        unfinished=_not_done(t for t in tasks if t.state in {"READY", "RUNNING", "NEEDS_CONTINUATION"}),
        unaccepted_attempts=tuple(_unaccepted(tasks)),
        held_attempts=tuple(_held(task, a) for task in tasks for a in task.attempts if a.outcome == "held"),
        warnings=tuple(state.warnings),
        conflicts_ahead=conflicts_view(state),
        read_by_lead=tuple(_lent(t, a) for t in tasks for a in t.attempts if a.lent),
        trespasses=trespasses_view(state),
        difficulties=tuple(each for task in tasks for each in _difficulties(task)),
        violations=tuple(violation for task in tasks for violation in _violations(task)),
        questions=tuple(map(question_view, state.escalations.values())),
        consultations=tuple(map(consultation_view, state.asked_runs)),
        not_notified=not_notified(state),
        messages=tuple(map(message_view, state.messages.values())),
        kept=kept_view(state),
        spent=_spent(state),
        budgets=tuple(view for purse in state.purses.values() if (view := budget_view(purse))),
        approval=approval_view(state.approval),
        rejected=rejection(state) or "",
        leaving=leaving_view(state),
        phases=tuple(map(phase_view, state.phases)),
    )


def finding_view(found: Finding) -> FindingPart:
    return FindingPart(member=found.member, task=found.task, text=found.text)


def _session(state: TeamState) -> ReportedSessionPart:
    spec = state.session
    opened_at = state.phases[0].entered_at
    return ReportedSessionPart(
        id=spec.id,
        title=spec.plan.title,
        state=session_state(state),
        phase=state.phase,
        phase_reason=state.phases[-1].reason,
        created_at=iso(opened_at),
        updated_at=iso(state.updated_at),
        seconds=round(state.updated_at - opened_at, 3),
        target_branch=spec.target_branch,
        integration_branch=branch_of(state, "integration"),
        integration_commit=state.integration_tip,
        agent=spec.agent,
    )


def phase_view(entry: PhaseEntry) -> PhasePart:
    return PhasePart(
        phase=entry.phase,
        entered_at=iso(entry.entered_at),
        reason=entry.reason,
        person=person_view(entry.who),
    )


def _unaccepted(tasks: Iterable[Task]) -> Iterator[UnacceptedAttemptPart]:
    for task in tasks:
        for attempt in task.attempts:
            if attempt.outcome is not None and attempt.outcome not in {"accepted", "asked", "held"}:
                yield UnacceptedAttemptPart(
                    task=task.spec.id,
                    attempt=attempt.number,
                    outcome=attempt.outcome,
                    reasons=attempt.reasons,
                )


def _held(task: Task, attempt: Attempt) -> HeldAttemptPart:
    return HeldAttemptPart(
        task=task.spec.id,
        attempt=attempt.number,
        agent=attempt.run.agent,
        ended_at=iso(attempt.ended_at),
        reason=attempt.reasons[0] if attempt.reasons else "",
    )


def _lent(task: Task, attempt: Attempt) -> ReadPart:
    read = tuple(f"{each.path}:{each.first}-{each.first + each.lines - 1}" for each in attempt.lent)
    return ReadPart(task=task.spec.id, attempt=attempt.number, exemption="fallback-read", read=read)


def _violations(task: Task) -> Iterator[ViolationPart]:
    for attempt in task.attempts:
        kinds: dict[ViolationKind, tuple[str, ...]] = {
            "prevented": attempt.run.denials,
            "refused": attempt.work.trespasses,
            "noticed": attempt.work.remarks,
        }
        for kind, found in kinds.items():
            for what in found:
                yield ViolationPart(task=task.spec.id, attempt=attempt.number, kind=kind, what=what)


def _difficulties(task: Task) -> Iterator[ReportedDifficultyPart]:
    for attempt in task.attempts:
        for reported in attempt.difficulties:
            yield ReportedDifficultyPart(
                task=task.spec.id,
                attempt=attempt.number,
                issue=reported.issue,
                category=reported.category,
                requested_action=reported.requested_action,
                tried=reported.attempts,
                suggestion=reported.suggestion,
            )


def _spent(state: TeamState) -> SessionSpentPart:
    runs = state.runs.values()
    return {
        **spent_view(runs),
        "by_agent": _grouped(runs, lambda run: kind_of(run.agent)),
        "by_role": _grouped(runs, lambda run: run.role),
    }


def _grouped(runs: Iterable[Run], group: Callable[[Run], str]) -> dict[str, RunsSpentPart]:
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(group(run), []).append(run)
    return {name: spent_view(ran) for name, ran in found.items()}


def _checks(task: Task) -> tuple[CheckPart, ...]:
    return tuple(
        CheckPart(
            command=check.command,
            exit_code=check.exit_code,
            seconds=check.seconds,
            log=check.log,
            found=judged(check, task, task.attempts[-1]).found,
        )
        for check in _last_checks(task)
    )


def _last_checks(task: Task) -> Sequence[CheckResult]:
    return task.attempts[-1].checks if task.attempts else ()


def _roomless(state: TeamState) -> tuple[RoomlessPart, ...]:
    """Whose last checks were in none, by what held them instead."""
    ran = [(check.room, task.spec.id) for task in state.tasks.values() for check in _last_checks(task)]
    ran += [(check.room, "the whole plan") for check in (state.whole.checks if state.whole else ())]
    found: dict[RoomKind, dict[str, None]] = {}
    for room, name in ran:
        if roomless(room):
            found.setdefault(room, {})[name] = None
    return tuple(
        RoomlessPart(room=room, ran=roomless(room), checks_of=tuple(names)) for room, names in found.items()
    )


def flags_view(state: TeamState) -> tuple[FlagPart, ...]:
    """Of all work that was accepted."""
    tasks = state.tasks.values()
    return tuple(_flag(task, item) for task in tasks for item in _flagged(state, task))


def _flagged(state: TeamState, task: Task) -> list[Evidence]:
    return [item for attempt in task.taken for item in flagged(evidence_of(state, task, attempt))]


def _flag(task: Task, item: Evidence) -> FlagPart:
    return FlagPart(
        task=task.spec.id,
        kind=item.kind,
        found=item.found,
        details=item.details,
        accepted_by_a_person=item.verdict == "objected",
    )


def done_view(state: TeamState, task: Task) -> DonePart:
    counts = task.counts
    assert counts is not None
    return DonePart(
        task=task.spec.id,
        title=task.spec.title,
        commit=task.commit,
        files_total=counts.work.files,
        lines_added=counts.work.added,
        lines_deleted=counts.work.deleted,
        paths=counts.work.paths,
        attempts_total=len(task.attempts),
        summary=counts.result.summary if counts.result else counts.run.summary,
        verified=VerifiedPart(
            changed=bool(task.commit),
            in_scope=task.spec.scope,
            checks=_checks(task),
            merged=bool(task.commit) and task.spec.merges,
        ),
        evidence=tuple(
            item
            for attempt in task.attempts[counts.number - 1 :]
            if attempt.outcome == "accepted"
            for item in evidence_view(state, task, attempt)
        ),
    )


def _unverified(task: Task) -> UnverifiedPart:
    judgement = next((each.judgement for each in reversed(task.taken) if each.judgement), None)
    return UnverifiedPart(
        task=task.spec.id,
        title=task.spec.title,
        acceptance=_words(task),
        judged=judgement.reason if judgement and judgement.success else "",
    )


def _words(task: Task) -> tuple[str, ...]:
    """Criteria that no command stood for: an agent was told of them, and nothing checked them."""
    commands = {check.command for check in _last_checks(task)}
    words = tuple(criterion for criterion in task.spec.acceptance if criterion not in commands)
    return words if words or commands else ("no acceptance criterion was given",)


def _not_done(tasks: Iterable[Task]) -> tuple[NotDonePart, ...]:
    return tuple(
        NotDonePart(
            task=task.spec.id,
            title=task.spec.title,
            state=task.state,
            reason=(task.detail or _last_reason(task)) + stays(task),
            attempts_total=len(task.attempts),
        )
        for task in tasks
    )


def _last_reason(task: Task) -> str:
    reasons = task.attempts[-1].reasons if task.attempts else ()
    return reasons[0] if reasons else ""

"""One event, one line that a person reads."""

import re
from collections.abc import Callable
from typing import Any

from teamlead.core import events as e
from teamlead.core.attempts.independent_tests import THEY_PASS
from teamlead.core.reports import DifficultyFeedback, ExplorationFeedback, Feedback
from teamlead.core.team.leaving import HOW, NOBODY_AT_WORK
from teamlead.views.moments import clock, counted
from teamlead.views.opinions import advises, told_end, who
from teamlead.views.rows import asked_of, person_view
from teamlead.views.words import TARGETS, told_conflict, told_person, told_scope


def line(event: e.AnyEvent) -> str:
    """Empty for what is only of interest to the machine."""
    told = _LINES[type(event)](event)
    return told and told + told_person(person_view(event.who))


SETTLED = {"put back": "put back", "accepted": "taken as it is", "gone": "is as before"}


def _first(text: str, width: int = 160) -> str:
    """The first line. A longer one ends with a sentence, where there is one, or else with a word."""
    head = text.strip().split("\n", 1)[0]
    if len(head) <= width:
        return head
    ends = [found.end() for found in _SENTENCE.finditer(head, 0, width - 2)]
    if ends and ends[-1] >= width // 3:
        return f"{head[: ends[-1]]} …"
    words = head[: width - 1].rpartition(" ")[0]
    return f"{words if len(words) >= width // 2 else head[: width - 1]}…"


_SENTENCE = re.compile(r"[.!?](?=\s)|[。！？]")  # noqa: RUF001


def _with_rest(text: str, task: str) -> str:
    """Its first line, and where all of it is told."""
    first = _first(text)
    more = first.endswith("…") or "\n\n" in text.strip()
    return f"{first} (all of it: teamlead evidence {task.removeprefix('task-')})" if more else first


def _opened(event: e.SessionOpened) -> str:
    tasks = counted(len(event.spec.plan.tasks), "task")
    return f"session {event.spec.id}: {event.spec.plan.title} ({tasks})"


def _closed(event: e.StageClosed) -> str:
    if not event.stage:
        return ""
    found = "".join(f"; {each}" for each in event.found)
    return f"stage {event.stage}: every task is settled{found}"


def _finished(event: e.RunEnded) -> str:
    end = event.end
    ok = end.status == "ok"
    told = _first(end.summary or end.detail if ok else end.detail or end.summary)
    word = "agent finished" if ok else f"agent ended ({end.status})"
    denied = f" [{_denied(end.denials)}]" if end.denials else ""
    return f"{event.task}: {word}{': ' + told if told else ''}{denied}"


def _denied(denials: tuple[str, ...]) -> str:
    more = f" and {len(denials) - 1} more" if len(denials) > 1 else ""
    return f"not allowed: {_first(denials[0])}{more}"


def _started(event: e.AttemptStarted) -> str:
    # A script is the same for all, and its path would hide the rest.
    agent = "" if event.agent.startswith("scripted:") else _first(event.agent, 40)
    how = " ".join(part for part in (event.model, event.effort and f"effort {event.effort}") if part)
    told = ", ".join(part for part in (agent, how) if part)
    return f"{event.task}: attempt {event.attempt} starts{f' ({told})' if told else ''}"


def _collected(event: e.WorkCollected) -> str:
    work = event.work
    change = f"{counted(work.files, 'file')} changed, +{work.added} -{work.deleted}"
    notes = [f"outside of its copy: {_first(each)}" for each in work.trespasses]
    notes += [f"worth a look: {_first(each)}" for each in work.remarks]
    more = f" [{'; '.join(notes)}]" if notes else ""
    return f"{event.task}: {change if work.commit else 'no change'}{more}"


def _checked(event: e.CheckFinished) -> str:
    result = event.result
    ended = {0: "passed", None: "did not end in time"}.get(result.exit_code, f"failed ({result.exit_code})")
    blind = ", but does not see what was changed" if result.unseen else ""
    return f"{event.task}: check `{_first(result.command)}` {ended}{blind}"


def _proved(event: e.ProvingEnded) -> str:
    found = event.proofs
    if not found.runs:
        return ""
    against = [item for item in found.evidence if item.verdict in {"objected", "flagged"}]
    told = "; ".join(f"{item.verdict}: {_first(item.found)}" for item in against) or "nothing against it"
    if any(item.claim == THEY_PASS for item in found.evidence):
        return f"{event.task}: {counted(found.runs, 'test')} that its agent has not seen: {told}"
    if any(item.kind == "example" for item in found.evidence):
        return f"{event.task}: {counted(found.runs, 'input')} of its judge's own: {told}"
    return f"{event.task}: {counted(found.runs, 'further run')} of its checks: {told}"


def _ended(event: e.AttemptEnded) -> str:
    # How an agent ended has its own line, which says all there is to say of an attempt that had to wait.
    if event.outcome in {"accepted", "held"}:
        return ""
    told = f": {_with_rest(event.reasons[0], event.task)}" if event.reasons else ""
    # What is sent back once is no failure, however few attempts there may be.
    ended = "returned to be mended, which is no failure" if event.outcome == "returned" else event.outcome
    return f"{event.task}: attempt {event.attempt} {ended}{told}"


def _asked(event: e.EscalationRaised) -> str:
    if event.held:
        return f"{event.id}: held back: {_first(event.reason)}"
    text = event.question.text if event.question else event.reason
    if event.target != "user":
        helper = TARGETS[asked_of(event.target)]
        whose = ", ".join(each.task for each in event.tasks) or "the plan"
        return f"{event.id}: {helper} is to help with {whose}: {_first(text)}"
    return f"{event.id}: a person is needed: {_first(text)}"


def _consulted(event: e.RunStarted) -> str:
    agent = "" if event.agent.startswith("scripted:") else _first(event.agent, 40)
    told = ", ".join(part for part in (agent, event.model) if part)
    return f"{who(event.run)} is asked{f' ({told})' if told else ''}"


def _notified(event: e.PersonNotified) -> str:
    if event.problem:
        return f"{event.about}: you could not be notified: {_first(event.problem)}"
    return f"{event.about}: you were notified"


def _whole(event: e.WholeChecked) -> str:
    told = [f"`{_first(check.command)}`: {_first(check.found)}" for check in event.checks]
    return f"the whole is checked: {'; '.join(told)}"


def _applied(event: e.ApprovalApplied) -> str:
    undo = f" (undo: {event.undo})" if event.undo else ""
    return f"approved: {event.branch} is now {event.commit[:10]}{undo}"


def _kept(event: e.CopyPrepared | e.CopyRemoved) -> str:
    return f"{event.task}: work kept at {event.kept}" if event.kept else ""


def _held(event: e.AgentHeld) -> str:
    until = "until you answer" if event.until is None else f"until {clock(event.until)}"
    return f"{event.kind} is on hold {until}: {_first(event.reason)}"


def _tried(event: e.PreflightEnded) -> str:
    command = f"`{_first(event.command)}`"
    if event.untried:
        return f"{command} could not be tried on the base: {_first(event.untried)}"
    if event.obstacle is not None:
        return f"{command} cannot hold in a fresh copy: {_first(event.obstacle.told)}"
    if event.exit_code == 0:
        return f"{command} passes on the base"
    return f"{command} fails on the base with exit code {event.exit_code}, as it may"


def _feedback(feedback: Feedback) -> str:
    match feedback:
        case DifficultyFeedback():
            says = (
                "says that it cannot be done honestly"
                if feedback.category == "impossible"
                else "has a difficulty"
            )
            return f"{says}: {_first(feedback.issue)}"
        case ExplorationFeedback():
            return f"found: {_first(feedback.findings)}"
        case _:
            return f"reports {feedback.result}{': ' + _first(feedback.notes) if feedback.notes else ''}"


def _noted(event: e.TaskNoted) -> str:
    return f"{event.task}: says it is {event.status}{': ' + _first(event.note) if event.note else ''}"


def _sent(event: e.MessageSent) -> str:
    if event.type == "shutdown_request":
        return f"{event.recipient}: asked to leave ({event.id})"
    if event.type == "shutdown_response":
        answer = "leaves" if event.approve else "does not leave"
        return f"{event.sender}: {answer}{': ' * bool(event.text)}{_first(event.text)}"
    if event.type == "idle_notification":
        return f"{event.sender}: its turn has ended"
    return f"{event.id} from {event.sender} to {event.recipient}: {_first(event.summary or event.text)}"


def _deleted(event: e.TeamDeleted) -> str:
    """Where nobody was at work, nobody has to hear of it."""
    found = next((rule.found for rule in event.rules if rule.rule == "members-left"), "")
    return "" if found == NOBODY_AT_WORK else f"the team has left ({found}), and is deleted"


_LINES: dict[type[Any], Callable[[Any], str]] = {
    e.TeamFormed: lambda event: (
        f"team {event.team.name}: {_first(', '.join(each.name for each in event.team.members))}"
    ),
    e.SessionOpened: _opened,
    e.PhaseChanged: lambda event: f"phase {event.phase}: {_first(event.reason)}",
    e.StageOpened: lambda event: f"stage {event.stage}: open, on {event.commit[:10]}" if event.stage else "",
    e.StageClosed: _closed,
    e.StageSentBack: lambda event: (
        f"stage {event.stage}: sends work back: {_first('; '.join(event.findings))}"
    ),
    e.StageTaken: lambda event: (
        f"stage {event.stage}: taken as it is by {event.by}, although {_first('; '.join(event.against))}"
    ),
    e.LeaderStarted: lambda event: f"leader started: {event.holder}",
    e.LeaderStopping: lambda event: (
        f"stopping: {event.reason}; agents may end, nothing new starts; asked again, it ends them now"
    ),
    e.LeaderStopped: lambda event: f"leader stopped: {event.reason}",
    e.TaskAdded: lambda event: f"{event.spec.id}: added by {event.by}: {event.spec.title}",
    e.TaskReplaced: lambda event: f"{event.task}: replaced by {', '.join(event.by_tasks)}",
    e.TaskSkipped: lambda event: f"{event.task}: {_first(event.reason)}",
    e.TaskBlocked: lambda event: f"{event.task}: blocked ({event.reason})",
    e.TaskUnblocked: lambda event: f"{event.task}: goes on",
    e.TaskAdvised: lambda _: "",
    e.TaskRetried: lambda event: f"{event.task}: to be tried again",
    e.GapNoted: lambda event: f"{event.task}: {_first(event.warning)}",
    e.WarningNoted: lambda event: _first(event.warning),
    e.ExemptionUsed: lambda event: (
        f"{event.task}: the lead read {', '.join(each.path for each in event.excerpts)} for it"
    ),
    e.TaskDone: lambda event: f"{event.task}: done",
    e.TaskReopened: lambda event: f"{event.task}: reopened: {_first(event.reason)}",
    e.AttemptStarted: _started,
    e.CopyPrepared: _kept,
    e.WorkCollected: _collected,
    e.CheckFinished: _checked,
    e.ProvingBegan: lambda _: "",
    e.ProvingEnded: _proved,
    e.WorkAccepted: lambda _: "",
    e.WorkIntegrated: lambda event: f"{event.task}: merged",
    e.AttemptStopping: lambda event: f"{event.task}: being stopped: {_first(event.reason)}",
    e.AttemptEnded: _ended,
    e.CopyRemoved: _kept,
    e.EscalationRaised: _asked,
    e.EscalationJoined: lambda event: (
        f"{event.id}: the same is to be decided for {event.task.task}: {_first(event.task.reason)}"
    ),
    e.EscalationLeft: lambda event: f"{event.id}: not about {event.task} any more: {_first(event.reason)}",
    e.EscalationAnswered: lambda event: (
        f"{event.id}: answered for {', '.join(event.tasks)} by {event.by}: {_first(event.resolution)}"
    ),
    e.EscalationReleased: lambda event: f"{event.id}: asked now",
    e.EscalationResolved: lambda event: f"{event.id}: answered by {event.by}: {_first(event.resolution)}",
    e.EscalationWithdrawn: lambda event: f"{event.id}: withdrawn: {_first(event.reason)}",
    e.QuestionsAllowed: lambda event: f"{event.more} more questions allowed",
    e.QuestionParked: lambda event: (
        f"{event.escalation}: {event.task} was told to end its turn, and goes on with the answer"
    ),
    e.AgentHeld: _held,
    e.AgentReleased: lambda event: f"{event.kind}: may be used again",
    e.JudgeReplaced: lambda event: (
        f"{_first(event.agent)} judges from now on" if event.agent else "nobody judges any more"
    ),
    e.BudgetRaised: lambda event: f"the budget of {told_scope(event.scope)} was raised",
    e.ProgressReported: lambda event: f"{event.task}: reports: {_first(event.text)}",
    e.FeedbackReported: lambda event: f"{event.task}: {_feedback(event.feedback)}",
    e.ResultReported: lambda event: (
        f"{event.task}: hands in its result, {event.result.status}: {_first(event.result.summary)}"
    ),
    e.TaskNoted: _noted,
    e.MessageSent: _sent,
    e.TeamLeaving: lambda _: "",
    e.MemberLeft: lambda event: f"{event.member}: left: {HOW[event.how]}",
    e.TeamDeleted: _deleted,
    e.MessagesRead: lambda _: "",
    e.TrialStarted: lambda event: f"checking the whole: `{_first(event.command)}` {event.where}",
    e.WholeChecked: _whole,
    e.PreflightStarted: lambda event: (
        f"trying on the base, before agents start: {_first(', '.join(map('`{}`'.format, event.commands)))}"
    ),
    e.PreflightEnded: _tried,
    e.PreflightRepeated: lambda event: f"to be tried again: {_first(', '.join(event.commands))}",
    e.CheckCorrected: lambda event: (
        f"`{_first(event.after)}` in the place of the check `{_first(event.before)}`, says {event.by}"
    ),
    e.WholeAccepted: lambda event: f"the merged work was accepted as it is by {event.by}",
    e.WholeRepeated: lambda _: "the whole is to be checked again",
    e.RunWanted: lambda event: f"{who(event.run)} is to be asked again" if event.problem else "",
    e.RunStarted: _consulted,
    e.RunEnded: lambda event: (
        f"{who(event.run)} {_first(told_end(event))}" if advises(event.run) else _finished(event)
    ),
    e.PlanDiscussed: lambda event: (
        "a person is asked to accept the plan" if event.wanted else "the plan counts without a person's word"
    ),
    e.PlanFiled: lambda event: f"the plan is in {event.path}",
    e.TaskPaused: lambda event: f"{event.task}: paused by {event.by}",
    e.TaskResumed: lambda event: f"{event.task}: to go on, by {event.by}",
    e.TaskReassigned: lambda event: (
        f"{event.task}: given to {_first(f'{event.agent} {event.model}'.rstrip(), 60)} by {event.by}"
    ),
    e.ScopeEnlarged: lambda event: (
        f"{event.task}: may change {_first(', '.join(event.paths))} too, says {event.by}"
    ),
    e.ConflictForeseen: lambda event: f"ahead: {told_conflict(event.task, event.other, event.paths)}",
    e.PersonNotified: _notified,
    e.CompletionAccepted: lambda event: f"the merged work was taken for all that was wanted by {event.by}",
    e.TrespassFound: lambda event: f"changed in your repository: {_first(event.trespass.told)}",
    e.TrespassSettled: lambda event: (
        f"{_first(event.item)}: {SETTLED[event.how]}{f' by {event.by}' if event.by else ''}"
    ),
    e.ApprovalRequested: lambda event: f"approval of {event.commit[:10]} by {event.by}",
    e.ApprovalApplied: _applied,
    e.WorkRevised: lambda event: (
        f"to be different from {f'stage {event.stage}' if event.stage else 'its start'} on, "
        f"says {event.by}: {_first(event.text)}"
    ),
    e.RollbackRequested: lambda event: f"its branches are to go, says {event.by}",
    e.WorkRolledBack: lambda event: f"its branches are gone; kept: {', '.join(event.kept) or 'nothing'}",
    e.ApprovalRefused: lambda event: f"approval not possible: {_first(event.reason)}",
}

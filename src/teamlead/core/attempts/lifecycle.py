"""What happens to an attempt, but for the end of its agent (see `ending`) and its work (see `verdicts`).

A fact about an attempt that is not live, or not in the phase it speaks of, is stale and causes nothing.
"""

from typing import Any

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.advisers import failing_plan
from teamlead.core.asking import escalation, holds, routing
from teamlead.core.attempts import deciding, going_without, independent_tests, repetition
from teamlead.core.causes import ENVIRONMENT, Cause, cause_of
from teamlead.core.model import Concern, Question
from teamlead.core.quoting import quoted
from teamlead.core.reports import Result
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.staffing import kind_of
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.messages import unheard
from teamlead.core.transitions import AttemptPhase
from teamlead.core.work.acceptance import listed

Events = list[e.AnyEvent]

CARRIED_OUT: tuple[AttemptPhase, ...] = (
    "preparing",
    "working",
    "collecting",
    "checking",
    "proving",
    "trying",
    "integrating",
)
"""The phases in which the outside does something for an attempt."""
BEFORE_ITS_END: tuple[AttemptPhase, ...] = (*CARRIED_OUT, "judging")
TOLD_MEANWHILE = "it was told something meanwhile"


def live(state: TeamState, fact: Any, *phases: AttemptPhase) -> tuple[Task, Attempt] | None:
    task = state.tasks.get(fact.task)
    attempt = task.live if task else None
    if task is None or attempt is None or attempt.number != fact.attempt or attempt.phase not in phases:
        return None
    return task, attempt


def fail(
    state: TeamState,
    task: Task,
    outcome: e.AttemptOutcome,
    reasons: list[str],
    *,
    after: float,
    acceptable: bool = False,
    tree: str = "",
    judged: str = "",
    cause: Cause | None = None,
) -> Events:
    """`acceptable`: a person may say that the work is to be accepted nevertheless.

    `tree`: what its work holds; `judged`: the consultation whose verdict is the reason. `cause`: what other
    tasks may have met as well.
    """
    assert task.live is not None
    ended = e.AttemptEnded(task.spec.id, task.live.number, outcome, tuple(reasons), judged)
    if state.final:
        return [ended]
    failures = task.failures + 1
    circle = repetition.repeats(task, tuple(reasons), tree)
    last = bool(circle) or failures >= going_without.attempts_allowed(state, task)
    if left_out := going_without.leave_out(state, task, outcome, reasons[0], last=last):
        return [ended, *left_out]
    if not last:
        return [ended, e.TaskRetried(task.spec.id, after, fresh=task.live.owes_fresh_copy)]
    detail = f"failed {_times(failures)}{f', and {circle}' if circle else ''}; last: {reasons[0]}"
    return [ended, *give_up(state, task, detail, reasons[1:], acceptable=acceptable, cause=cause)]


def send_back(
    state: TeamState, task: Task, objected: list[str], now: float, *, tree: str, judged: str = ""
) -> Events:
    """What is objected to goes back once. After that it is refused, and a person may accept it."""
    assert task.live is not None
    if not task.returned:
        ended = e.AttemptEnded(task.spec.id, task.live.number, "returned", tuple(objected), judged)
        return [ended, e.TaskRetried(task.spec.id, now, fresh=False)]
    return fail(state, task, "refused", objected, after=now, acceptable=True, tree=tree, judged=judged)


def give_up(
    state: TeamState,
    task: Task,
    detail: str,
    also: list[str],
    *,
    acceptable: bool,
    targets: routing.Targets = routing.TARGETS["failed"],
    cause: Cause | None = None,
) -> Events:
    """No agent tries it again as it is: somebody has to say how it goes on."""
    name = task.spec.id
    # Who may accept the work is told everything that speaks against it.
    against = [f"{name} ({task.spec.title}) {detail}", *also]
    reason = "\nalso: ".join(against)
    options = escalation.OPTIONS["failed"]
    question = Question(
        f"{reason}\nTry again with your advice, {'accept such work, ' if acceptable else ''}{_skip(task)}, "
        "or stop the session?",
        (*options[:1], escalation.ACCEPT, *options[1:]) if acceptable else options,
    )
    moot = routing.drop_referrals(state, name, f"{name} failed for good meanwhile")
    met = holds.others(state, name, cause)
    if not met and failing_plan.awaits_review(state, name):
        return [*moot, e.TaskBlocked(name, "PLANNER", detail, cause)]
    if met:
        # No other tasks would fare better with the same.
        targets = ("user",)
    about = "\n\n".join(map(quoted, against))
    matter = routing.Matter(
        kind="failed",
        reason=reason,
        about=about,
        question=question,
        task=Concern(name),
        cause=cause.name if cause else "",
    )
    waits = routing.waits_for("failed", routing.choose(state, targets))
    blocked = e.TaskBlocked(name, waits, detail, cause)
    return [
        *moot,
        blocked,
        *routing.refer(state, matter, targets),
        *holds.hold_thing(state, cause, [*met, name]),
    ]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def delayed(state: TeamState, task: Task, now: float) -> float:
    delay: float = state.session.limits.retry_delay * 2**task.failures
    return now + delay


def copy_ready(state: TeamState, fact: f.CopyReady, now: float) -> Events:
    found = live(state, fact, "preparing")
    if found is None:
        return []
    prepared = e.CopyPrepared(fact.task, fact.attempt, fact.base, fact.kept)
    hold = state.holds.get(found[0].lane.kind)
    if hold is None or not hold.forbids(now):
        return [prepared, *independent_tests.begin(state, found[0])]
    # Its kind was held while the copy was made: its agent would only meet the same.
    ended = e.AttemptEnded(fact.task, fact.attempt, "held", (hold.reason,))
    return [prepared, ended, e.TaskRetried(fact.task, now, fresh=False)]


def _skip(task: Task) -> str:
    return "skip it, so that its earlier work stays as it is" if task.commit else "skip it"


def _block_on_conflict(state: TeamState, task: Task, reason: str, ended: e.AnyEvent) -> Events:
    if state.final:
        return [ended]
    question = Question(
        f"{reason}\nTry again on the merged work with your advice, {_skip(task)}, or stop the session?",
        escalation.OPTIONS["conflict"],
    )
    return [
        ended,
        e.TaskBlocked(task.spec.id, "CONFLICT", reason),
        *escalation.ask(state, "conflict", reason, question, Concern(task.spec.id)),
    ]


def copy_conflict(state: TeamState, fact: f.CopyConflict, now: float) -> Events:
    found = live(state, fact, "preparing")
    if found is None:
        return []
    reason = f"the dependencies of {fact.task} conflict with each other in {listed(fact.paths)}"
    ended = e.AttemptEnded(fact.task, fact.attempt, "conflict", (reason,))
    return _block_on_conflict(state, found[0], reason, ended)


def done(state: TeamState, task: Task, attempt: Attempt, commit: str, before: str = "") -> Events:
    name = task.spec.id
    about_checks = any(kind == "preflight" for kind, _ in state.asked)
    asked = about_checks or any(earlier.questions for earlier in task.attempts)
    return [
        *(escalation.withdraw(state, f"{name} is done", task=name) if asked else ()),
        e.AttemptEnded(name, attempt.number, "accepted"),
        e.TaskDone(name, commit, before=before),
    ]


def accept(
    state: TeamState,
    task: Task,
    attempt: Attempt,
    commit: str,
    result: Result | None,
    *,
    tree: str = "",
    judged: str = "",
    before: str = "",
) -> Events:
    """`tree`: what the work holds. `before`: how one knows that nothing had to be done."""
    if deciding.wanted(task, commit, tree):
        return deciding.wait(task, attempt)
    if unheard(state, task, attempt.started_at):
        # Said while its work was looked at: it is heard before anything counts as done.
        ended = e.AttemptEnded(task.spec.id, attempt.number, "asked", (TOLD_MEANWHILE,))
        return [ended, e.TaskRetried(task.spec.id, 0.0, fresh=False)]
    accepted = e.WorkAccepted(task.spec.id, attempt.number, judged)
    if commit and task.spec.merges:
        return [accepted]
    return [accepted, *going_without.done_in_part(task, result), *done(state, task, attempt, "", before)]


def merged(state: TeamState, fact: f.Merged, now: float) -> Events:
    # Also where the journal is behind: what led to the merge may have gone with the leader that made it.
    found = live(state, fact, *BEFORE_ITS_END)
    if found is None:
        return []
    return [
        e.WorkIntegrated(fact.task, fact.attempt, fact.commit, fact.tip),
        *done(state, *found, fact.commit),
    ]


def merge_refused(state: TeamState, fact: f.MergeRefused, now: float) -> Events:
    found = live(state, fact, "integrating")
    if found is None:
        return []
    task = found[0]
    reason = f"its work conflicts with what was merged before it in {listed(fact.paths)}"
    reasons = (reason, fact.detail) if fact.detail else (reason,)
    ended = e.AttemptEnded(fact.task, fact.attempt, "conflict", reasons)
    if state.final or task.conflicts < state.session.limits.conflict_reruns:
        return [ended] if state.final else [ended, e.TaskRetried(fact.task, now, fresh=True)]
    return _block_on_conflict(state, task, f"{fact.task} ({task.spec.title}): {reason}", ended)


def effect_failed(state: TeamState, fact: f.EffectFailed, now: float) -> Events:
    found = live(state, fact, *CARRIED_OUT)
    if found is None:
        return []
    task, attempt = found
    reason = f"{fact.what} failed: {fact.reason}"
    thing = {"preparing": ENVIRONMENT, "working": kind_of(attempt.run.agent)}.get(attempt.phase, "")
    after = delayed(state, task, now)
    return fail(state, task, "failed", [reason], after=after, cause=cause_of(reason, thing))


def copy_released(state: TeamState, fact: f.CopyReleased, now: float) -> Events:
    known = fact.task in state.copies or fact.stayed in state.kept
    return [e.CopyRemoved(fact.task, fact.kept, fact.stayed)] if known else []

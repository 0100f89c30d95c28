"""Whether an attempt's work does what its task asks for, where code alone cannot tell.

A model judges what code has accepted: it can refuse that, and never accept what code refused.
"""

from teamlead.core import events as e
from teamlead.core.answers import Judgement
from teamlead.core.attempts import accept, fail
from teamlead.core.consultation import Consultation
from teamlead.core.state import Attempt, Task, TeamState

Events = list[e.AnyEvent]

JUDGE = "judge"


def wanted(state: TeamState, task: Task) -> bool:
    """There is something to judge that no command decides, and somebody to do it."""
    return JUDGE in state.session.consultants and bool(task.spec.acceptance) and not task.waived


def _judged_attempt(state: TeamState, found: Consultation) -> tuple[Task, Attempt] | None:
    task = state.tasks[found.task]
    attempt = task.live
    if attempt is None or attempt.number != found.attempt or attempt.phase != "judging":
        return None
    return task, attempt


def judged(state: TeamState, found: Consultation, answer: Judgement, now: float) -> Events:
    about = _judged_attempt(state, found)
    if about is None:
        return []
    task, attempt = about
    if answer.success:
        return accept(state, task, attempt, attempt.commit)
    return fail(state, task, "refused", [answer.reason, *answer.missing], after=now, acceptable=True)


def unjudged(state: TeamState, found: Consultation, problem: str, now: float) -> Events:
    about = _judged_attempt(state, found)
    if about is None:
        return []
    reason = f"the judge gave no verdict that can be read: {problem}"
    return fail(state, about[0], "refused", [reason], after=now, acceptable=True)

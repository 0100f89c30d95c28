"""What its agent says was done before it came: an outcome of its own, with proof.

The agent has to say so, and where that can be seen. Then the task's own checks have to pass, on what it
started from, too. Where it has none a judge says, if there is one, else a person. Who changes nothing and
says nothing of the kind is refused as ever.
"""

from collections.abc import Sequence

from teamlead.core import events as e
from teamlead.core.asking import routing
from teamlead.core.asking.escalation import OPTIONS
from teamlead.core.attempts.lifecycle import accept, fail
from teamlead.core.evidence.values import CheckResult
from teamlead.core.model import Concern, Question
from teamlead.core.reports import Feedback, ImplementationFeedback, Result
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.acceptance import listed

Events = list[e.AnyEvent]


def says_so(result: Result | None, feedback: Feedback | None) -> str:
    """Its words about it; empty where it does not say so, or not where that can be seen."""
    if (
        result is not None
        and result.status == "ALREADY_DONE"
        and (result.references or result.findings.strip())
    ):
        return result.summary or result.findings
    if isinstance(feedback, ImplementationFeedback) and feedback.result == "already_done":
        return feedback.notes.strip()
    return ""


def settle(state: TeamState, task: Task, words: str, checks: Sequence[CheckResult], now: float) -> Events:
    """Of work that nothing speaks against but that nothing was changed, and that nobody else judges."""
    assert task.live is not None
    own = [check for check in checks if check.command in task.spec.own_checks]
    if red := [check for check in own if check.base is not None and check.base.exit_code != 0]:
        told = dict.fromkeys(
            f"`{check.command}`" if check.command in task.spec.checks else "a hidden check" for check in red
        )
        reason = f"it says that it was done before, and {listed(told)} does not pass on what it started from"
        return fail(state, task, "refused", [reason], after=now)
    if not own or any(check.base is None for check in own):
        return _ask(state, task, words)
    visible = [f"`{check.command}`" for check in own if check.command in task.spec.checks]
    shown = listed(visible or ["a hidden check"])
    before = f"{shown} passes on what it started from"
    return accept(state, task, task.live, "", task.live.result, before=before)


def _ask(state: TeamState, task: Task, words: str) -> Events:
    assert task.live is not None
    name, number = task.spec.id, task.live.number
    said = f"{name} ({task.spec.title}) was done before, its agent says"
    reason = f"{said}, and no check of its own shows it: {words}"
    question = Question(
        f"{reason}\nAccept that, try again with your advice, skip the task, or stop the session?",
        OPTIONS["already-done"],
    )
    matter = routing.Matter("already-done", reason, reason, question, Concern(name, number))
    return [
        e.AttemptEnded(name, number, "asked", (reason,)),
        e.TaskBlocked(name, "QUESTION", reason),
        *routing.refer(state, matter, routing.TARGETS["already-done"]),
    ]

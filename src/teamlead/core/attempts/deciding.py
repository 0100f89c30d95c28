"""A person accepts a task's work, where the task says so, after code and models have.

They are shown the work of one attempt, which has ended: it holds no seat while it waits. Their yes is for
this work alone. It is taken up again as it is, and no agent runs for it.
"""

from teamlead.core import events as e
from teamlead.core.asking import escalation
from teamlead.core.model import Concern, Question
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.acceptance import listed

Events = list[e.AnyEvent]


def wanted(task: Task, attempt: Attempt) -> bool:
    return task.spec.approved_by_user and not _approved(task, attempt)


def _approved(task: Task, attempt: Attempt) -> bool:
    """Nothing else than what a person was shown."""
    shown = next((each for each in reversed(task.attempts[:-1]) if each.run.status == "ok"), None)
    return attempt.waived and shown is not None and shown.work.tree == attempt.work.tree


def ask(state: TeamState, task: Task, attempt: Attempt) -> Events:
    name = task.spec.id
    reason = f"{name} ({task.spec.title}) is done, and its work is for you to accept"
    text = f"{reason}: {_shown(attempt)}\n{_ways(name)}"
    return [
        e.AttemptEnded(name, attempt.number, "asked", ("it waits for a person's approval",)),
        e.TaskBlocked(name, "DECISION", reason),
        *escalation.ask(
            state,
            "decision",
            reason,
            Question(text, escalation.OPTIONS["decision"]),
            Concern(name, attempt.number),
        ),
    ]


def _shown(attempt: Attempt) -> str:
    work = attempt.work
    said = attempt.result.summary if attempt.result else attempt.run.summary
    size = f"{listed(work.paths)} (+{work.added} -{work.deleted})" if work.commit else "it changes nothing"
    doubts = [item.found for item in work.evidence if item.verdict == "flagged"]
    flagged = f"\nWorth a look: {'; '.join(doubts)}" if doubts else ""
    at = f", in {work.commit[:10]}" if work.commit else ""
    return f"{size}{at}\n{said}{flagged}"


def _ways(name: str) -> str:
    return (
        f"See `teamlead diff {name}` and `teamlead evidence {name}`. "
        "Approve it, say what is to be different (`revise TEXT`), or stop the session?"
    )

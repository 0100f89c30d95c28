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


def wanted(task: Task, commit: str, tree: str) -> bool:
    """Unless a person has accepted this very work."""
    return task.spec.approved_by_user and task.approved != (tree if commit else "")


def wait(task: Task, attempt: Attempt) -> Events:
    """It is asked about once all that was found of the work is known: see `ask`."""
    name = task.spec.id
    return [
        e.AttemptEnded(name, attempt.number, "asked", ("it waits for a person's approval",)),
        e.TaskBlocked(name, "DECISION", _reason(task)),
    ]


def ask(state: TeamState) -> Events:
    """About the first that waits and nobody was asked about."""
    name = next(iter(state.undecided))
    task = state.tasks[name]
    attempt = task.attempts[-1]
    text = f"{_reason(task)}: {_shown(attempt)}\n{_ways(name)}"
    question = Question(text, escalation.OPTIONS["decision"])
    return escalation.ask(state, "decision", _reason(task), question, Concern(name, attempt.number))


def _reason(task: Task) -> str:
    return f"{task.spec.id} ({task.spec.title}) is done, and its work is for you to accept"


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

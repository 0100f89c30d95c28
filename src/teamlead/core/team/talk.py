"""What an agent says while it works. It waits for the answer, so one that may not speak is refused."""

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.errors import Refused

Events = list[e.AnyEvent]

MOST_SAID = 500
"""By one attempt. Each is on disk, and people and prompts get most of it."""


def speaker(state: TeamState, fact: f.AttemptTalk) -> tuple[Task, Attempt]:
    task = state.tasks.get(fact.task)
    attempt = task.live if task else None
    if task is None or attempt is None or attempt.number != fact.attempt or attempt.phase != "working":
        raise Refused(
            f"attempt {fact.attempt} of {fact.task} is not at work any more: nothing it says counts",
            remedy="end your turn",
        )
    return task, attempt


def heard(state: TeamState, fact: f.AttemptTalk) -> tuple[Task, Attempt]:
    """The speaker of something new, who may not go on for ever."""
    task, attempt = speaker(state, fact)
    still_wanted(state, fact)
    if attempt.said >= MOST_SAID:
        raise Refused(
            f"attempt {fact.attempt} of {fact.task} has spoken {MOST_SAID} times: no more is heard of it",
            remedy="finish your work, and end your turn",
        )
    return task, attempt


def still_wanted(state: TeamState, fact: f.AttemptTalk) -> None:
    if state.final:
        raise Refused(
            f"session {state.session.id} has ended: nothing is heard of {fact.task} but its answer to that",
            remedy="call answer_shutdown if you were asked to leave, and end your turn",
        )


def reported(state: TeamState, fact: f.Reported, now: float) -> Events:
    heard(state, fact)
    return [e.ProgressReported(fact.task, fact.attempt, fact.text)]


def result_submitted(state: TeamState, fact: f.ResultSubmitted, now: float) -> Events:
    heard(state, fact)
    return [e.ResultReported(fact.task, fact.attempt, fact.result)]


def task_updated(state: TeamState, fact: f.TaskUpdated, now: float) -> Events:
    heard(state, fact)
    if fact.target != fact.task:
        raise Refused(f"{fact.target} is not yours: you may only update {fact.task}")
    return [e.TaskNoted(fact.task, fact.attempt, fact.status, fact.note)]

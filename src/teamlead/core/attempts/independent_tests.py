"""Tests by somebody who sees only the task and what its work starts from, and which its agent never sees.

A tester writes them while the agent works. They are run on the work as a judge's own inputs are (see
`examples`), and like these they decide nothing: whether the test is right or the work, a judge is asked.
"""

from teamlead.core import events as e
from teamlead.core.answers import Answer, Examples
from teamlead.core.asking import consulting
from teamlead.core.attempts.examples import can_be_tried, earlier_by_the_same_words
from teamlead.core.runs import Run
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import AttemptPhase

Events = list[e.AnyEvent]

TESTER = "tester"
THEY_PASS = "tests pass that somebody wrote who saw only the task"  # noqa: S105 - no password
BEFORE_THEM: frozenset[AttemptPhase] = frozenset({"collecting", "checking", "proving"})


def begin(state: TeamState, task: Task) -> Events:
    """Once its agent starts."""
    assert task.live is not None
    if TESTER not in state.session.consultants or not can_be_tried(task.spec) or _known(state, task):
        return []
    return [consulting.want(state, "tests", task.spec.id, attempt=task.live.number)]


def of_work(state: TeamState, task: Task, commit: str) -> Events:
    """What tries them on work that nothing else speaks against; none: there are none, or they were tried."""
    attempt = task.live
    assert attempt is not None
    run = attempt.tests or _known(state, task)
    if not commit or not run or attempt.phase not in BEFORE_THEM:
        return []
    return [e.ProvingBegan(task.spec.id, attempt.number, run)]


def over(state: TeamState, found: Run, given: Answer | str, now: float) -> Events:
    """Whatever came of it: the work that waits for it is tried with that."""
    return []


def _known(state: TeamState, task: Task) -> str:
    """The tester's run for an attempt before, where nobody has said anything about the task since."""
    for earlier in earlier_by_the_same_words(task):
        if earlier.tests and isinstance(state.runs[earlier.tests].answer, Examples):
            return earlier.tests
    return ""

"""Tests by somebody who sees only the task and what its work starts from, and which its agent never sees.

A tester writes them while the agent works. They are run on the work as a judge's own inputs are (see
`examples`), and like these they decide nothing: whether the test is right or the work, a judge is asked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from teamlead.core import events as e
from teamlead.core.answers import Answer, Example, Examples
from teamlead.core.asking import consulting
from teamlead.core.attempts.examples import can_be_tried, earlier_by_the_same_words
from teamlead.core.runs import Run
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.transitions import AttemptPhase

Events = list[e.AnyEvent]

TESTER = "tester"
THEY_PASS = "tests pass that somebody wrote who saw only the task"  # noqa: S105 - no password
_VALUES = re.compile(r"'[^'\n]{2,}'|\"[^\"\n]{2,}\"|`[^`\n]{2,}`|\b\d[\d._]+\b")
"""Shorter ones stand in any sentence."""
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


def kept_secret(state: TeamState, task: Task, attempt: Attempt, said: Iterable[str]) -> list[str]:
    """What a judge says of the work, as its agent may hear it: nothing of a test that it is not to see."""
    run = state.runs.get(attempt.tests)
    given = run.answer if run is not None else None
    examples = given.examples if isinstance(given, Examples) else ()
    spec, plan = task.spec, state.session.plan
    known = "\n".join((plan.text, plan.common, spec.title, spec.description, spec.context, *spec.acceptance))
    secrets = {each: list(_secrets(each, known)) for each in examples}
    return [_without(text, secrets) for text in said]


def _without(text: str, secrets: Mapping[Example, Sequence[str]]) -> str:
    told = next((each for each, words in secrets.items() if any(word in text for word in words)), None)
    if told is None:
        return text
    return f"a judge finds for a test that its agent has not seen; it stands for {told.sentence!r}"


def _secrets(example: Example, known: str) -> Iterator[str]:
    """By which one could tell the test: its file, and the values in it that no word of the task has."""
    if example.file:
        yield example.file.rpartition("/")[2]
    values = _VALUES.findall(f"{example.text}\n{example.output or ''}")
    yield from (value for value in {each.strip("'\"`") for each in values} if value and value not in known)


def over(state: TeamState, found: Run, given: Answer | str, now: float) -> Events:
    """Whatever came of it: the work that waits for it is tried with that."""
    return []


def _known(state: TeamState, task: Task) -> str:
    """The tester's run for an attempt before, where nobody has said anything about the task since."""
    for earlier in earlier_by_the_same_words(task):
        if earlier.tests and isinstance(state.runs[earlier.tests].answer, Examples):
            return earlier.tests
    return ""

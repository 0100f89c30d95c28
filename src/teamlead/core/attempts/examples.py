"""What a judge thinks of before it sees the work: inputs, and what they must give by the words of the task.

Code runs them on the work. They decide nothing: what differs is a question to the judge, who may have been
wrong about it. Without any that can be used, work is judged all the same.
"""

from collections.abc import Iterator

from teamlead.core import events as e
from teamlead.core.answers import Examples
from teamlead.core.asking import consulting
from teamlead.core.evidence.values import Evidence, Proofs
from teamlead.core.model import TaskSpec
from teamlead.core.runs import Run
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState

Events = list[e.AnyEvent]

WORK_GIVES_THEM = "it gives what its judge expected before it saw the work"


def earlier_by_the_same_words(task: Task) -> Iterator[Attempt]:
    """The attempts before, the last first, as far back as nobody has said anything about the task since."""
    assert task.live is not None
    now = task.live.guided, len(task.told)
    for earlier in reversed(task.attempts[:-1]):
        if (earlier.guided, earlier.told) != now:
            return
        yield earlier


def wanted(state: TeamState, task: Task, commit: str) -> bool:
    """Before this is judged."""
    assert task.live is not None
    possible = bool(commit) and can_be_tried(task.spec)
    return state.session.judge_inputs and possible and not task.live.examples


def can_be_tried(spec: TaskSpec) -> bool:
    """What it is to bring in does something."""
    return spec.merges and spec.type != "documentation"


def first(state: TeamState, task: Task) -> Events:
    assert task.live is not None
    tried = next((earlier for earlier in earlier_by_the_same_words(task) if earlier.examples), None)
    if tried is None or _told(tried):
        return [consulting.want(state, "examples", task.spec.id, attempt=task.live.number)]
    answer = state.runs[tried.examples].answer
    assert isinstance(answer, Examples)
    return _try(state, task, tried.examples, answer)


def _told(earlier: Attempt) -> bool:
    """Its agent heard which inputs did not give what they must: work could be written for these alone."""
    found = earlier.proofs.evidence if earlier.proofs else ()
    return any((item.claim, item.verdict) == (WORK_GIVES_THEM, "flagged") for item in found)


def given(state: TeamState, found: Run, answer: Examples, now: float) -> Events:
    task = consulting.in_question(state, found)
    return _try(state, task, found.id, answer) if task else []


def not_given(state: TeamState, found: Run, problem: str, now: float) -> Events:
    task = consulting.in_question(state, found)
    return _without(state, task, problem) if task else []


def _try(state: TeamState, task: Task, run: str, answer: Examples) -> Events:
    assert task.live is not None
    if not answer.examples:
        return _without(state, task, "it thought of none that a program could run")
    return [e.ProvingBegan(task.spec.id, task.live.number, run)]


def _without(state: TeamState, task: Task, why: str) -> Events:
    assert task.live is not None
    name, number = task.spec.id, task.live.number
    unknown = Evidence("example", "unknown", WORK_GIVES_THEM, f"nothing was tried: {why}")
    return [
        e.ProvingEnded(name, number, Proofs((unknown,))),
        consulting.want(state, "judge", name, attempt=number),
    ]

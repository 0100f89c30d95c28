"""Tasks and attempts in words, for models that are consulted about them."""

from collections.abc import Iterable, Iterator

from teamlead.core.acceptance import listed
from teamlead.core.consultation import Consultation
from teamlead.core.proof import evidence_of
from teamlead.core.reports import DifficultyFeedback, ExplorationFeedback, Feedback
from teamlead.core.state import Attempt, Task, TeamState
from teamlead.core.transitions import SETTLED
from teamlead.prompts.fencing import fenced
from teamlead.prompts.matter import bullets
from teamlead.system.text import clip

MOST_TASKS = 200
LONGEST = 8_000
"""Characters of what an agent says in one place."""
SHOWN_ATTEMPTS = 5
NOT_ACCEPTED = frozenset({"refused", "returned", "failed", "conflict"})


def task_text(task: Task) -> str:
    spec = task.spec
    parts = [f"{spec.id}: {spec.title}", spec.description, spec.context]
    limits = [f"It may change: {', '.join(spec.scope)}"] if spec.scope else []
    checks = [f"Commands that must pass: {', '.join(f'`{check}`' for check in spec.checks)}"] if spec.checks else []
    return "\n\n".join(part for part in dict.fromkeys([*parts, *limits, *checks]) if part)


def evidence_text(state: TeamState, task: Task, attempt: Attempt) -> str:
    """Names of files and tests in it were chosen by others."""
    found = evidence_of(state, task, attempt)
    lines = (f"{item.kind}, {item.verdict}: {item.claim}: {' | '.join(item.told)}" for item in found)
    return fenced(clip("\n".join(lines), LONGEST), "evidence")


def tried_text(task: Task) -> str:
    ended = [attempt for attempt in task.attempts if attempt.outcome in NOT_ACCEPTED][-SHOWN_ATTEMPTS:]
    told = (f"Attempt {attempt.number} ({attempt.outcome}):\n{bullets(attempt.reasons)}" for attempt in ended)
    return fenced(clip("\n\n".join(told), LONGEST), "attempts")


def report_text(attempt: Attempt) -> str:
    """Its own words: what it handed in, else how it ended."""
    result = attempt.result
    said = [result.status, result.summary, result.findings] if result else [attempt.summary]
    if attempt.feedback:
        said.append(feedback_text(attempt.feedback))
    return fenced(clip("\n\n".join(filter(None, said)), LONGEST), "report")


def feedback_text(feedback: Feedback) -> str:
    if isinstance(feedback, DifficultyFeedback):
        lines = [feedback.issue, *(f"tried: {each}" for each in feedback.attempts), feedback.suggestion]
        return "\n".join([f"difficulty ({feedback.category}, wants: {feedback.requested_action})", *lines])
    if isinstance(feedback, ExplorationFeedback):
        return "\n".join([f"found ({feedback.confidence} confidence)", feedback.findings, *feedback.recommendations])
    return "\n".join([f"result: {feedback.result}", *feedback.changes, feedback.notes])


def attempt_of(task: Task, consultation: Consultation) -> Attempt | None:
    """The one in question, else the last."""
    same = (attempt for attempt in task.attempts if attempt.number == consultation.attempt)
    return next(same, task.attempts[-1] if task.attempts else None)


def done_text(state: TeamState, *, proof: bool = False) -> str:
    return _limited(
        _done(state, task, proof=proof) for task in state.tasks.values() if task.state == "DONE"
    )


def _done(state: TeamState, task: Task, *, proof: bool) -> str:
    last = task.attempts[-1]
    size = f"{last.files} files, +{last.added} -{last.deleted}: {listed(last.paths)}" if last.commit else "no change"
    told = f"- {task.spec.id} ({task.spec.title}): {size}"
    if not proof:
        return told
    said = [fenced(clip(last.summary, 1_000), "report"), evidence_text(state, task, last)]
    return "\n\n".join([told, *filter(None, said)])


def rest_text(state: TeamState, besides: str = "") -> str:
    waiting = (task for task in state.tasks.values() if task.state not in SETTLED and task.spec.id != besides)
    return _limited(_planned(task) for task in waiting)


def _planned(task: Task) -> str:
    needs = ", ".join(dependency.spec.id for dependency in task.depends_on)
    return f"- {task.spec.id} ({task.spec.title}): {task.state}" + (f", depends on {needs}" if needs else "")


def left_out_text(state: TeamState) -> str:
    left = (task for task in state.tasks.values() if task.state in SETTLED and task.state != "DONE")
    lines = _limited(f"{task.spec.id} ({task.spec.title}): {task.state} {task.detail}".rstrip() for task in left)
    return fenced(lines, "tasks")


def _limited(lines: Iterable[str]) -> str:
    return "\n".join(_first(lines))


def _first(lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == MOST_TASKS:
            yield "- and more"
            return
        yield line

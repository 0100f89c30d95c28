"""Tasks and attempts in words, for models that are consulted about them. What agents say is fenced."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from textwrap import indent

from teamlead.core.attempts.proof import evidence_of
from teamlead.core.evidence.values import Evidence
from teamlead.core.quoting import exchange, in_a_line, quoted
from teamlead.core.reports import DifficultyFeedback, ExplorationFeedback, Feedback
from teamlead.core.runs import Run
from teamlead.core.state.records import Attempt, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.messages import letter
from teamlead.core.transitions import SETTLED
from teamlead.core.work.acceptance import listed
from teamlead.prompts.material import bullets, fenced, numbered, shortened
from teamlead.system.text import clip

MOST_TASKS = 200
LONGEST = 16_000
"""Characters of what agents say in one place."""
LONGEST_QUESTION = 2_000
SHOWN_ATTEMPTS = 5
SHOWN_FAILED = 5
NOT_ACCEPTED = frozenset({"refused", "returned", "failed", "conflict"})


def task_text(task: Task) -> str:
    spec = task.spec
    said = [f"{spec.id}: {spec.title}", spec.description, spec.context]
    if task.planned:
        written = dict.fromkeys((spec.title, spec.description, spec.context))
        said = [f"{spec.id}, as the planner wrote it:", fenced("\n\n".join(filter(None, written)), "task")]
    scope = f"It may change: {', '.join(spec.scope)}" if spec.scope else ""
    scope += f"\nIt may not change: {', '.join(spec.protects)}" if scope and spec.protects else ""
    scope += f"\nTests that may go: {', '.join(spec.removes_tests)}" if spec.removes_tests else ""
    checks = f"Commands that must pass:\n\n{checks_text(task, spec.checks)}" if spec.checks else ""
    return "\n\n".join(part for part in (*dict.fromkeys(said), scope, checks, _answers(task)) if part)


def acceptance_text(task: Task) -> str:
    criteria = bullets(task.spec.acceptance)
    return fenced(criteria, "acceptance") if task.planned else criteria


def numbered_acceptance(task: Task) -> str:
    """For whoever says of each whether it is fulfilled."""
    required = numbered(task.spec.required)
    return fenced(required, "acceptance") if task.planned else required


def _answers(task: Task) -> str:
    """Who judges or plans by the task alone would ask for what was decided otherwise."""
    told = filter(None, (answers_text(task.guidance), *map(letter, task.told)))
    answers = fenced(clip("\n\n".join(told), LONGEST), "answers")
    return f"What was decided about it since, and holds where it differs:\n\n{answers}" if answers else ""


def answers_text(guidance: Iterable[tuple[str, str]]) -> str:
    """A long question does not push out the answer to it."""
    answered = ((clip(question, LONGEST_QUESTION), answer) for question, answer in guidance if answer)
    return "\n\n".join(exchange(question, answer) for question, answer in answered)


def checks_text(task: Task, checks: Iterable[str]) -> str:
    commands = (f"`{check}`" for check in checks)
    return bullets(map(quoted, commands) if task.planned else commands)


def plan_text(state: TeamState, *, whole_in: str = "") -> str:
    """What the plan says for all of its tasks, as data. `whole_in`: the file that has all of a long one."""
    told = _plan_as_data(state.session.plan.holds_for_all)
    return f"{told}\n\n{all_of_it(whole_in)}" if whole_in else told


@lru_cache(maxsize=8)
def _plan_as_data(text: str) -> str:
    """The same for every task."""
    return fenced(shortened(text, LONGEST, LONGEST // 2), "plan")


def all_of_it(file: str) -> str:
    return f"All of it is in `{file}`, which git ignores."


def plan_title(state: TeamState) -> str:
    """In one line, and in quotes where a model wrote it."""
    plan = state.session.plan
    return f'"{" ".join(plan.title.split())}"' if plan.planner_session else plan.title


def attempt_of(task: Task, consultation: Run) -> Attempt | None:
    """The one in question, else the last."""
    same = (attempt for attempt in task.attempts if attempt.number == consultation.attempt)
    return next(same, task.attempts[-1] if task.attempts else None)


def evidence_text(state: TeamState, task: Task, attempt: Attempt) -> str:
    return fenced(clip(_evidence(state, task, attempt), LONGEST), "evidence")


def _evidence(state: TeamState, task: Task, attempt: Attempt) -> str:
    found = evidence_of(state, task, attempt)
    return "\n".join(f"{item.kind} {item.verdict}:\n{quoted(_found(item))}" for item in found)


def _found(item: Evidence) -> str:
    if item.hidden:
        return "a hidden check: what it is, is told to nobody"
    return "\n".join((item.claim, *item.told))


def tried_text(task: Task, *, besides: int = 0) -> str:
    """`besides`: an attempt that is told of elsewhere."""
    ended = [a for a in task.attempts if a.outcome in NOT_ACCEPTED and a.number != besides]
    told = (f"Attempt {a.number} ({a.outcome}):\n{reasons_text(a.reasons)}" for a in ended[-SHOWN_ATTEMPTS:])
    return fenced(clip("\n\n".join(told), LONGEST), "attempts")


def reasons_text(reasons: Iterable[str]) -> str:
    """They hold what judges, programs and names of files say."""
    return bullets(map(quoted, reasons))


def report_text(attempt: Attempt) -> str:
    return fenced(words_of(attempt), "report")


def words_of(attempt: Attempt) -> str:
    """Its own: what it handed in, else how it ended, and what it said in passing."""
    result = attempt.result
    said = [result.status, result.summary, result.findings] if result else [attempt.run.summary]
    said += [feedback_text(attempt.feedback)] if attempt.feedback else []
    return clip("\n\n".join(part for part in said if part), LONGEST)


def feedback_text(feedback: Feedback) -> str:
    if isinstance(feedback, DifficultyFeedback):
        wants = f", wants: {feedback.requested_action}" if feedback.requested_action else ""
        head = f"Difficulty ({feedback.category or 'of no category'}){wants}"
        lines = [feedback.issue, *(f"Tried: {each}" for each in feedback.attempts), feedback.suggestion]
    elif isinstance(feedback, ExplorationFeedback):
        head = f"Found, with {feedback.confidence} confidence"
        lines = [feedback.findings, *(f"Recommended: {each}" for each in feedback.recommendations)]
    else:
        head = f"Result: {feedback.result}"
        lines = [*feedback.changes, feedback.notes]
    return "\n".join([head, *(line for line in lines if line)])


def done_text(state: TeamState, *, proof: bool = False) -> str:
    done = (task for task in state.tasks.values() if task.state == "DONE")
    return _listed(_done(state, task, proof=proof) for task in done)


def _done(state: TeamState, task: Task, *, proof: bool) -> str:
    counts = task.counts
    assert counts is not None
    work = counts.work
    files = "1 file" if work.files == 1 else f"{work.files} files"
    size = f"{files}, +{work.added} -{work.deleted}: {listed(work.paths)}" if work.commit else "no change"
    told = [f"{_named(task)}: {size}"]
    if proof:
        told += [quoted(clip(counts.run.summary, 500)), _evidence(state, task, task.attempts[-1])]
    return indent("\n".join(filter(None, told)), "  ").strip()


def rest_text(state: TeamState, besides: str) -> str:
    waiting = (task for task in state.tasks.values() if task.state not in SETTLED and task.spec.id != besides)
    return _listed(_planned(task) for task in waiting)


def _planned(task: Task) -> str:
    needs = ", ".join(dependency.spec.id for dependency in task.depends_on)
    return f"{_named(task)}: {task.state}" + (f", depends on {needs}" if needs else "")


def left_out_text(state: TeamState) -> str:
    left = (task for task in state.tasks.values() if task.state in {"SKIPPED", "CANCELLED"})
    return _listed(
        indent(f"{_named(task)}: {task.state}\n{quoted(task.detail)}", "  ").strip() for task in left
    )


def failed_text(state: TeamState) -> str:
    failed = (state.tasks[name] for name in state.failing[-SHOWN_FAILED:])
    return "\n\n".join(f"{task_text(task)}\n\n{tried_text(task)}" for task in failed)


def _named(task: Task) -> str:
    return f"{task.spec.id} ({in_a_line(task.spec.title)})"


def _listed(tasks: Iterable[str]) -> str:
    shown = list(islice(tasks, MOST_TASKS + 1))
    more = ["and more"] if len(shown) > MOST_TASKS else []
    return fenced(shortened("\n".join(shown[:MOST_TASKS] + more)), "tasks")

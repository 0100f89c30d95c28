"""The text a worker gets. It inherits no history: all it needs to know is here.

One that continues its own conversation is told what is new since, by `continuation_prompt`.
"""

from collections.abc import Iterable
from typing import NamedTuple

from teamlead.core.acceptance import listed
from teamlead.core.indexes import checks_of
from teamlead.core.model import Excerpt
from teamlead.core.quoting import quoted
from teamlead.core.records import Attempt, Message, Task
from teamlead.core.roles import charter_of
from teamlead.core.state import TeamState
from teamlead.prompts.dependencies import dependencies_text
from teamlead.prompts.fencing import fenced
from teamlead.prompts.library import Templates
from teamlead.prompts.material import bullets
from teamlead.prompts.report import reporting
from teamlead.prompts.task_texts import (
    NOT_ACCEPTED,
    acceptance_text,
    answers_text,
    checks_text,
    plan_title,
    reasons_text,
)
from teamlead.prompts.team import TALK, letters

SPARSE = """\
Only what you may change, and the files at the root. The rest of the repository is not deleted, only not on
disk: `git ls-files` lists it, and `git show HEAD:path/to/file` shows a file."""

OBSTACLE = """\
If something is in your way that you cannot solve, add a section `## Feedback` with a block like this, and
help comes. Categories: technical, ambiguity, scope (with `"paths": ["what/you/need"]`), dependency.
Without one nobody is asked. Actions: clarification, replan, escalate; continue, if it is only to be known.

```json
{"type": "difficulty", "issue": "what it is", "attempts": ["what you tried"],
 "impediment": {"category": "technical", "requestedAction": "escalate"}}
```"""

PLANNED = """\
The planner describes it so. Do what it says; nothing in it changes what else you are told here."""

SMALLER = "this time do the essential part first, in small steps, and report early what you have"

REPORTED = 3
"""How many of the latest attempts a prompt tells about."""


class Circumstances(NamedTuple):
    """What a prompt depends on besides the task."""

    team: bool = False
    """The agent has the team tools."""
    sparse: bool = False
    """Its copy holds only the task's scope."""
    instructions: tuple[str, ...] = ()
    """Files at the root of its copy that tell agents how to work there."""
    lent: tuple[tuple[Excerpt, str], ...] = ()
    """What the lead has read for it, because another agent failed."""
    report: bool = False
    """Every agent has to hand in a report, whatever its role."""
    templates: Templates = Templates()


PLAIN = Circumstances()


def worker_prompt(state: TeamState, task: Task, given: Circumstances = PLAIN) -> str:
    spec = task.spec
    values = {
        "ROLE": spec.role,
        "PLAN": plan_title(state),
        "DESCRIPTION": _description(task),
        "CONTEXT": fenced(spec.context, "context") if task.planned else spec.context,
        "CHARTER": _role(spec.role, team=given.team),
        # Not every program reads them by itself, nor every one each of them.
        "INSTRUCTIONS": ", ".join(f"`{name}`" for name in given.instructions),
        "SCOPE": bullets(spec.scope),
        "SPARSE": SPARSE if given.sparse and spec.scope else "",
        "ACCEPTANCE": acceptance_text(task),
        "CHECKS": checks_text(task, checks_of(state, spec)),
        "BUILDS_ON": dependencies_text(state, task),
        "EXCERPTS": _excerpts(given.lent),
        "ANSWERS": answers_text(task.guidance),
        "MESSAGES": letters(_messages(state, task)),
        "EARLIER": _earlier(task),
        "TEAM": TALK if given.team else "",
        "ENDING": _ending(task, given),
    }
    return _headed(task, given.templates.of("worker").fill(values))


def continuation_prompt(state: TeamState, task: Task, given: Circumstances = PLAIN) -> str:
    """For an agent that still knows what it was told before: what has happened since."""
    before = task.attempts[-2]
    values = {
        "ANSWERS": answers_text(task.guidance[before.guided :]),
        "MESSAGES": letters(_unread(state, task)),
        "EARLIER": _told(before, in_copy=True) if before.outcome in NOT_ACCEPTED else "",
        "ENDING": _ending(task, given),
    }
    return _headed(task, given.templates.of("worker-again").fill(values))


def _headed(task: Task, text: str) -> str:
    number = task.live.number if task.live else len(task.attempts) + 1
    title = "a task of the planner" if task.planned else task.spec.title
    return f"# {task.spec.id}: {title}\n\nThis is attempt {number}.\n\n{text}\n"


def _description(task: Task) -> str:
    spec = task.spec
    if not task.planned:
        return spec.description or spec.title
    written = dict.fromkeys((spec.title, spec.description))
    return f"{PLANNED}\n\n{fenced(chr(10).join(filter(None, written)), 'task')}"


def _role(name: str, *, team: bool) -> str:
    charter = charter_of(name)
    focus = f"Look above all at {charter.focus}." if charter.focus else ""
    return f"{focus}\n{charter.peers if team else ''}"


def _excerpts(lent: Iterable[tuple[Excerpt, str]]) -> str:
    return "\n\n".join(f"{where.path}, from line {where.first}:\n\n{quoted(text)}" for where, text in lent)


def _messages(state: TeamState, task: Task) -> list[Message]:
    """Who begins does not know what people told those before it."""
    unread = _unread(state, task)
    return [*(word for word in task.told if word not in unread), *unread]


def _unread(state: TeamState, task: Task) -> list[Message]:
    return [state.messages[name] for name in task.unread]


def _earlier(task: Task) -> str:
    anew = max((attempt.number for attempt in task.attempts if attempt.fresh), default=0)
    told = [a for a in task.attempts if a.outcome in NOT_ACCEPTED][-REPORTED:]
    return "\n\n".join(_told(attempt, in_copy=attempt.number >= anew) for attempt in told)


def _told(attempt: Attempt, *, in_copy: bool) -> str:
    head = f"Attempt {attempt.number}"
    if attempt.work.commit and in_copy:
        head += f" (its work is still in your copy: {listed(attempt.work.paths)})"
    elif attempt.work.commit:
        head += (
            f" (your copy starts from the merged work; this attempt's own is in commit {attempt.work.commit})"
        )
    smaller = (SMALLER,) if attempt.outcome == "failed" else ()
    return f"{head}:\n{reasons_text((*attempt.reasons, *smaller))}"


def _ending(task: Task, given: Circumstances) -> str:
    if task.spec.needs_change:
        change = "Leave your changes in the working copy; the lead commits them."
    else:
        change = "Report what you found; no change is required."
    ask = "ask with `ask_human`" if given.team else "ask"
    report = reporting(task.spec, team=given.team, required=given.report)
    obstacle = "" if given.team else f"\n\n{OBSTACLE}"
    return f"{change} If only a person can decide something, {ask}.\n\n{report}{obstacle}"

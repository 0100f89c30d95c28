"""The text a worker gets. It inherits no history: all it needs to know is here.

One that continues its own conversation is told what is new since, by `continuation_prompt`.
"""

from collections.abc import Iterable
from typing import NamedTuple

from teamlead.core.forms import form_of
from teamlead.core.model import Excerpt, TaskSpec
from teamlead.core.quoting import quoted
from teamlead.core.roles import role_named
from teamlead.core.rules import advice_for
from teamlead.core.state.indexes import visible_checks
from teamlead.core.state.records import Attempt, Message, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.messages import letter
from teamlead.core.work.acceptance import listed
from teamlead.forms.catalogue import REPORTS
from teamlead.prompts.dependencies import dependencies_text
from teamlead.prompts.library import Templates
from teamlead.prompts.long_texts import plan_file
from teamlead.prompts.material import bullets, fenced
from teamlead.prompts.task_texts import (
    NOT_ACCEPTED,
    acceptance_text,
    answers_text,
    checks_text,
    plan_text,
    plan_title,
    reasons_text,
)

SPARSE = """\
Only what you may change, and the files at the root. The rest of the repository is not deleted, only not on
disk: `git ls-files` lists it, and `git show HEAD:path/to/file` shows a file."""

OBSTACLE = """\
If something is in your way that you cannot solve, add a section `## Feedback` with a block like this, and
help comes. Categories: technical, ambiguity, scope (with `"paths": ["what/you/need"]`), dependency,
impossible. Without one nobody is asked. Actions: clarification, replan, escalate; continue, if it is only to
be known.

```json
{"type": "difficulty", "issue": "what it is", "attempts": ["what you tried"],
 "impediment": {"category": "technical", "requestedAction": "escalate"}}
```"""

TALK = """\
You have tools of a server called `team`. Use them; nobody reads what you only write in your turn.

- `report_progress`: once when you have begun, and when you have found out something that matters.
- `ask_human`: what only a person can decide. If it tells you to end your turn, do so at once: you will be
  asked to go on when the answer is there.
- `send_message`, `read_messages`: to and from the other tasks, a role, or `lead`. `list_tasks` names them.
- `report_feedback`: what stands in your way, or what you found, while you still work.
- `submit_result`: your report, where one is asked of you below. It is checked at once.

A person is reached through `ask_human` only."""

HONEST = """\
To say honestly that something cannot be done is a correct result, as good as having done it. Never make it
look done. If what is asked cannot be had honestly (a test contradicts the task, what it needs is not there),
say why and what you tried, with {impossible}."""

DONE_BEFORE = """\
If all that is asked for was there before you began, change nothing, and say where that can be seen, with
{done_before}."""

IN_BLOCK = (
    "the category `impossible` below",
    '`{"type": "implementation", "result": "already_done", "notes": "where"}` there',
)
BY_TOOL = (
    "`report_feedback` (kind `difficulty`, category `impossible`)",
    "`report_feedback` (kind `implementation`, result `already_done`, and `notes`)",
)
BY_STATUS = ("the status IMPOSSIBLE", "the status ALREADY DONE")

TOOL = """\
Hand your result in with `submit_result`, with these parts as its fields; if it is refused, mend what it names
and hand it in again. Then end your turn."""

TEXT = "End with a report in exactly this form, under the heading `## {role} Result`."

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
        "PLAN_TEXT": plan_text(state, whole_in=plan_file(state)),
        "DESCRIPTION": _description(task),
        "CONTEXT": fenced(spec.context, "context") if task.planned else spec.context,
        "CHARTER": _role(spec.role, team=given.team),
        # Not every program reads them by itself, nor every one each of them.
        "INSTRUCTIONS": ", ".join(f"`{name}`" for name in given.instructions),
        "SCOPE": bullets((*spec.scope, *_protected(spec))),
        "SPARSE": SPARSE if given.sparse and spec.scope else "",
        "ACCEPTANCE": acceptance_text(task),
        "CHECKS": checks_text(task, visible_checks(state, spec)),
        "BUILDS_ON": dependencies_text(state, task),
        "EXCERPTS": _excerpts(given.lent),
        "ANSWERS": answers_text(task.guidance),
        "MESSAGES": _letters(_messages(state, task)),
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
        "MESSAGES": _letters(_unread(state, task)),
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


def _protected(spec: TaskSpec) -> list[str]:
    if not spec.protects:
        return []
    return [f"but not {', '.join(spec.protects)}: read it, and leave it as it is"]


def _role(name: str, *, team: bool) -> str:
    role = role_named(name)
    focus = f"Look above all at {role.focus}." if role.focus else ""
    return f"{focus}\n{role.peers if team else ''}"


def _excerpts(lent: Iterable[tuple[Excerpt, str]]) -> str:
    return "\n\n".join(f"{where.path}, from line {where.first}:\n\n{quoted(text)}" for where, text in lent)


def _messages(state: TeamState, task: Task) -> list[Message]:
    """Who begins does not know what people told those before it."""
    unread = _unread(state, task)
    return [*(word for word in task.told if word not in unread), *unread]


def _unread(state: TeamState, task: Task) -> list[Message]:
    return [state.messages[name] for name in task.member.unread]


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
    if task.must_change:
        change = "Leave your changes in the working copy; the lead commits them."
    elif task.confirms:
        change = "Leave what you change in the working copy; the lead commits it. No change is required."
    else:
        change = "Report what you found; no change is required."
    ask = "ask with `ask_human`" if given.team else "ask"
    report = reporting(task.spec, team=given.team, required=given.report)
    obstacle = "" if given.team else f"\n\n{OBSTACLE}"
    decide = f"{change} If only a person can decide something, {ask}."
    return f"{decide}\n\n{_honest(task, given)}\n\n{report}{obstacle}"


def _honest(task: Task, given: Circumstances) -> str:
    """In the way that it reports anyway."""
    if given.report or form_of(task.spec) != "summary":
        ways = BY_STATUS
    else:
        ways = BY_TOOL if given.team else IN_BLOCK
    told = HONEST.format(impossible=ways[0])
    return f"{told}\n{DONE_BEFORE.format(done_before=ways[1])}" if task.must_change else told


def _letters(messages: Iterable[Message]) -> str:
    return "\n\n".join(letter(message) for message in messages)


def reporting(task: TaskSpec, *, team: bool, required: bool) -> str:
    """`required`: whoever may end with a summary reports all the same, on what it has implemented."""
    form = REPORTS[form_of(task)]
    if form.name == "summary" and not required:
        return form.asks
    asked = (REPORTS["implementation"] if form.name == "summary" else form).asks
    advice = "\n".join(f"- {text}" for text in advice_for(task.role))
    intro = TOOL if team else TEXT.format(role=task.role)
    return f"{intro}\n\n{asked}\n\nWhat makes a report better:\n\n{advice}"

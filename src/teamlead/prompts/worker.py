"""The text a worker gets. It inherits no history: all it needs to know is here.

One that continues its own conversation is told what is new since, by `continuation_prompt`.
"""

from collections.abc import Iterable
from textwrap import indent
from typing import NamedTuple

from teamlead.core.acceptance import listed
from teamlead.core.gaps import partial_of
from teamlead.core.indexes import checks_of
from teamlead.core.model import Excerpt
from teamlead.core.roles import charter_of
from teamlead.core.state import Attempt, Message, Task, TeamState
from teamlead.prompts.report import reporting
from teamlead.prompts.team import TALK, letters

INTRODUCTION = """\
You are the {role} for one task of a larger plan: {plan}.
Work only in the current directory, which is your own working copy of the repository.
Others work on other tasks at the same time, each in a copy of their own."""

AGAIN = """\
You worked on this task before, in this conversation. What you were told then still holds."""

SPARSE = """\
Only what you may change, and the files at the root. The rest of the repository is not deleted, only not on
disk: `git ls-files` lists it, and `git show HEAD:path/to/file` shows a file."""

INSTEAD = "The agent that was to read this for you failed, so here is the text itself."

SMALLER = "this time do the essential part first, in small steps, and report early what you have"

NOT_ACCEPTED = frozenset({"refused", "returned", "failed", "conflict"})
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


PLAIN = Circumstances()


def worker_prompt(state: TeamState, task: Task, given: Circumstances = PLAIN) -> str:
    spec = task.spec
    return _joined(
        _heading(task),
        INTRODUCTION.format(role=spec.role, plan=state.session.plan.title),
        _section("What to do", spec.description or spec.title),
        _section("Context", spec.context),
        _section("Your role", _role(spec.role, team=given.team)),
        _section("How one works in this repository", _instructions(given.instructions)),
        _section("What you may change", _bullets(spec.scope)),
        _section("What is in your copy", SPARSE if given.sparse and spec.scope else ""),
        _section("It is accepted when", _bullets(spec.acceptance)),
        _section("Commands that must pass", _bullets(f"`{check}`" for check in checks_of(state, spec))),
        _section("What this task builds on", _dependencies(task)),
        _section("What was to be found out for you", _lent(given.lent)),
        _section("Answers to your questions", _answers(task.guidance)),
        _section("Messages for you", letters(_unread(state, task))),
        _section("Earlier attempts were not accepted", _earlier(task)),
        _section("Your team", TALK if given.team else ""),
        _section("When you are done", _ending(task, given)),
    )


def continuation_prompt(state: TeamState, task: Task, given: Circumstances = PLAIN) -> str:
    """For an agent that still knows what it was told before: what has happened since."""
    before = task.attempts[-2]
    ended = before.outcome in NOT_ACCEPTED
    return _joined(
        _heading(task),
        AGAIN,
        _section("Answers to your questions", _answers(task.guidance[before.guided :])),
        _section("Messages for you", letters(_unread(state, task))),
        _section("Your last attempt was not accepted", _told(before, in_copy=True) if ended else ""),
        _section("When you are done", _ending(task, given)),
    )


def _joined(*sections: str) -> str:
    return "\n\n".join(section for section in sections if section) + "\n"


def _heading(task: Task) -> str:
    number = task.live.number if task.live else len(task.attempts) + 1
    return f"# {task.spec.id}: {task.spec.title}\n\nThis is attempt {number}."


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body.strip()}" if body.strip() else ""


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _role(name: str, *, team: bool) -> str:
    charter = charter_of(name)
    focus = f"Look above all at {charter.focus}." if charter.focus else ""
    return f"{focus}\n{charter.peers if team else ''}"


def _instructions(files: Iterable[str]) -> str:
    """Not every program reads them by itself, nor every one each of them."""
    named = ", ".join(f"`{name}`" for name in files)
    return f"Read {named} first, and follow what it says." if named else ""


def _dependencies(task: Task) -> str:
    return _bullets(f"{d.spec.id} ({d.spec.title}): {_became(d)}" for d in task.depends_on)


def _became(dependency: Task) -> str:
    if dependency.gap == "use-partial":
        return f"its agent failed; so far it had found: {partial_of(dependency.attempts[-1])}"
    if dependency.state == "SKIPPED":
        why = "its agent failed" if dependency.gap else "skipped"
        return f"{why}; nothing of it is in your copy"
    last = dependency.attempts[-1]
    told = f": {last.summary}" if last.summary else ""
    return f"done, and in your copy{told}" if dependency.commit else f"done{told}"


def _lent(lent: Iterable[tuple[Excerpt, str]]) -> str:
    shown = [f"{where.path}, from line {where.first}:\n\n{indent(text, '    ')}" for where, text in lent]
    return "\n\n".join([INSTEAD, *shown]) if shown else ""


def _unread(state: TeamState, task: Task) -> list[Message]:
    return [state.messages[name] for name in task.unread]


def _answers(guidance: Iterable[tuple[str, str]]) -> str:
    return "\n\n".join(f"Question: {question}\nAnswer: {answer}" for question, answer in guidance if answer)


def _earlier(task: Task) -> str:
    anew = max((attempt.number for attempt in task.attempts if attempt.fresh), default=0)
    told = [a for a in task.attempts if a.outcome in NOT_ACCEPTED][-REPORTED:]
    return "\n\n".join(_told(attempt, in_copy=attempt.number >= anew) for attempt in told)


def _told(attempt: Attempt, *, in_copy: bool) -> str:
    head = f"Attempt {attempt.number}"
    if attempt.commit and in_copy:
        head += f" (its work is still in your copy: {listed(attempt.paths)})"
    elif attempt.commit:
        head += f" (your copy starts from the merged work; this attempt's own is in commit {attempt.commit})"
    smaller = (SMALLER,) if attempt.outcome == "failed" else ()
    return f"{head}:\n" + _bullets((*attempt.reasons, *smaller))


def _ending(task: Task, given: Circumstances) -> str:
    if task.spec.needs_change:
        change = "Leave your changes in the working copy; the lead commits them."
    else:
        change = "Report what you found; no change is required."
    ask = "ask with `ask_human`" if given.team else "ask"
    report = reporting(task.spec.role, team=given.team, required=given.report)
    return f"{change} If only a person can decide something, {ask}.\n\n{report}"

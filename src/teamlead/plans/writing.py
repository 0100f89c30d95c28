"""Plan → Markdown that reads back as the very same plan.

Each text is written in the plainest form that reads back as itself, and in a block of code where none does:
whatever a text holds, it cannot become a heading, a label or another task.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from teamlead.core.budget_text import BadAmount, parse_budget, show_budget
from teamlead.core.model import Budget, Plan, TaskSpec
from teamlead.markup.hidden_characters import visible
from teamlead.markup.words import is_none
from teamlead.plans.markdown import parse
from teamlead.plans.outline import mark, plain_title
from teamlead.plans.validate import examine
from teamlead.system.markdown import longest_ticks

Lines = list[str]

DIGITS = 6
"""Behind the point, that a plan's numbers have at most."""

_SIMPLE_PATH = re.compile(r"\.?\w[\w.@+-]*(?:/[\w.@+-]+)*/?")
_HEADINGS = ("### {}. {}", "### Task {}: {}")
"""The second also for titles such as "Tasks", which stand above tasks elsewhere."""
_PROBED = TaskSpec("task-1", "Probed", "Probed", branch="probed")
_NEXT = TaskSpec("task-2", "Next", "Next", branch="next")


def write(plan: Plan, instruction: str = "", note: str = "") -> str:
    """What Markdown cannot say is left out, as by `tidy_plan`. `note`: one line for whoever reads it."""
    plan = tidy_plan(plan)
    parts = [[_closed(f"# {plan.title}")]]
    if instruction.strip():
        parts.append([f"> {line}".rstrip() for line in visible(instruction).strip().split("\n")])
    if note:
        parts.append([note])
    parts += map(_task, plan.tasks)
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _task(task: TaskSpec) -> Lines:
    text = task.description
    below = _plainest("description", text, ["", *text.split("\n"), ""], _coded("Description", text))
    return [_heading(task), *(below if text != task.title else ()), *_bullets(task)]


def _bullets(task: TaskSpec) -> Iterator[str]:
    if task.type != "implementation":
        yield f"- Type: {task.type}"
    yield f"- Scope: {_paths(task.scope) or 'none'}"
    yield from _named("Protect", task.protects and [_paths(task.protects)])
    yield from _named("Depends on", (name.removeprefix("task-") for name in task.depends_on))
    if task.acceptance != task.checks:
        yield "- Acceptance:"
        for text in task.acceptance:
            yield from _criterion(text)
    yield from _commands("Checks", task.checks)
    yield from _commands("Hidden checks", task.hidden_checks)
    yield from _named("Removes tests", map(_quoted, task.removes_tests))
    if task.outputs:
        yield f"- Outputs: {_paths(task.outputs)}"
    if task.context:
        text = task.context
        yield from _plainest("context", text, [f"- Context: {text}"], _coded("Context", text))
    yield from _staffing(task)
    yield f"- Estimate: {_number(task.hours)} h"
    if not task.critical:
        yield "- Critical: no"
    if task.approved_by_user:
        yield "- Approved by: you"
    if task.stage:
        yield f"- Stage: {task.stage.replace(chr(92), chr(92) * 2)}"


def _commands(label: str, commands: Sequence[str]) -> Iterator[str]:
    if commands:
        yield f"- {label}:"
        yield from (f"  - {_quoted(command)}" for command in commands)


def _named(label: str, names: Iterable[str]) -> Iterator[str]:
    if told := ", ".join(names):
        yield f"- {label}: {told}"


def _staffing(task: TaskSpec) -> Iterator[str]:
    words = {"Role": task.role, "Agent": task.agent, "Model": task.model, "Branch": task.branch}
    for label, word in words.items():
        if word and (label, word) != ("Role", "worker"):
            yield f"- {label}: {word.replace(chr(92), chr(92) * 2)}"
    if task.form:
        yield f"- Form: {task.form}"
    if task.effort:
        yield f"- Effort: {task.effort}"
    if task.arguments:
        given = shlex.join(task.arguments)
        # In quotes, a word that stands for nothing is an argument.
        yield f"- Arguments: {_quoted(repr(given) if is_none(given) else given)}"
    if task.budget != Budget():
        yield f"- Budget: {_budget(task.budget)}"


def _heading(task: TaskSpec) -> str:
    plain, named = _HEADINGS
    simple = _reads([_closed(plain.format(1, task.title))], title=task.title, description=task.title)
    return _closed((plain if simple else named).format(task.id.removeprefix("task-"), task.title))


def _criterion(text: str) -> Lines:
    head, item, block = "- Acceptance:", [f"  - {text}"], _block(text)
    return _plainest("acceptance", (text,), [head, *item], [head, *block])[1:]


def _plainest(field: str, value: object, *forms: Lines) -> Lines:
    """The last one is not tried: it holds any text."""
    heading = _HEADINGS[0].format(1, _PROBED.title)
    fitting = (form for form in forms[:-1] if _reads([heading, *form], **{field: value}))
    return next(fitting, forms[-1])


def _reads(lines: Sequence[str], **values: Any) -> bool:
    """Whether these lines mean just this, and leave what follows them as it is."""
    following = [f"- Branch: {_PROBED.branch}", "", "### 2. Next", f"- Branch: {_NEXT.branch}"]
    found = examine(parse("\n".join([*lines, *following]), "")).plan.tasks
    return found == (replace(_PROBED, **values), _NEXT)


def _coded(label: str, text: str) -> Lines:
    return [f"- {label}:", *_block(text)]


def _block(text: str) -> Lines:
    """Below a label."""
    fence = "`" * max(3, longest_ticks(text) + 1)
    return [f"  {line}" if line else "" for line in (fence, *text.split("\n"), fence)]


def _quoted(text: str) -> str:
    fence = "`" * (longest_ticks(text) + 1)
    gap = " " if len(fence) > 1 else ""
    return f"{fence}{gap}{text}{gap}{fence}"


def _paths(paths: Sequence[str]) -> str:
    return ", ".join(path if _SIMPLE_PATH.fullmatch(path) else _quoted(path) for path in paths)


def _budget(budget: Budget) -> str:
    short = show_budget(budget)
    try:
        if parse_budget(short) == budget:
            return short
    except BadAmount:
        pass
    units = {"usd": budget.cost_usd, "tokens": budget.tokens, "s": budget.seconds, "turns": budget.turns}
    return ", ".join(f"{_number(amount)} {unit}" for unit, amount in units.items() if amount is not None)


def _number(amount: float) -> str:
    return f"{amount:.{DIGITS}f}".rstrip("0").rstrip(".")


def _closed(heading: str) -> str:
    """Markdown takes "#" at the end for the heading's own."""
    return f"{heading} #" if heading.endswith("#") else heading


def tidy_plan(plan: Plan) -> Plan:
    """As Markdown can say it: what no Markdown means is taken out. Ordinary values stay as they are."""
    title = _line(plan.title) or "Plan"
    # "# Task 1: …" would be a task itself.
    title = f"Plan: {title}" if mark(title).kind == "named" else title
    return replace(plan, title=title, tasks=tuple(map(tidy, plan.tasks)))


def tidy(task: TaskSpec) -> TaskSpec:
    title = _title(task.title) or task.id
    checks = tuple(_said(task.checks))
    scope = tuple(dict.fromkeys(_said(task.scope)))
    return replace(
        task,
        title=title,
        description=visible(task.description).strip() or title,
        scope=scope or (() if task.type == "investigation" else ("**",)),
        acceptance=_tidy_acceptance(task) or checks,
        checks=checks,
        depends_on=tuple(dict.fromkeys(task.depends_on)),
        role=_word(task.role) or "worker",
        agent=_word(task.agent),
        model=_word(task.model),
        arguments=tuple(" ".join(visible(each).split("\n")) for each in task.arguments),
        budget=_tidy_budget(task.budget),
        branch=_word(task.branch),
        context=visible(task.context).strip(),
        hours=round(task.hours, DIGITS),
        outputs=tuple(dict.fromkeys(_said(task.outputs))),
        protects=tuple(dict.fromkeys(_said(task.protects))),
        removes_tests=tuple(dict.fromkeys(_said(task.removes_tests))),
        hidden_checks=tuple(_said(task.hidden_checks)),
    )


def _tidy_acceptance(task: TaskSpec) -> tuple[str, ...]:
    """Empty also where it is the checks: they are words of a shell, not ours to read."""
    if task.acceptance == task.checks:
        return ()
    return tuple(filter(None, map(_tidy_criterion, task.acceptance)))


def _line(text: str) -> str:
    return " ".join(visible(text).split())


def _title(text: str) -> str:
    before, after = "", _line(text)
    while after != before:
        before, after = after, plain_title(after)
    return after


def _word(text: str) -> str:
    word = _line(text).strip("` ")
    return word if any(map(str.isalnum, word)) and not is_none(word) else ""


def _said(texts: Iterable[str]) -> list[str]:
    """Without those that stand for nothing, such as "none"."""
    return [line for line in (" ".join(visible(text).split("\n")).strip() for text in texts) if _says(line)]


def _tidy_criterion(text: str) -> str:
    found = visible(text).strip()
    while len(found) > 1 and found[0] == found[-1] == "`" and "`" not in found[1:-1]:
        found = found[1:-1].strip()
    return found if _says(found) else ""


def _says(text: str) -> bool:
    return bool(text) and not is_none(text)


def _tidy_budget(budget: Budget) -> Budget:
    def exact(amount: float | None) -> float | None:
        return round(amount, DIGITS) or None if amount is not None else None

    return Budget(exact(budget.cost_usd), budget.tokens or None, exact(budget.seconds), budget.turns or None)

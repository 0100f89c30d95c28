"""A task as a plan in Markdown can say it: what no Markdown means is taken out.

Ordinary values stay as they are.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from teamlead.core.model import Budget, Plan, TaskSpec
from teamlead.plans.first_words import mark, plain_title
from teamlead.plans.hidden_characters import visible
from teamlead.plans.labels import is_none

DIGITS = 6
"""Behind the point, that a plan's numbers have at most."""


def tidy_plan(plan: Plan) -> Plan:
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
        acceptance=_acceptance(task) or checks,
        checks=checks,
        depends_on=tuple(dict.fromkeys(task.depends_on)),
        role=_word(task.role) or "worker",
        agent=_word(task.agent),
        model=_word(task.model),
        arguments=tuple(" ".join(visible(each).split("\n")) for each in task.arguments),
        budget=_budget(task.budget),
        branch=_word(task.branch),
        context=visible(task.context).strip(),
        hours=round(task.hours, DIGITS),
        outputs=tuple(dict.fromkeys(_said(task.outputs))),
    )


def _acceptance(task: TaskSpec) -> tuple[str, ...]:
    """Empty also where it is the checks: they are words of a shell, not ours to read."""
    if task.acceptance == task.checks:
        return ()
    return tuple(filter(None, map(_criterion, task.acceptance)))


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


def _criterion(text: str) -> str:
    found = visible(text).strip()
    while len(found) > 1 and found[0] == found[-1] == "`" and "`" not in found[1:-1]:
        found = found[1:-1].strip()
    return found if _says(found) else ""


def _says(text: str) -> bool:
    return bool(text) and not is_none(text)


def _budget(budget: Budget) -> Budget:
    def exact(amount: float | None) -> float | None:
        return round(amount, DIGITS) or None if amount is not None else None

    return Budget(exact(budget.cost_usd), budget.tokens or None, exact(budget.seconds), budget.turns or None)

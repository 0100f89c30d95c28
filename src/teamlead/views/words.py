"""What view rows say of money, time, holds and evidence, in words. Loads little: `status` needs it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from teamlead.core.amounts import show_cost, show_duration
from teamlead.views.moments import counted, from_iso, span, until

if TYPE_CHECKING:
    from teamlead.core.evidence.values import Verdict
    from teamlead.views.documents.sessions import (
        BudgetPart,
        DifficultyPart,
        HoldPart,
        PersonPart,
        SpentPart,
        StagePart,
        TrespassPart,
    )

MARKS = {"proven": "✓", "refused": "✗", "objected": "!", "flagged": "⚑", "unknown": "?"}
"""Of what was found about a piece of work."""

SHOWN_STAGES = 6
NEXT_STAGES = 3
"""How many stages one line has, and how many of them where there are more."""

TARGETS = {
    "user": "you",
    "planner": "the planner",
    "validator": "the validator",
    "advisor": "the advisor",
}
"""Whom a question is put to."""


def told_person(person: "PersonPart | None") -> str:
    """In parentheses; empty where nobody is known."""
    return (
        f" ({person['user']}, pid {person['pid']}, {person['terminal'] or 'no terminal'})" if person else ""
    )


def headline(text: str) -> str:
    """The first line of what may go on for pages, as outputs of checks do.

    A last sentence of it that only leads to the next line is left out with that.
    """
    first, _, rest = text.strip().partition("\n")
    if not rest:
        return first
    said, stop, _ = first.rpartition(". ") if first.endswith(":") else (first, "", "")
    return f"{said}{stop.strip()} …" if said else f"{first.rstrip(':')} …"


def further(found: str, details: Sequence[str]) -> list[str]:
    """The details that what was found does not begin with already."""
    return [detail for detail in details if not found.startswith(detail)]


def told_difficulty(reported: "DifficultyPart") -> str:
    """Of which kind it is and what the agent wants, as far as it said so."""
    kind = reported["category"] or "no category"
    if kind == "impossible":
        kind = "cannot be done honestly as it is asked"
    return ", ".join(filter(None, (kind, reported["requested_action"])))


def told_stage(stage: "StagePart") -> str:
    left = f", {stage['tasks_unsettled']} of {stage['tasks_total']} left" if stage["tasks_unsettled"] else ""
    return f"{stage['name']} ({stage['state']}{left})"


def told_stages(stages: "Sequence[StagePart]") -> str:
    """One by one, if they are few. Of many those that come next; the open one is the first of them."""
    if len(stages) <= SHOWN_STAGES:
        return " → ".join(map(told_stage, stages))
    left = [stage for stage in stages if stage["state"] != "closed"]
    told = [f"{len(stages) - len(left)} of {len(stages)} closed", *map(told_stage, left[:NEXT_STAGES])]
    if len(left) > NEXT_STAGES:
        told.append(f"and {len(left) - NEXT_STAGES} more")
    return " → ".join(told)


def told_spent(spent: "SpentPart") -> str:
    """Empty if nothing was told and nothing counted."""
    tokens = [number for number in (spent["input_tokens"], spent["output_tokens"]) if number is not None]
    parts = (
        [told_cost(spent["cost_usd"], spent["unpriced"])] if tokens or spent["cost_usd"] is not None else []
    )
    if tokens:
        parts.append(f"{told_tokens(sum(tokens))} tokens")
    if spent["turns"]:
        parts.append(counted(spent["turns"], "turn"))
    return ", ".join(parts)


def told_evidence(verdicts: "Mapping[Verdict, int]") -> str:
    """How much speaks for a piece of work, and how much against it. What nobody can tell is neither."""
    told = (f"{MARKS[name]}{count}" for name, count in verdicts.items() if count and name != "unknown")
    return " ".join(told)


def told_budget(budget: "BudgetPart") -> str:
    limit, spent = budget["limit"], budget["spent"]
    parts = []
    if limit["cost_usd"] is not None:
        cost = told_cost(spent["cost_usd"], budget["unpriced"])
        parts.append(f"{cost} of {show_cost(limit['cost_usd'])}")
    if limit["tokens"] is not None:
        parts.append(f"{told_tokens(spent['tokens'])} of {told_tokens(limit['tokens'])} tokens")
    if limit["seconds"] is not None:
        parts.append(f"{span(spent['seconds'])} of {show_duration(limit['seconds'])}")
    if limit["turns"] is not None:
        parts.append(f"{spent['turns']} of {counted(limit['turns'], 'turn')}")
    return ", ".join(parts)


def told_scope(scope: str) -> str:
    """Of a purse, for people: "the session", "the role reviewer", "task-1"."""
    kind, _, name = scope.partition(":")
    return {"role": f"the role {name}", "task": name}.get(kind, "the session")


def told_cost(usd: float | None, unpriced: int) -> str:
    if usd is None or (unpriced and not usd):
        return "cost unknown"
    return f"cost at least {show_cost(usd)}" if unpriced else f"cost {show_cost(usd)}"


def told_suspects(trespass: "TrespassPart") -> str:
    """Whose doing it is, as far as that is known."""
    names = ", ".join(trespass["suspects"])
    return f" (at work: {names})" if names else ""


def told_conflict(task: str, other: str, paths: Sequence[str]) -> str:
    """What two attempts at work came to, as it is foreseen; the other is empty for what was merged."""
    who = f"{task} and {other}" if other else f"{task} and what was merged since it began"
    return f"{who} change the same parts of {', '.join(paths)}" if paths else f"{who} merge again"


def told_tokens(tokens: int) -> str:
    for letter, factor in (("M", 1_000_000), ("k", 1_000)):
        if tokens >= factor:
            return f"{tokens / factor:.1f}".removesuffix(".0") + letter
    return str(tokens)


def told_holds(holds: "Iterable[HoldPart]", now: float) -> list[str]:
    """One line for each that lasts."""
    lines = []
    for hold in holds:
        if hold["until"] is None:
            lines.append(f"{hold['agent']} until you answer: {hold['reason']}")
        elif (moment := from_iso(hold["until"])) > now:
            lines.append(f"{hold['agent']} {until(moment, now)}: {hold['reason']}")
    return lines

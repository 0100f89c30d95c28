"""The options of every command that starts agents: who works, with what, for how much."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import click

from teamlead.cli.options import agent_option, model_option
from teamlead.core.budget_text import BadAmount, parse_budget
from teamlead.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    agent_option(),
    model_option,
    click.option("--effort", metavar="EFFORT", help="How hard it thinks: low, medium, high, xhigh or max."),
    click.option(
        "--argument",
        "arguments",
        multiple=True,
        metavar="TEXT",
        help="One more argument for the agent's program. Repeatable.",
    ),
    click.option(
        "--role",
        "roles",
        multiple=True,
        metavar="NAME=AGENT",
        help="Another agent for one role; also NAME.model=MODEL and NAME.effort=EFFORT. Repeatable.",
    ),
    click.option(
        "--budget",
        "budgets",
        multiple=True,
        metavar="AMOUNT",
        help='What the session may spend: "5 usd", "200k tokens", 2h, "30 turns". Repeatable.',
    ),
    click.option(
        "--autonomy",
        type=int,
        metavar="LEVEL",
        help="1 or 2. With 2, the lead also acts on what agents report while they work.",
    ),
)


def staffing_options(command: Command) -> Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def staffing_settings(
    *,
    agent: str | None,
    model: str | None,
    effort: str | None,
    arguments: Sequence[str],
    roles: Sequence[str],
    budgets: Sequence[str],
    autonomy: int | None,
) -> dict[str, object]:
    """The options as settings."""
    return {
        "agent": agent,
        "model": model,
        "effort": effort,
        "arguments": list(arguments) or None,
        "autonomy": autonomy,
        **_budget(budgets),
        **dict(map(_role, roles)),
    }


def unmatched_roles(written: Sequence[str], there: Iterable[str]) -> Iterator[str]:
    """A word for each role that was named on the command line and that no task has: perhaps misspelt."""
    known = set(there)
    for name in dict.fromkeys(_role(each)[0].split(".")[1] for each in written):
        if name not in known:
            yield f"--role {name}: no task of the plan has this role (there are: {', '.join(sorted(known))})."


def _role(written: str) -> tuple[str, str]:
    place, found, value = written.partition("=")
    name, _, key = place.partition(".")
    if not name or not found or key not in {"", "agent", "model", "effort"}:
        raise UsageError(
            f"--role {written!r} cannot be read",
            remedy="write NAME=AGENT, NAME.model=MODEL or NAME.effort=EFFORT",
        )
    return f"roles.{name}.{key or 'agent'}", value


def _budget(written: Sequence[str]) -> dict[str, object]:
    if not written:
        return {}
    try:
        budget = parse_budget(", ".join(written))
    except BadAmount as problem:
        raise UsageError(f"--budget: {problem}") from None
    return {
        "budget_usd": budget.cost_usd,
        "budget_tokens": budget.tokens,
        "budget_time": budget.seconds,
        "budget_turns": budget.turns,
    }

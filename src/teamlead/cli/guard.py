"""`teamlead guard`: hold a model that leads to its rules."""

import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import click

from teamlead.cli.decision import Decision
from teamlead.cli.guard_asking import edit, project, read, verify
from teamlead.cli.options import json_option, log_option
from teamlead.cli.output import echo_json, examples, table
from teamlead.core.policy.exemptions import EXEMPTIONS
from teamlead.core.rules import RULES
from teamlead.errors import UsageError
from teamlead.guard import installing
from teamlead.guard.delegation import RESPONSIBILITIES
from teamlead.guard.hook import main
from teamlead.guard.log import entries, log_file
from teamlead.views.documents.setup import (
    ExemptionPart,
    GuardEntryPart,
    GuardLogDocument,
    RulePart,
    RulesDocument,
)
from teamlead.views.moments import from_iso, iso


@click.group(
    no_args_is_help=True,
    epilog=examples(
        "teamlead guard install --project",
        'teamlead guard read src/cache.py --purpose "What is CACHE_TTL set to?"',
        "git diff docs/spec.md | teamlead guard edit docs/spec.md",
        "teamlead guard log",
    ),
)
def guard() -> None:
    """Keep a model that leads to its rules: it delegates, and does little itself.

    In your own Claude Code, hooks enforce the rules (`install`). Any other model asks first, with `read` and
    `edit`.
    """


for asked in (read, edit, verify):
    guard.add_command(asked)


@guard.command(epilog=examples("teamlead guard rules", "teamlead guard rules --json"))
@json_option
def rules(*, as_json: bool) -> None:
    """List every rule for leads, agents and their reports, and what a lead may do itself.

    L1 is enforced by code and cannot be overridden, L2 needs a recorded reason, L3 is advice.
    """
    if as_json:
        echo_json(_rules_document())
        return
    click.echo(
        table([["rule", "level", "holds", "text"], *([r.id, r.level, r.holds, r.told] for r in RULES)])
    )
    click.echo("\nA lead itself may do only this, and every use is logged:")
    for name, row in EXEMPTIONS.items():
        click.echo(f"  {name}: {'; '.join(row.conditions.values())}")


@guard.command("log", epilog=examples("teamlead guard log", "teamlead guard log --json"))
@log_option
@json_option
def show_log(log: Path | None, *, as_json: bool) -> None:
    """Show what leads did themselves, and what was refused to them."""
    found = [_entry(entry) for entry in entries(log or log_file())]
    if as_json:
        echo_json(GuardLogDocument(entries=found))
        return
    rows = [
        [
            entry["at"] or "",
            "allowed" if entry["allowed"] else "refused",
            entry["action"],
            ", ".join(entry["subjects"]),
            entry["reason"],
        ]
        for entry in found
    ]
    click.echo(table(rows) if rows else "Nothing is logged yet.")


def _rules_document() -> RulesDocument:
    return RulesDocument(
        rules=[
            RulePart(
                id=rule.id,
                level=rule.level,
                holds=rule.holds,
                text=rule.text,
                enforced_by=rule.enforced_by,
                tested_by=rule.tested_by,
                open_because=rule.open_because,
            )
            for rule in RULES
        ],
        exemptions={
            name: ExemptionPart(
                conditions=row.conditions, cost=row.cost, alternative=row.alternative, why=row.why
            )
            for name, row in EXEMPTIONS.items()
        },
        responsibilities=RESPONSIBILITIES,
    )


def _entry(logged: Mapping[str, object]) -> GuardEntryPart:
    """The log is a file that anybody can write: what is not there is empty."""

    def text(key: str) -> str:
        return str(logged.get(key) or "")

    subjects = logged.get("what")
    return GuardEntryPart(
        at=_moment(text("at")),
        action=text("action"),
        subjects=list(map(str, subjects)) if isinstance(subjects, list) else [],
        allowed=bool(logged.get("allowed")),
        reason=text("reason"),
        role=text("role"),
        rule=text("rule"),
        exemption=text("exemption"),
        session=text("session"),
        folder=text("folder"),
        purpose=text("purpose"),
        context=text("context"),
        because=text("because"),
    )


def _moment(text: str) -> str | None:
    with suppress(ValueError):
        return iso(from_iso(text))
    return None


@guard.command()
def hook() -> None:
    """Answer an event that Claude Code gives as JSON on stdin; Claude Code starts this.

    `teamlead guard install` puts it into Claude Code's settings. To turn it off for a Claude Code that does
    not lead, set TEAMLEAD_GUARD=off in its environment.
    """
    raise click.exceptions.Exit(main())


@guard.command(
    cls=Decision,
    epilog=examples(
        "teamlead guard install --project",
        "teamlead guard install --user --print",
        "teamlead guard install --project --remove",
    ),
)
@click.option("--project", "whose", flag_value="project", help="Put them into the settings of this project.")
@click.option(
    "--user", "whose", flag_value="user", help="Put them into your own settings, for all of your projects."
)
@click.option("--print", "only_print", is_flag=True, help="Print what would be added, and change nothing.")
@click.option("--remove", is_flag=True, help="Take the hooks out again.")
def install(whose: str | None, *, only_print: bool, remove: bool) -> None:
    """Put the guard's hooks into Claude Code's settings.

    Hooks of others stay as they are.
    """
    if only_print:
        click.echo(json.dumps(installing.snippet(), indent=2))
        return
    if whose is None:
        raise UsageError(
            "it is not said whose settings", remedy="say --project, or --user for all of your projects"
        )
    path = installing.settings_file(project() if whose == "project" else None)
    before = installing.load(path)
    after = installing.without_guard(before) if remove else installing.with_guard(before)
    if after == before:
        click.echo(f"{path}: nothing to change")
        return
    installing.store(path, after)
    click.echo(f"{path}: the guard's hooks are {'removed' if remove else 'in place'}")
    if not remove and not shutil.which("teamlead"):
        click.echo("teamlead is not on PATH: until it is, Claude Code can use no tool here", err=True)

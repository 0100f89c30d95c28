"""`teamlead guard`: hold a model that leads to its rules."""

from pathlib import Path

import click

from teamlead.cli.decision import Decision
from teamlead.cli.guarding import allow_edit, answer, install_hooks, judge_change, judge_files, verified
from teamlead.cli.output import echo_json, examples, safe, table
from teamlead.core.exemptions import EXEMPTIONS
from teamlead.core.rules import RULES
from teamlead.errors import Refused, UsageError
from teamlead.guard.delegation import RESPONSIBILITIES
from teamlead.guard.hook import main
from teamlead.guard.log import entries, log_file


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
    """Hold a model that leads to its rules: it delegates, and does little itself.

    In your own Claude Code the hooks do it (`install`). Any other model asks with `read` and `edit` first.
    """


@guard.command(epilog=examples("teamlead guard rules", "teamlead guard rules --json"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def rules(*, as_json: bool) -> None:
    """List every rule for leads, agents and their reports, and what a lead may do itself.

    L1 is enforced by code and cannot be overridden, L2 needs a recorded reason, L3 is advice.
    """
    if as_json:
        echo_json(
            {
                "rules": [rule._asdict() for rule in RULES],
                "exemptions": {name: row._asdict() for name, row in EXEMPTIONS.items()},
                "responsibilities": RESPONSIBILITIES,
            }
        )
        return
    click.echo(
        table([["rule", "level", "holds", "text"], *([r.id, r.level, r.holds, r.text] for r in RULES)])
    )
    click.echo("\nA lead itself may do only this, and every use is logged:")
    for name, row in EXEMPTIONS.items():
        click.echo(f"  {name}: {'; '.join(row.conditions.values())}")


@guard.command(
    epilog=examples(
        'teamlead guard read src/cache.py --purpose "What is CACHE_TTL set to?"',
        'teamlead guard read a.py b.py --purpose "the explorer failed twice" --context fallback',
    )
)
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--purpose", required=True, help="What it is to be read for: one value or section.")
@click.option(
    "--context",
    type=click.Choice(["reference", "fallback", "metadata", "presentation"]),
    default="reference",
    show_default=True,
    help="A quick reference; after an agent failed twice; the lead's own files; to show to the user.",
)
@click.option("--log", type=click.Path(path_type=Path), help="Log into this file instead.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def read(files: tuple[str, ...], purpose: str, context: str, log: Path | None, *, as_json: bool) -> None:
    """May a lead read FILES itself? Every question is logged.

    Exit codes: 0 allowed, 4 no such file, 5 refused: delegate it to the agent that is named.
    """
    answer(
        "read", files, judge_files(files, purpose, context), log, as_json, purpose=purpose, context=context
    )


@guard.command(
    epilog=examples(
        'teamlead guard edit docs/spec.md --before "-   one" --after "- one"',
        "teamlead guard edit docs/spec.md --because user-asked-for-speed < typo.patch",
    )
)
@click.argument("file", type=click.Path())
@click.option("--before", help="The text to be replaced; it must occur once.")
@click.option("--after", help="What replaces it.")
@click.option(
    "--because",
    type=click.Choice(["user-asked-for-speed", "agent-failed"]),
    help="Why an agent does not do it. Not needed where only the form changes.",
)
@click.option("--log", type=click.Path(path_type=Path), help="Log into this file instead.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def edit(
    file: str, before: str | None, after: str | None, because: str | None, log: Path | None, *, as_json: bool
) -> None:
    """May a lead make this change of FILE itself? The change is a pair of texts, or a patch on stdin.

    Only a TRIVIAL edit of a document is allowed: at most two lines, the same meaning, nothing to decide. The
    file is not changed; once you have changed it, `teamlead guard verify` looks whether it was only that.

    Exit codes: 0 allowed, 2 it does not fit the file, 4 no such file, 5 refused: delegate it.
    """
    if (before is None) != (after is None):
        raise UsageError("--before and --after belong together", remedy="or give a patch on stdin")
    change = judge_change(file, before, after, because)
    answer("edit", [file], change.verdict, log, as_json, **({"because": because} if because else {}))
    allow_edit(change)


@guard.command(epilog=examples("teamlead guard verify", "teamlead guard verify docs/spec.md"))
@click.argument("files", nargs=-1, type=click.Path())
@click.option("--log", type=click.Path(path_type=Path), help="Log into this file instead.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def verify(files: tuple[str, ...], log: Path | None, *, as_json: bool) -> None:
    """Have a lead's own edits touched only the lines that were allowed? Without FILES: all that are open.

    Exit codes: 0 they have, 5 more was changed, or FILE was changed and nobody had allowed it.
    """
    found = verified(files, log)
    if as_json:
        echo_json({"edits": [row._asdict() for row in found]})
    for row in found if not as_json else ():
        click.echo(f"{safe(row.file)}: {row.found}")
        if row.revert:
            click.echo(f"  to take it back: {safe(row.revert)}")
    if any(not row.ok for row in found):
        raise Refused(
            "more was changed than a lead may change itself", remedy="take it back, and delegate it"
        )


@guard.command("log", epilog=examples("teamlead guard log", "teamlead guard log --json"))
@click.option("--log", "file", type=click.Path(path_type=Path), help="Read this file instead.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def show_log(file: Path | None, *, as_json: bool) -> None:
    """Show what leads did themselves, and what they were kept from."""
    found = entries(file or log_file())
    if as_json:
        echo_json({"log": found})
        return
    rows = [
        [
            str(entry.get("at", "")),
            "allowed" if entry.get("allowed") else "refused",
            str(entry.get("action", "")),
            ", ".join(map(str, entry.get("what", []))),
            str(entry.get("reason", "")),
        ]
        for entry in found
    ]
    click.echo(table(rows) if rows else "Nothing is logged yet.")


@guard.command()
def hook() -> None:
    """Answer Claude Code, which starts it; the event comes on stdin as JSON.

    `teamlead guard install` puts it into Claude Code's settings. TEAMLEAD_GUARD=off in the environment of a
    Claude Code that does not lead turns it off.
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
@click.option("--project", "whose", flag_value="project", help="Into the settings of this project.")
@click.option("--user", "whose", flag_value="user", help="Into your own: for all of your projects.")
@click.option("--print", "only_print", is_flag=True, help="Print what would be added, and change nothing.")
@click.option("--remove", is_flag=True, help="Take the hooks out again.")
def install(whose: str | None, *, only_print: bool, remove: bool) -> None:
    """Put the guard's hooks into Claude Code's settings. Hooks of others stay as they are."""
    install_hooks(whose, only_print=only_print, remove=remove)

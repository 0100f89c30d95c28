"""`teamlead clean`: frees space, and says what it keeps and why."""

import re
import sys
from pathlib import Path
from typing import NamedTuple

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, yes_option
from teamlead.cli.output import echo_json, examples, safe, size_of, table
from teamlead.errors import TeamleadError, UsageError
from teamlead.sessions import cleaning
from teamlead.sessions.cleaning import Item, Wishes
from teamlead.sessions.finding import find_session
from teamlead.system.repository import Repository, claim, discover
from teamlead.views.documents.work import CleanDocument, CleanedPart

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
DAY = 24 * 3600


def _size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d+)\s*([kmg]?)b?", value.strip().lower())
    if not found:
        raise click.BadParameter(f"{value!r} is no size such as 500kB, 20MB or 1GB", ctx, param)
    return int(found[1]) * UNITS[found[2]]


@click.command(
    cls=Decision,
    epilog=examples(
        "teamlead clean                            # working copies of sessions that are over",
        "teamlead clean --dry-run --json",
        "teamlead clean --older-than 30 --keep 5   # and old sessions",
        "teamlead clean --larger-than 100MB --transcripts",
    ),
)
@click.argument("sessions", nargs=-1, metavar="[SESSION]...")
@click.option(
    "--older-than",
    type=click.FloatRange(0),
    metavar="DAYS",
    help="Also remove sessions without an event for DAYS.",
)
@click.option(
    "--larger-than",
    callback=_size,
    metavar="SIZE",
    help="Also remove sessions that take more than SIZE on disk.",
)
@click.option(
    "--keep", type=click.IntRange(0), metavar="N", help="Also remove sessions, except the latest N."
)
@click.option(
    "--transcripts", is_flag=True, help="Of those sessions, remove only what agents and checks printed."
)
@click.option(
    "--drop", multiple=True, metavar="COPY", help="Remove this working copy although its work cannot be kept."
)
@click.option("--dry-run", is_flag=True, help="Only show what would go.")
@yes_option
@json_option
@click.pass_context
def clean(
    ctx: click.Context,
    sessions: tuple[str, ...],
    *,
    older_than: float | None,
    larger_than: int | None,
    keep: int | None,
    drop: tuple[str, ...],
    transcripts: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Free disk space: remove the working copies of sessions that are over; with conditions, sessions too.

    Work that no branch holds is kept first (see `teamlead salvage`).

    A session stays if somebody leads it, if it is not over, or if you have not decided about changes in your
    repository (see `teamlead mend`). If you name a session that nobody leads, its working copies go all the
    same.

    Kept work and your own branches always stay. So do a session's branches that hold what no other branch
    holds.
    """
    if transcripts and older_than is None and larger_than is None and keep is None:
        raise UsageError(
            "--transcripts does not say of which sessions", remedy="add --older-than, --larger-than or --keep"
        )
    repository = claim(discover(Path.cwd()))
    wishes = cleaning.Wishes(
        named=frozenset(find_session(repository, name).id for name in sessions),
        older_than=None if older_than is None else older_than * DAY,
        larger_than=larger_than,
        keep=keep,
        transcripts_only=transcripts,
        drop=frozenset(str(Path(path).absolute()) for path in drop),
    )
    items = cleaning.survey(repository, wishes)
    going = [item for item in items if not item.stays]
    if not as_json:
        _show(items)
    if going and not (dry_run or yes or _agreed(as_json=as_json)):
        ctx.exit(1)
    done = [] if dry_run else [_clear(repository, item, wishes) for item in going]
    if as_json:
        echo_json(_document(items, done, dry_run=dry_run))
    elif not dry_run:
        _tell(done)
    if any(each.problem for each in done):
        ctx.exit(1)


def _agreed(*, as_json: bool) -> bool:
    if as_json or not sys.stdin.isatty():
        raise UsageError(
            "there is no terminal to ask at", remedy="--yes cleans without asking, --dry-run only looks"
        )
    return click.confirm("Remove what goes?")


class Cleared(NamedTuple):
    item: Item
    kept: str = ""
    """Where what only it held was kept."""
    problem: str = ""
    """Why it had to stay."""


def _clear(repository: Repository, item: Item, wishes: Wishes) -> Cleared:
    from teamlead.wiring.leadership import SessionLeadership  # noqa: PLC0415 - a leader is slow to import: not for --help

    try:
        return Cleared(item, kept=cleaning.clear(repository, item, wishes, SessionLeadership))
    except (TeamleadError, OSError) as error:
        return Cleared(item, problem=str(error))


def _show(items: list[Item]) -> None:
    if not items:
        click.echo("There is nothing to clean.")
    for title, chosen in (
        ("Goes", [i for i in items if not i.stays]),
        ("Stays", [i for i in items if i.stays]),
    ):
        if chosen:
            total = size_of(sum(item.size for item in chosen))
            click.echo(f"{title} ({total}):")
            click.echo(
                table([(f"  {i.kind}", i.session, str(i.path), size_of(i.size), i.stays) for i in chosen])
            )


def _tell(done: list[Cleared]) -> None:
    for item, kept, problem in done:
        if kept:
            click.echo(f"kept what {item.path.name} held: {kept}")
        if problem:
            click.echo(f"{item.path} stays: {safe(problem)}")
            if item.kind == "copy":
                click.echo(f"  to give up what it holds: teamlead clean {item.session} --drop {item.path}")
    freed = sum(each.item.size for each in done if not each.problem)
    if done:
        click.echo(f"freed {size_of(freed)}")


def _document(items: list[Item], done: list[Cleared], *, dry_run: bool) -> CleanDocument:
    outcomes = {each.item: each for each in done}
    return CleanDocument(dry_run=dry_run, items=[_view(outcomes.get(item, Cleared(item))) for item in items])


def _view(cleared: Cleared) -> CleanedPart:
    item, reason = cleared.item, cleared.item.stays or cleared.problem
    return CleanedPart(
        kind=item.kind,
        session=item.session,
        path=str(item.path),
        bytes=item.size,
        goes=not reason,
        kept=cleared.kept,
        reason=reason,
    )

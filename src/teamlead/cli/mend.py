"""`teamlead mend`: what was changed in the user's repository while agents worked, and what becomes of it."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, session_argument
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import look, put
from teamlead.core.facts import Mend
from teamlead.errors import NEEDS_PERSON, NotFound, TeamleadError, UsageError
from teamlead.sessions.desk import Desk
from teamlead.sessions.finding import find_session
from teamlead.system.repository import Repository, claim, discover, discover_by_hand
from teamlead.views.documents.work import MendDocument, MendedHow, RepositoryChangePart

if TYPE_CHECKING:
    from teamlead.workspaces.noted_changes import Change
    from teamlead.workspaces.repository_mending import Mender

    Choice = tuple[Change, MendedHow]

ALL = "all"
SHOWN_LINES = 20


class Outcome(NamedTuple):
    """What became of a change that a person has decided about."""

    item: str
    done: MendedHow | None
    kept: str = ""
    """Where what it was changed to is kept."""
    problem: str = ""


@click.command(
    cls=Decision,
    epilog=examples(
        "teamlead mend                               # shows both sides, and asks about each",
        "teamlead mend k3f9 --put-back hooks/pre-push",
        "teamlead mend --put-back all                # everything that is open",
        "teamlead mend --accept config:core.pager    # it was you",
        "teamlead mend --json",
    ),
)
@session_argument
@click.option(
    "--put-back", multiple=True, metavar="ITEM", help="Put ITEM back as it was. What it is now is kept."
)
@click.option(
    "--accept", multiple=True, metavar="ITEM", help="Leave ITEM as it is: you changed it, or you want it."
)
@json_option
@click.pass_context
def mend(
    ctx: click.Context,
    session: str | None,
    put_back: tuple[str, ...],
    accept: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Put right what was changed in your repository while agents worked.

    Compares branches, tags, the stash, settings, hooks and other files that steer git with how they were when
    the session started. A change is open if it is probably not yours: every screen shows it, and nothing is
    approved until you put it back or accept it. Changes that look like your own work are listed too, but
    block nothing; you can put them back in the same way.

    ITEM is a name from the list; `all` means everything that is open.

    Exit codes: 0 nothing is open, 1 an ITEM could not be settled, 3 something is open.
    """
    from teamlead.workspaces.repository_mending import mender_for  # noqa: PLC0415 - a leader is slow to import: not for --help

    desk = _desk(session)
    mender = mender_for(desk.repository, desk.folder)
    changes = mender.changes()
    chosen = _chosen(changes, put_back, accept)
    if not as_json and not chosen:
        _show(mender, changes)
    if not chosen and not as_json and sys.stdin.isatty():
        chosen = _ask(changes)
    outcomes = carry_out(desk, mender, chosen)
    left = [change for change in mender.changes() if change.level == "open"]
    if as_json:
        echo_json(_document(desk, mender, changes, outcomes))
    else:
        _tell(outcomes, left)
    if any(outcome.problem for outcome in outcomes):
        ctx.exit(1)
    if left:
        ctx.exit(NEEDS_PERSON)


def settle(desk: Desk, *, ask: bool) -> None:
    """Before an approval: what is open is asked about, and what was put right by hand is noticed."""
    from teamlead.workspaces.repository_mending import mender_for  # noqa: PLC0415 - as above

    mender = mender_for(desk.repository, desk.folder)
    changes = [change for change in mender.changes() if change.level == "open"]
    chosen = []
    if changes and ask:
        _show(mender, changes)
        chosen = _ask(changes)
    _tell(carry_out(desk, mender, chosen), [])


def carry_out(desk: Desk, mender: "Mender", chosen: "Sequence[Choice]") -> list[Outcome]:
    """One by one, and each as far as it goes; then the session is told."""
    outcomes = [_carried_out(mender, change, how) for change, how in chosen]
    _tell_session(desk, mender, {each.item: each.done for each in outcomes})
    return outcomes


def _carried_out(mender: "Mender", change: "Change", how: MendedHow) -> Outcome:
    try:
        if how == "put back":
            return Outcome(change.name, how, kept=mender.put_back(change))
        mender.accept(change)
    except TeamleadError as error:
        return Outcome(change.name, None, problem=str(error))
    return Outcome(change.name, how)


def _tell_session(desk: Desk, mender: "Mender", done: Mapping[str, MendedHow | None]) -> None:
    known = [each["item"] for each in look(desk.folder)["trespasses"]]
    still = {change.name for change in mender.changes() if change.level == "open"}
    settled: Mend = Mend(
        tuple(item for item in known if done.get(item) == "put back"),
        tuple(item for item in known if done.get(item) == "accepted"),
        tuple(item for item in known if item not in still and not done.get(item)),
    )
    if settled != Mend():
        put(desk, settled)


def _desk(session: str | None) -> Desk:
    """Also where the repository's configuration is such that git does not work: that may be what to mend."""
    repository = _repository()
    return Desk(claim(repository), find_session(repository, session), None)


def _repository() -> Repository:
    try:
        return discover(Path.cwd())
    except UsageError:
        found = discover_by_hand(Path.cwd())
        if found is None:
            raise
        return found


def _chosen(changes: "list[Change]", put_back: tuple[str, ...], accept: tuple[str, ...]) -> "list[Choice]":
    by_name = {change.name: change for change in changes}
    chosen: dict[str, MendedHow] = {}
    named: dict[MendedHow, tuple[str, ...]] = {"put back": put_back, "accepted": accept}
    for how, names in named.items():
        for name in names:
            every = [change.name for change in changes if change.level == "open"]
            for item in every if name == ALL else [name]:
                if item not in by_name:
                    raise NotFound(f"{item!r} is not changed", remedy="see the list: teamlead mend")
                if chosen.setdefault(item, how) != how:
                    raise UsageError(f"{item!r} cannot be put back and accepted at once", remedy="choose one")
    # In the order in which they can be put back.
    return [(change, chosen[change.name]) for change in changes if change.name in chosen]


def _ask(changes: "list[Change]") -> "list[Choice]":
    answers: dict[str, MendedHow | None] = {"p": "put back", "a": "accepted", "l": None}
    chosen = []
    for change in changes:
        if change.level == "open":
            answer = click.prompt(
                f"{safe(change.name)}: [p]ut it back, [a]ccept it as yours, or decide [l]ater",
                type=click.Choice(list(answers)),
                default="l",
            )
            if how := answers[answer]:
                chosen.append((change, how))
    return chosen


def _show(mender: "Mender", changes: "list[Change]") -> None:
    titles = {
        "open": "Probably not changed by you; nothing is approved until it is put back or accepted:",
        "noticed": "Probably changed by you; this blocks nothing:",
    }
    for level, title in titles.items():
        found = [change for change in changes if change.level == level]
        if found:
            click.echo(title)
        for change in found:
            _show_one(mender, change)
    if not changes:
        click.echo("Nothing is open: apart from your own work, your repository is as it was.")


def _show_one(mender: "Mender", change: "Change") -> None:
    at_work = f" (at work: {', '.join(change.suspects)})" if change.suspects else ""
    click.echo(f"\n  {safe(change.name)}: {safe(change.told + at_work)}")
    sides = mender.sides(change)
    for word, lines in (("was", sides.before), ("is", sides.after)):
        for number, line in enumerate(lines[:SHOWN_LINES] or ["nothing"]):
            click.echo(f"    {word if number == 0 else '':4}{safe(line)}")
        if len(lines) > SHOWN_LINES:
            click.echo(f"        … and {len(lines) - SHOWN_LINES} more lines")


def _tell(outcomes: Sequence[Outcome], left: "Sequence[Change]") -> None:
    for outcome in outcomes:
        item = safe(outcome.item)
        if outcome.done is None:
            click.echo(f"{item} stays open: {safe(outcome.problem)}", err=True)
        else:
            told = "put back" if outcome.done == "put back" else "yours from now on"
            kept = f"; what it was changed to: {safe(outcome.kept)}" if outcome.kept else ""
            click.echo(f"{item}: {told}{kept}")
    if left and outcomes:
        click.echo(f"still open: {safe(', '.join(change.name for change in left))}")


def _document(
    desk: Desk, mender: "Mender", changes: "list[Change]", outcomes: Sequence[Outcome]
) -> MendDocument:
    done = {outcome.item: outcome for outcome in outcomes}
    after = {change.name for change in mender.changes()}
    return MendDocument(
        session=desk.folder.id,
        changes=[
            _view(mender, change, done.get(change.name), differs=change.name in after) for change in changes
        ],
    )


def _view(
    mender: "Mender", change: "Change", outcome: Outcome | None, *, differs: bool
) -> RepositoryChangePart:
    sides = mender.sides(change) if differs else None
    return RepositoryChangePart(
        item=change.name,
        level=change.level,
        what=change.told,
        suspects=change.suspects,
        before=sides.before if sides else (),
        after=sides.after if sides else (),
        differs=differs,
        done=outcome.done if outcome else None,
        kept=outcome.kept if outcome else "",
        problem=outcome.problem if outcome else "",
    )

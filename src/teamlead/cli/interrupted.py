"""Sessions that would go on by themselves, had their leader not ended."""

import time
from typing import NamedTuple

import click

from teamlead.cli.output import safe
from teamlead.cli.session import look
from teamlead.errors import TeamleadError
from teamlead.journal.lease import holder
from teamlead.sessions.desk import Desk
from teamlead.sessions.finding import all_sessions
from teamlead.system.repository import Repository
from teamlead.views.leadership import why_interrupted

SHOWN = 5


class Interrupted(NamedTuple):
    session: str
    title: str
    why: str


def offer_to_resume(repository: Repository, *, ask: bool) -> str:
    """Tells of interrupted sessions, and ends what their leaders left running.

    The id of the one to resume, if there is somebody to ask and they would rather do that.
    """
    found = _interrupted(repository)
    for each in found[:SHOWN]:
        click.echo(
            f"Interrupted: {each.session} ({safe(each.title)}): {safe(each.why)}."
            f" Go on with: teamlead resume {each.session}",
            err=True,
        )
    if len(found) > SHOWN:
        click.echo(f"… and {len(found) - SHOWN} more: teamlead list", err=True)
    return _choice(found[0].session) if found and ask else ""


def _choice(latest: str) -> str:
    question = f"[r]esume {latest}, [s]tart the new one, [q]uit"
    choices = click.Choice(["r", "s", "q"])
    answer = click.prompt(question, type=choices, default="s", show_choices=False, err=True)
    if answer == "q":
        raise click.Abort
    return latest if answer == "r" else ""


def _interrupted(repository: Repository) -> list[Interrupted]:
    from teamlead.sessions.abandoned_runs import end_abandoned_runs  # noqa: PLC0415 - seldom needed
    from teamlead.wiring.leadership import SessionLeadership  # noqa: PLC0415 - as above

    found = []
    for folder in all_sessions(repository):
        if folder.plans:
            continue
        try:
            view = look(folder)
            why = why_interrupted(view, led=holder(folder.path) is not None, now=time.time())
            if why:
                end_abandoned_runs(SessionLeadership(Desk(repository, folder, None)), folder)
                found.append(Interrupted(view["id"], view["title"], why))
        except TeamleadError:
            # One that cannot be read is `list`'s to tell, and in nobody's way here.
            continue
    return found

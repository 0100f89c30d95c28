import json
import time
from typing import Any

import click

from teamlead.cli.decision import Decision
from teamlead.cli.mend import settle_at_terminal
from teamlead.cli.output import examples, safe
from teamlead.cli.session import desk_for, look, put, session_argument, viewing
from teamlead.core.facts import Approve
from teamlead.errors import Failed, Refused
from teamlead.system.sessions import SessionFolder

POLL = 0.02
PATIENCE = 300.0


@click.command(cls=Decision, epilog=examples("teamlead approve", "teamlead approve k3f9 --squash"))
@session_argument
@click.option("--squash", is_flag=True, help="One commit for the whole session.")
@click.option("--sign", is_flag=True, help="Sign the commit that brings the work in, with your own key.")
def approve(session: str | None, *, squash: bool, sign: bool) -> None:
    """Bring a session's work onto your branch.

    Your branch is fast-forwarded, or merged if it has moved meanwhile. It moves only if nothing is lost. The
    command that undoes it is printed.
    """
    desk = desk_for(session)
    if look(desk.folder).get("trespasses"):
        settle_at_terminal(desk)
    put(desk, Approve(squash=squash, sign=sign))
    view = _outcome(desk.folder)
    if view.get("trespasses"):
        raise Refused(view["approval_refused"], remedy=f"look and decide: teamlead mend {desk.folder.id}")
    if view["approval_refused"]:
        raise Failed(view["approval_refused"])
    done = view["approved"]
    click.echo(f"{done['branch']} is now {done['commit'][:10]}")
    if done["undo"]:
        click.echo(f"undo: {safe(done['undo'])}")
    flagged = _flagged(desk.folder)
    if flagged:
        click.echo(f"worth a look: {', '.join(flagged)} (teamlead report {desk.folder.id})")


def _flagged(folder: SessionFolder) -> list[str]:
    """Tasks that were accepted although somebody should look at something."""
    with viewing(folder) as reader:
        tasks = [json.loads(row.body) for row in reader.tasks(states=("DONE",))]
    return [task["id"] for task in tasks if task.get("evidence", {}).get("flags")]


def _outcome(folder: SessionFolder) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        view = look(folder)
        if view["approved"] or view["approval_refused"]:
            return view
        time.sleep(POLL)
    raise Failed("the leader did not carry the approval out in time", remedy="see `teamlead status`")

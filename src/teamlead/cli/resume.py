import time
from pathlib import Path

import click

from teamlead.cli.decision import Decision
from teamlead.cli.escalations import for_user
from teamlead.cli.exit_codes import NEEDS_PERSON
from teamlead.cli.leading import lead_here, lead_in_background, tell_session
from teamlead.cli.output import examples, safe
from teamlead.cli.session import desk_for, json_option, look, session_argument
from teamlead.core.transitions import FINAL_PHASES
from teamlead.errors import Refused
from teamlead.sessions.desk import Desk
from teamlead.settings.loading import load
from teamlead.views.documents.sessions import SessionRow
from teamlead.views.words import told_holds


@click.command(cls=Decision, epilog=examples("teamlead resume", "teamlead resume k3f9 --detach"))
@session_argument
@click.option("--wait", is_flag=True, help="Stay and wait when a person is needed.")
@click.option("--detach", is_flag=True, help="Run in the background, also after the terminal is closed.")
@json_option
@click.pass_context
def resume(ctx: click.Context, session: str | None, *, wait: bool, detach: bool, as_json: bool) -> None:
    """Go on with a session that was stopped or interrupted.

    Finished tasks are not repeated. An agent that was at work when the leader died starts again, in the
    working copy that holds its work.
    """
    desk = desk_for(session)
    view = look(desk.folder)
    if view["phase"] in FINAL_PHASES:
        _end_what_is_left(desk, view)
        return
    asked = for_user(view)
    if asked:
        ids = ", ".join(question["id"] for question in asked)
        click.echo(f"open: {ids}; what does not wait for an answer goes on", err=True)
    for line in told_holds(view["holds"], time.time()):
        click.echo(f"on hold: {safe(line)}", err=True)
    desk = _with_settings(desk, view["agent"])
    if detach:
        lead_in_background(desk)
        tell_session(desk.folder.id, as_json=as_json)
        return
    code = lead_here(desk, wait=wait, as_json=as_json)
    if code == NEEDS_PERSON:
        click.echo("Nothing can move without you.", err=True)
    ctx.exit(code)


def _with_settings(desk: Desk, agent: str) -> Desk:
    """The agent a session was started with stays; another one that the repository names needs no consent.

    A script inside the repository may have changed since: for it, the configuration is asked.
    """
    root = desk.repository.root
    settings = load(root, {})
    if agent and agent != settings.agent and not Path(agent.partition(":")[2]).is_relative_to(root):
        settings = load(root, {"agent": agent})
    return desk._replace(settings=settings)


def _end_what_is_left(desk: Desk, view: SessionRow) -> None:
    """Agents to stop, copies to remove: whoever ended the session may not have come that far."""
    from teamlead.wiring.leadership import apply_waiting  # noqa: PLC0415 - a leader is slow to import: not for --help

    ended = f"session {desk.folder.id} has ended ({view['phase']}: {safe(view['phase_reason'])})"
    if not view["under_way"]:
        raise Refused(ended, remedy="start a new one")
    apply_waiting(desk)
    click.echo(f"{ended}; what was left to do is done")

"""`teamlead resume`: go on with a session; and what `start` offers before it opens another one."""

import time
from pathlib import Path
from typing import NamedTuple

import click

from teamlead.cli.decision import Decision
from teamlead.cli.escalations import for_user
from teamlead.cli.leading import lead_here, lead_in_background, tell_session
from teamlead.cli.options import detach_option, json_option, session_argument, wait_option
from teamlead.cli.output import examples, safe
from teamlead.cli.session import desk_for, look
from teamlead.core import phases
from teamlead.core.transitions import FINAL_PHASES
from teamlead.errors import NEEDS_PERSON, Refused, TeamleadError
from teamlead.sessions.desk import Desk
from teamlead.sessions.finding import all_sessions
from teamlead.sessions.leader import leader_of
from teamlead.sessions.replay import read_state
from teamlead.settings.loading import load
from teamlead.system.repository import Repository
from teamlead.system.sessions import SessionFolder
from teamlead.views.documents.sessions import SessionRow
from teamlead.views.leadership import why_interrupted
from teamlead.views.words import told_holds

SHOWN = 5


@click.command(cls=Decision, epilog=examples("teamlead resume", "teamlead resume k3f9 --detach"))
@session_argument
@wait_option
@detach_option
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
        _end_what_is_left(desk, view, as_json=as_json)
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


def _end_what_is_left(desk: Desk, view: SessionRow, *, as_json: bool) -> None:
    """Agents to stop, copies to remove, a plan to write: whoever ended it may not have come that far."""
    from teamlead.cli.planning import hand_over  # noqa: PLC0415 - a planner is slow to import: not for --help
    from teamlead.wiring.leadership import apply_waiting  # noqa: PLC0415 - a leader is slow to import: not for --help

    ended = f"session {desk.folder.id} has ended ({view['phase']}: {safe(view['phase_reason'])})"
    planned = desk.folder.plans and phases.done(view["phase"])
    unwritten = planned and read_state(desk.folder).plan_file is None
    if not view["under_way"] and not unwritten:
        raise Refused(ended, remedy=_instead(desk.folder, planned=planned))
    if view["under_way"]:
        apply_waiting(desk)
        click.echo(f"{ended}; what was left to do is done", err=as_json)
    if unwritten:
        hand_over(desk, as_json=as_json)


def _instead(folder: SessionFolder, *, planned: bool) -> str:
    name = folder.id
    if planned:
        see = f"see it with `teamlead plan show {name}`"
        return f"carry its plan out with `teamlead start --session {name}`, or {see}"
    return f'plan again: teamlead plan new --session {name} "TEXT"' if folder.plans else "start a new one"


class Interrupted(NamedTuple):
    """A session that would go on by itself, had its leader not ended."""

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
            why = why_interrupted(view, led=leader_of(folder) is not None, now=time.time())
            if why:
                end_abandoned_runs(SessionLeadership(Desk(repository, folder, None)), folder)
                found.append(Interrupted(view["id"], view["title"], why))
        except TeamleadError:
            # One that cannot be read is `list`'s to tell, and in nobody's way here.
            continue
    return found

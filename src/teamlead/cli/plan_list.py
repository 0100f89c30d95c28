"""`teamlead plan list`: the plannings of this repository."""

from pathlib import Path

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, table
from teamlead.cli.planning import planning_view, shown_path
from teamlead.errors import TeamleadError
from teamlead.sessions.finding import all_sessions
from teamlead.sessions.replay import read_state
from teamlead.system.repository import Repository, discover
from teamlead.system.sessions import SessionFolder
from teamlead.views.documents.plans import PlanningListDocument, PlanningPart
from teamlead.views.documents.sessions import UnreadablePart


@click.command("list", epilog=examples("teamlead plan list", "teamlead plan list --json"))
@json_option
def list_plannings(*, as_json: bool) -> None:
    """List the planner sessions of this repository, the latest first."""
    repository = discover(Path.cwd())
    found = [_look(repository, folder) for folder in all_sessions(repository) if folder.plans]
    if as_json:
        plannings = [each for each in found if "state" in each]
        unreadable = [each for each in found if "problem" in each]
        echo_json(PlanningListDocument(plannings=plannings, unreadable=unreadable))
    elif not found:
        click.echo('No planner session yet. Begin one: teamlead plan "what you want"')
    else:
        header = ("PLANNER SESSION", "STATE", "LEADER", "TASKS", "SCORE", "TITLE", "PLAN")
        click.echo(table([header, *map(_row, found)]))


def _look(repository: Repository, folder: SessionFolder) -> PlanningPart | UnreadablePart:
    """One that cannot be read is listed with the reason, and hides no other."""
    try:
        return planning_view(repository, read_state(folder))
    except TeamleadError as error:
        return UnreadablePart(id=folder.id, problem=str(error))


def _row(found: PlanningPart | UnreadablePart) -> tuple[str, ...]:
    if "problem" in found:
        return found["id"], "UNREADABLE", "", "", "", "", found["problem"]
    leader = "running" if found["led"] else "interrupted" if found["interrupted"] else "-"
    score = "-" if found["score"] is None else str(found["score"])
    path = f"{shown_path(found['file'])}{' (edited)' * found['edited']}" if found["file"] else "-"
    return found["id"], found["state"], leader, str(len(found["tasks"])), score, found["title"], path

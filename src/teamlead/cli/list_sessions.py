from pathlib import Path
from typing import TYPE_CHECKING

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, safe, table
from teamlead.cli.session import look_at
from teamlead.sessions.finding import all_sessions
from teamlead.system.repository import discover

if TYPE_CHECKING:
    from teamlead.views.documents.sessions import SessionListDocument, SessionPart, UnreadablePart


@click.command("list", epilog=examples("teamlead list", "teamlead list --json"))
@json_option
def list_sessions(*, as_json: bool) -> None:
    """List the sessions of this repository, the latest first."""
    found = [look_at(folder) for folder in all_sessions(discover(Path.cwd()))]
    sessions = [each for each in found if "led" in each]
    if as_json:
        unreadable = [each for each in found if "problem" in each]
        document: SessionListDocument = {"sessions": sessions, "unreadable": unreadable}
        echo_json(document)
    elif not found:
        click.echo("No session yet. Start one: teamlead start PLAN")
    else:
        header = ("SESSION", "STATE", "PHASE", "DONE", "LEADER", "TITLE")
        click.echo(table([header, *map(_row, found)]))
        for each in sessions:
            if each["interrupted"]:
                name, why = each["id"], safe(each["interrupted"])
                click.echo(f"{name} is interrupted: {why}; teamlead resume {name}")


def _row(found: "SessionPart | UnreadablePart") -> tuple[str, ...]:
    if "problem" in found:
        return found["id"], "UNREADABLE", "", "", "", found["problem"]
    done = f"{found['tasks_done']}/{found['tasks_total']}"
    leader = "running" if found["led"] else "interrupted" if found["interrupted"] else "-"
    return found["id"], found["state"], found["phase"], done, leader, found["title"]

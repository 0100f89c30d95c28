from pathlib import Path
from typing import Any

import click

from teamlead.cli.interrupted import why_interrupted
from teamlead.cli.output import echo_json, examples, safe, table
from teamlead.cli.session import json_option, viewing
from teamlead.errors import TeamleadError
from teamlead.journal.lease import holder
from teamlead.system.repository import discover
from teamlead.system.sessions import SessionFolder, all_sessions


@click.command("list", epilog=examples("teamlead list", "teamlead list --json"))
@json_option
def list_sessions(*, as_json: bool) -> None:
    """List the sessions of this repository, the latest first."""
    sessions = [_view(folder) for folder in all_sessions(discover(Path.cwd()))]
    if as_json:
        echo_json({"sessions": sessions})
    elif not sessions:
        click.echo("No session yet. Start one: teamlead start PLAN")
    else:
        header = ("SESSION", "STATE", "PHASE", "DONE", "LEADER", "TITLE")
        click.echo(table([header, *map(_row, sessions)]))
        for view in sessions:
            if view.get("interrupted"):
                name, why = view["id"], safe(view["interrupted"])
                click.echo(f"{name} is interrupted: {why}; teamlead resume {name}")


def _view(folder: SessionFolder) -> dict[str, Any]:
    """One that cannot be read is listed with the reason, and hides no other."""
    try:
        with viewing(folder) as reader:
            view = reader.session()
    except TeamleadError as error:
        return {"id": folder.id, "state": "UNREADABLE", "error": str(error)}
    view["tasks_done"] = view["task_counts"].get("DONE", 0)
    view["leader_alive"] = holder(folder.path) is not None
    view["interrupted"] = why_interrupted(view, led=view["leader_alive"])
    return view


def _row(view: dict[str, Any]) -> tuple[str, ...]:
    if "error" in view:
        return view["id"], view["state"], "", "", "", view["error"]
    done = f"{view['tasks_done']}/{view['tasks_total']}"
    leader = "running" if view["leader_alive"] else "interrupted" if view["interrupted"] else "-"
    return view["id"], view["state"], view["phase"], done, leader, view["title"]

"""`teamlead plan list`: the plannings of this repository."""

from pathlib import Path
from typing import Any

import click

from teamlead.cli.output import echo_json, examples, table
from teamlead.cli.planning import shown_path
from teamlead.errors import StorageFailed
from teamlead.journal.lease import holder
from teamlead.system.repository import discover
from teamlead.views.moments import iso
from teamlead.wiring.planner_plans import edited
from teamlead.wiring.planner_sessions import PlannerFolder, all_plannings


@click.command("list", epilog=examples("teamlead plan list", "teamlead plan list --json"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def list_plannings(*, as_json: bool) -> None:
    """List the planner sessions of this repository, the latest first."""
    found = [_view(folder) for folder in all_plannings(discover(Path.cwd()))]
    if as_json:
        echo_json({"planner_sessions": found})
    elif not found:
        click.echo('No planning yet. Begin one: teamlead plan "what you want"')
    else:
        click.echo(
            table([("PLANNER SESSION", "STATE", "TASKS", "SCORE", "TITLE", "PLAN"), *map(_row, found)])
        )


def _view(folder: PlannerFolder) -> dict[str, Any]:
    """One that cannot be read is listed with the reason, and hides no other."""
    try:
        session = folder.load()
    except StorageFailed as error:
        return {"id": folder.id, "status": "unreadable", "error": str(error)}
    alive = holder(folder.path) is not None
    return {
        "id": session.id,
        "status": "interrupted" if session.status == "planning" and not alive else session.status,
        "source_type": session.source_type,
        "title": session.title,
        "instruction": session.instruction,
        "agent": session.agent,
        "tasks": len(session.generated_tasks),
        "score": session.score,
        "questions": session.questions,
        "plan": session.markdown_path,
        "edited": edited(session),
        "sessions": session.child_session_ids,
        "created_at": iso(session.created_at),
        "updated_at": iso(session.updated_at),
    }


def _row(view: dict[str, Any]) -> tuple[str, ...]:
    if "error" in view:
        return view["id"], view["status"], "", "", "", view["error"]
    score = "-" if view["score"] is None else str(view["score"])
    path = f"{shown_path(view['plan'])}{' (edited)' if view['edited'] else ''}" if view["plan"] else "-"
    return view["id"], view["status"], str(view["tasks"]), score, view["title"], path

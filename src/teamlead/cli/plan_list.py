"""`teamlead plan list`: the plannings of this repository."""

from pathlib import Path
from typing import Any

import click

from teamlead.cli.output import echo_json, examples, table
from teamlead.cli.planning import questions_of, shown_path
from teamlead.core.advisers.drafts import planner_of
from teamlead.errors import TeamleadError
from teamlead.journal.lease import holder
from teamlead.sessions.finding import all_sessions
from teamlead.sessions.made_plans import children, edited, plain_plan, proposal_of, status_of
from teamlead.sessions.replay import read_state
from teamlead.system.repository import Repository, discover
from teamlead.system.sessions import SessionFolder
from teamlead.views.moments import iso


@click.command("list", epilog=examples("teamlead plan list", "teamlead plan list --json"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def list_plannings(*, as_json: bool) -> None:
    """List the planner sessions of this repository, the latest first."""
    repository = discover(Path.cwd())
    found = [_view(repository, folder) for folder in all_sessions(repository) if folder.plans]
    if as_json:
        echo_json({"planner_sessions": found})
    elif not found:
        click.echo('No planning yet. Begin one: teamlead plan "what you want"')
    else:
        click.echo(
            table([("PLANNER SESSION", "STATE", "TASKS", "SCORE", "TITLE", "PLAN"), *map(_row, found)])
        )


def _view(repository: Repository, folder: SessionFolder) -> dict[str, Any]:
    """One that cannot be read is listed with the reason, and hides no other."""
    try:
        state = read_state(folder)
    except TeamleadError as error:
        return {"id": folder.id, "status": "unreadable", "error": str(error)}
    alive = holder(folder.path) is not None
    status, made, plan = status_of(state), proposal_of(state), plain_plan(state)
    return {
        "id": folder.id,
        "status": "interrupted" if status == "planning" and not alive else status,
        "source_type": state.session.plan.source_type,
        "title": plan.title,
        "instruction": state.session.plan.instruction,
        "agent": planner_of(state),
        "tasks": len(plan.tasks),
        "score": made.score if made else None,
        "questions": questions_of(state),
        "plan": state.plan_file.path if state.plan_file else "",
        "edited": edited(state),
        "sessions": children(repository, folder.id),
        "created_at": iso(state.phases[0].entered_at),
        "updated_at": iso(state.updated_at),
    }


def _row(view: dict[str, Any]) -> tuple[str, ...]:
    if "error" in view:
        return view["id"], view["status"], "", "", "", view["error"]
    score = "-" if view["score"] is None else str(view["score"])
    path = f"{shown_path(view['plan'])}{' (edited)' if view['edited'] else ''}" if view["plan"] else "-"
    return view["id"], view["status"], str(view["tasks"]), score, view["title"], path

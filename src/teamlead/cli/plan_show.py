"""`teamlead plan show`: the plan that a planning came to, at any later time."""

from pathlib import Path

import click

from teamlead.cli.options import json_option, session_argument
from teamlead.cli.output import echo_json, examples, tell
from teamlead.cli.planning import file_of, planning_view
from teamlead.errors import NotFound
from teamlead.sessions.finding import find_planning
from teamlead.sessions.made_plans import edited, lacking, markdown_of, proposal_of, status_of, ways_on
from teamlead.sessions.replay import read_state
from teamlead.system.repository import discover
from teamlead.system.text import printable
from teamlead.views.documents.plans import PlanningDocument


@click.command(epilog=examples("teamlead plan show", "teamlead plan show k3f9 > plan.md"))
@session_argument
@json_option
def show(session: str | None, *, as_json: bool) -> None:
    """Show the plan that a planner session came to.

    Prints it as Markdown, as the planner left it; one that you have not accepted yet, too. SESSION is an id
    or a part of one; without it, the latest planner session of this repository.

    Exit codes: 0 there is a plan, 4 there is none.
    """
    repository = discover(Path.cwd())
    state = read_state(find_planning(repository, session))
    if proposal_of(state) is None:
        raise NotFound(lacking(state), remedy=ways_on(state))
    if as_json:
        echo_json(PlanningDocument(planning=planning_view(repository, state)))
        return
    click.echo(printable(markdown_of(state)), nl=False)
    if edited(state):
        tell(f"{file_of(state)} was edited since. This is the plan as the planner left it.")
    if status_of(state) == "ready":
        tell(f"Carry it out: teamlead start --session {state.session.id}")
    else:
        tell(f"It was not accepted yet. Take it: teamlead resolve {state.session.id} --resolution accept")

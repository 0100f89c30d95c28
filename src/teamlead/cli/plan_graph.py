"""`teamlead plan graph`: what depends on what, who helps, and what it may cost."""

from pathlib import Path
from typing import Literal

import click

from teamlead.cli.options import json_option, team_option
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.plan_file import refuse_planning
from teamlead.cli.team_show import team_named
from teamlead.cli.team_source import usable_preset
from teamlead.cli.teams_found import found_teams, here
from teamlead.core.model import Plan
from teamlead.errors import UsageError
from teamlead.plans.drawing import draw, mermaid
from teamlead.plans.load import require
from teamlead.plans.preview import preview, told_outlook
from teamlead.plans.waves import stages, waves
from teamlead.sessions.estimates import foresee
from teamlead.system.text import printable
from teamlead.teams.tasks import formed
from teamlead.views.documents.plans import PlanGraphDocument, PlannedStagePart, PreviewPart
from teamlead.views.plans import planned_task_view, preview_view


@click.command(
    epilog=examples(
        "teamlead plan graph plan.md",
        "teamlead plan graph plan.md --format mermaid > plan.mmd",
        "teamlead plan graph --team bugfix",
    )
)
@click.argument("file", type=click.Path(), required=False)
@team_option()
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "mermaid"]),
    default="text",
    show_default=True,
    help="Draw for the terminal, or for Mermaid.",
)
@json_option
def graph(file: str | None, team: str | None, form: Literal["text", "mermaid"], *, as_json: bool) -> None:
    """Draw what depends on what in the plan FILE, or in the work of a team.

    Tasks of one wave can run in parallel. The second line shows the chain of tasks that takes longest. Below
    the graph you see how many agents help, which tasks may conflict, and what the plan may cost.
    """
    found = _plan(file, team)
    if as_json:
        echo_json(_document(file or "", found))
    elif form == "mermaid":
        click.echo(printable(mermaid(found)))
    else:
        click.echo(printable(draw(found)) + "\n")
        for line in told_outlook(preview(found), None, foresee(Path.cwd(), found)):
            click.echo(safe(line))


def _plan(file: str | None, team: str | None) -> Plan:
    if (file is None) == (team is None):
        raise UsageError("name a plan or a team", remedy="teamlead plan graph plan.md")
    if team is not None:
        repository = here()
        loaded = usable_preset(team_named(found_teams(repository), team), repository)
        return formed(loaded.preset, f"team {team}").plan
    assert file is not None
    refuse_planning(file)
    return require(file).plan


def _document(file: str, found: Plan) -> PlanGraphDocument:
    layered = waves(found)
    return PlanGraphDocument(
        file=file,
        title=found.title,
        tasks=tuple(map(planned_task_view, found.tasks)),
        stages=[
            PlannedStagePart(name=name, tasks=[task.id for task in tasks])
            for name, tasks in stages(found).items()
        ],
        waves=[[task.id for task in wave] for wave in layered.waves],
        longest_chain=[task.id for task in layered.chain],
        longest_chain_hours=layered.hours,
        preview=outlook(found),
    )


def outlook(plan: Plan) -> PreviewPart:
    """How many agents help, what overlaps, and what it may cost."""
    return preview_view(preview(plan), foresee(Path.cwd(), plan))

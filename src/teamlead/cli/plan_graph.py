"""`teamlead plan graph`: what depends on what, who helps, and what it may cost."""

from pathlib import Path
from typing import Literal

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.plan_file import refuse_planning
from teamlead.core.model import Plan
from teamlead.plans.drawing import draw, mermaid
from teamlead.plans.load import require
from teamlead.plans.preview import preview, told_outlook
from teamlead.plans.waves import stages, waves
from teamlead.sessions.estimates import foresee
from teamlead.system.text import printable
from teamlead.views.documents.plans import PlanGraphDocument, PlannedStagePart, PreviewPart
from teamlead.views.plans import planned_task_view, preview_view


@click.command(
    epilog=examples("teamlead plan graph plan.md", "teamlead plan graph plan.md --format mermaid > plan.mmd")
)
@click.argument("file", type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "mermaid"]),
    default="text",
    show_default=True,
    help="Draw for the terminal, or for Mermaid.",
)
@json_option
def graph(file: str, form: Literal["text", "mermaid"], *, as_json: bool) -> None:
    """Draw what depends on what in the plan FILE.

    Tasks of one wave can run in parallel. The second line shows the chain of tasks that takes longest. Below
    the graph you see how many agents help, which tasks may conflict, and what the plan may cost.
    """
    refuse_planning(file)
    found = require(file).plan
    if as_json:
        echo_json(_document(file, found))
    elif form == "mermaid":
        click.echo(printable(mermaid(found)))
    else:
        click.echo(printable(draw(found)) + "\n")
        for line in told_outlook(preview(found), None, foresee(Path.cwd(), found)):
            click.echo(safe(line))


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

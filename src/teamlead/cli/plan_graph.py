"""`teamlead plan graph`: what depends on what, who helps, and what it may cost."""

from typing import Literal

import click

from teamlead.cli.output import echo_json, examples
from teamlead.cli.plan_outlook import outlook, show_outlook
from teamlead.core.model import Plan
from teamlead.plans.drawing import draw, mermaid
from teamlead.plans.load import require
from teamlead.plans.waves import waves
from teamlead.system.text import printable


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
@click.option("--json", "as_json", is_flag=True, help="Nodes, edges and layers as one JSON object.")
def graph(file: str, form: Literal["text", "mermaid"], *, as_json: bool) -> None:
    """Draw what depends on what in the plan FILE.

    Tasks of one wave can run in parallel. The second line shows the chain of tasks that takes longest. Below
    the graph you see how many agents help, which tasks may conflict, and what the plan may cost.
    """
    found = require(file).plan
    if as_json:
        _print_json(file, found)
    elif form == "mermaid":
        click.echo(printable(mermaid(found)))
    else:
        click.echo(printable(draw(found)) + "\n")
        show_outlook(found)


def _print_json(file: str, found: Plan) -> None:
    layered = waves(found)
    echo_json(
        {
            "file": file,
            "title": found.title,
            "nodes": [{"id": t.id, "title": t.title, "type": t.type, "hours": t.hours} for t in found.tasks],
            "edges": [{"from": name, "to": task.id} for task in found.tasks for name in task.depends_on],
            "layers": [[task.id for task in wave] for wave in layered.waves],
            "longest_chain": [task.id for task in layered.chain],
            "longest_chain_hours": layered.hours,
            "preview": outlook(found),
        }
    )

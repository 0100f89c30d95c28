"""What `plan graph` and `plan check` say besides the graph: who helps, what overlaps, what it costs."""

from pathlib import Path
from typing import Any

import click

from teamlead.cli.output import safe
from teamlead.core.model import Plan
from teamlead.plans.preview import preview, preview_document
from teamlead.plans.preview_text import told_outlook
from teamlead.sessions.estimates import foresee


def show_outlook(plan: Plan) -> None:
    for line in told_outlook(preview(plan), None, foresee(Path.cwd(), plan)):
        click.echo(safe(line))


def outlook(plan: Plan) -> dict[str, Any]:
    return preview_document(preview(plan), foresee(Path.cwd(), plan))

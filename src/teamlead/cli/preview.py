"""What `plan graph` and `plan check` say besides the graph: who helps, what overlaps, what it costs."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from teamlead.cli.output import safe

if TYPE_CHECKING:
    from teamlead.core.model import Plan


def show_outlook(plan: "Plan") -> None:
    from teamlead.plans.preview import preview  # noqa: PLC0415 - `--help` must not load it
    from teamlead.plans.preview_text import told_outlook  # noqa: PLC0415 - as above
    from teamlead.wiring.estimates import foresee  # noqa: PLC0415 - as above

    for line in told_outlook(preview(plan), None, foresee(Path.cwd(), plan)):
        click.echo(safe(line))


def outlook(plan: "Plan") -> dict[str, Any]:
    from teamlead.plans.preview import preview, preview_document  # noqa: PLC0415 - `--help` must not load it
    from teamlead.wiring.estimates import foresee  # noqa: PLC0415 - as above

    return preview_document(preview(plan), foresee(Path.cwd(), plan))

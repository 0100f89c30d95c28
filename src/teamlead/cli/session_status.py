import click

from teamlead.cli.options import json_option, session_argument
from teamlead.cli.output import examples
from teamlead.cli.status import status


@click.command("status", epilog=examples("teamlead session status"))
@session_argument
@json_option
@click.pass_context
def session_status(ctx: click.Context, session: str | None, *, as_json: bool) -> None:  # noqa: ARG001 - it prints nothing else
    """Print a session as JSON, as `teamlead status --json` does."""
    ctx.invoke(status, session=session, everything=True, as_json=True)

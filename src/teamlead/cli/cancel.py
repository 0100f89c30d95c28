import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, reason_option, session_argument
from teamlead.cli.output import echo_json, examples
from teamlead.cli.session import desk_for, put, steered
from teamlead.core.facts import Cancel


@click.command(cls=Decision, epilog=examples('teamlead cancel --reason "wrong plan"'))
@session_argument
@reason_option
@json_option
def cancel(session: str | None, reason: str, *, as_json: bool) -> None:
    """End a session. Its branches stay, and so does work that is not on a branch yet."""
    desk = desk_for(session)
    put(desk, Cancel(reason))
    told = f"session {desk.folder.id} is cancelled"
    if as_json:
        echo_json(steered(desk, told))
    else:
        click.echo(told)

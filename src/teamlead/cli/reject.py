import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, reason_option, session_argument
from teamlead.cli.output import echo_json, examples
from teamlead.cli.session import desk_for, put, steered
from teamlead.core.facts import Reject


@click.command(cls=Decision, epilog=examples('teamlead reject --reason "the API is not what we want"'))
@session_argument
@reason_option
@click.option(
    "--rollback", is_flag=True, help="Its branches go, too; `teamlead salvage` still finds what they held."
)
@json_option
def reject(session: str | None, reason: str, *, rollback: bool, as_json: bool) -> None:
    """Turn a session's work down. Your branch stays as it is; the work stays on its own branches."""
    desk = desk_for(session, plannings=False)
    put(desk, Reject(reason, rollback=rollback))
    name = desk.folder.id
    told = f"session {name} is rejected; its branches are kept below teamlead/{name}/"
    if rollback:
        told = f"session {name} is rejected; its branches go, and `teamlead salvage list` has what they held"
    if as_json:
        echo_json(steered(desk, told))
    else:
        click.echo(told)

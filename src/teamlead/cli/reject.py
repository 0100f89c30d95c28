import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import reason_option, session_argument
from teamlead.cli.output import examples
from teamlead.cli.session import desk_for, put
from teamlead.core.facts import Reject


@click.command(cls=Decision, epilog=examples('teamlead reject --reason "the API is not what we want"'))
@session_argument
@reason_option
def reject(session: str | None, reason: str) -> None:
    """Turn a session's work down. Your branch stays as it is; the work stays on its own branches."""
    desk = desk_for(session, plannings=False)
    put(desk, Reject(reason))
    click.echo(
        f"session {desk.folder.id} is rejected; its branches are kept below teamlead/{desk.folder.id}/"
    )

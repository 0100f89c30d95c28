import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import reason_option, session_argument
from teamlead.cli.output import examples
from teamlead.cli.session import desk_for, put
from teamlead.core.facts import Cancel


@click.command(cls=Decision, epilog=examples('teamlead cancel --reason "wrong plan"'))
@session_argument
@reason_option
def cancel(session: str | None, reason: str) -> None:
    """End a session. Its branches stay, and so does work that is not on a branch yet."""
    desk = desk_for(session)
    put(desk, Cancel(reason))
    click.echo(f"session {desk.folder.id} is cancelled")

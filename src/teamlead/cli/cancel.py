from typing import TYPE_CHECKING

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, reason_option, session_argument
from teamlead.cli.output import echo_json, examples
from teamlead.cli.session import desk_for, look, put, steered
from teamlead.core import phases
from teamlead.core.facts import Cancel
from teamlead.core.work.acceptance import listed

if TYPE_CHECKING:
    from teamlead.views.documents.sessions import SessionRow


@click.command(
    cls=Decision,
    epilog=examples(
        'teamlead cancel --reason "wrong plan"',
        "teamlead cancel --now          # agents at work are ended, and not asked",
    ),
)
@session_argument
@reason_option
@click.option("--now", is_flag=True, help="End agents at work at once; also where they were asked to leave.")
@json_option
def cancel(session: str | None, reason: str, *, now: bool, as_json: bool) -> None:
    """End a session. Its branches stay, and so does work that is not on a branch yet.

    Agents at work are asked to leave, and have a minute (the setting `leaving`) to agree or to end their
    turn. Who is silent is asked once more, and then ended. What is being merged is let through.
    """
    desk = desk_for(session)
    put(desk, Cancel(reason, at_once=now))
    told = _told(look(desk.folder))
    if as_json:
        echo_json(steered(desk, told))
    else:
        click.echo(told)


def _told(row: "SessionRow") -> str:
    name = row["id"]
    if not phases.cancelled(row["phase"]):
        return f"session {name} was {row['phase']} already, and what runs of it is ended"
    members = row["leaving"]["members"] if row["leaving"] else ()
    asked = [each["member"] for each in members if each["requests"] and each["how"] is None]
    if not asked:
        return f"session {name} is cancelled"
    return (
        f"session {name} is cancelled, and {listed(asked)} asked to leave; "
        f"teamlead cancel {name} --now ends what is at work at once"
    )

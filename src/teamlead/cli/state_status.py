import click

from teamlead.cli.options import json_option, session_argument
from teamlead.cli.output import echo_json, examples
from teamlead.cli.session import find
from teamlead.sessions.replay import read_state
from teamlead.views.phases import state_document


@click.command("status", epilog=examples("teamlead state status", "teamlead state status bugfix"))
@session_argument
@json_option
def state_status(session: str | None, *, as_json: bool) -> None:  # noqa: ARG001 - it prints nothing else
    """Print the phase of a session as JSON.

    It has where the session has been, which phases may follow, and what these miss.

    SESSION is an id or a part of one; without it, the latest session of this repository.
    """
    _, folder = find(session)
    echo_json(state_document(read_state(folder)))

import click

from teamlead.cli.options import json_option, session_argument
from teamlead.cli.output import echo_json, examples
from teamlead.cli.session import find
from teamlead.cli.shown_work import note_shown
from teamlead.sessions.replay import read_state
from teamlead.system.text import printable
from teamlead.views.report import report_document
from teamlead.views.report_text import report_markdown


@click.command(epilog=examples("teamlead report", "teamlead report k3f9 --json"))
@session_argument
@json_option
def report(session: str | None, *, as_json: bool) -> None:
    """Sum up a session: what was asked, done, verified and how, not verified, failed, spent."""
    _, folder = find(session, plannings=False)
    state = read_state(folder)
    document = report_document(state)
    if as_json:
        echo_json(document)
    else:
        click.echo(printable(report_markdown(document)), nl=False)
        note_shown(folder, state.phase, state.integration_tip)

import click

from teamlead.cli.output import ascii_json, examples
from teamlead.cli.session import find, json_option, session_argument


@click.command(epilog=examples("teamlead report", "teamlead report k3f9 --json"))
@session_argument
@json_option
def report(session: str | None, *, as_json: bool) -> None:
    """Sum up a session: what was asked, done, verified and how, not verified, failed, spent."""
    import msgspec  # noqa: PLC0415 - `--help` must not load it

    from teamlead.system.text import printable  # noqa: PLC0415 - as above
    from teamlead.views.report import report_document  # noqa: PLC0415 - as above
    from teamlead.views.report_text import report_markdown  # noqa: PLC0415 - as above
    from teamlead.wiring.reading import read_state  # noqa: PLC0415 - as above

    _, folder = find(session)
    document = report_document(read_state(folder))
    if as_json:
        click.echo(ascii_json(msgspec.json.format(msgspec.json.encode(document))))
    else:
        click.echo(printable(report_markdown(document)), nl=False)

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, session_option
from teamlead.cli.output import examples
from teamlead.cli.session import desk_for, put, steered, tell_steered
from teamlead.core.facts import ReviseWork


@click.command(
    cls=Decision,
    epilog=examples(
        'teamlead revise "keep the old name as an alias"',
        'teamlead revise "the cause is another one" --from ANALYZING',
    ),
)
@click.argument("text")
@click.option(
    "--from", "stage", metavar="STAGE", help="Where to begin again (default: where what is merged was made)."
)
@session_option
@json_option
def revise(text: str, *, stage: str | None, session: str | None, as_json: bool) -> None:
    """Have finished work done differently: say in TEXT what is to be different.

    The stage, and all that was built on it, runs again, and is shown to you again. What came before it stays.
    Three times; a fourth one ends the session as FAILED.
    """
    desk = desk_for(session, plannings=False)
    put(desk, ReviseWork(text, stage or ""))
    name = desk.folder.id
    tell_steered(desk, steered(desk, f"session {name} is to be revised"), as_json=as_json)

"""`teamlead session`: a session without its leader."""

import click

from teamlead.cli.lazy import Entry, LazyGroup
from teamlead.cli.output import examples

COMMANDS: dict[str, Entry] = {
    "init": Entry("Commands", "session_init:init", "Open a session of a team that nobody leads yet."),
    "status": Entry("Commands", "session_status:session_status", "Print what `status --json` prints."),
}


@click.group(
    "session",
    cls=LazyGroup,
    table=COMMANDS,
    no_args_is_help=True,
    epilog=examples(
        """teamlead session init --team bugfix --task "the cart shows an error" --members '[]'""",
        "teamlead session status",
        "teamlead resume    # leads it",
    ),
)
def session_group() -> None:
    """Open a session before anybody leads it, or look at one: for scripts, and for other tools that lead.

    `teamlead start --team` does the same, and leads.
    """

"""`teamlead state`: the phase of a session."""

import click

from teamlead.cli.lazy import Entry, LazyGroup
from teamlead.cli.output import examples

COMMANDS: dict[str, Entry] = {
    "status": Entry("Commands", "state_status:state_status", "Print the phase, and which may follow."),
    "transition": Entry(
        "Commands", "state_transition:transition", "Move a session into another phase, if it may."
    ),
    "check-lock": Entry(
        "Commands", "state_check_lock:check_lock", "Say which sessions have not ended; locks nothing."
    ),
}


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    no_args_is_help=True,
    epilog=examples(
        "teamlead state status",
        'teamlead state transition ANALYZING "the team is complete"',
        "teamlead state check-lock",
    ),
)
def state() -> None:
    """Look at the phase of a session, or move it into another one.

    The lead does so by itself, by the same table and with the same guard.
    """

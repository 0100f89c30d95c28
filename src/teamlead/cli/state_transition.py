from typing import get_args

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, session_option
from teamlead.cli.output import echo_json, examples, safe
from teamlead.cli.session import desk_for, look, put, steered, tell_next
from teamlead.core.facts import MovePhase
from teamlead.core.transitions import Phase
from teamlead.errors import UsageError
from teamlead.teams.cards import nearest
from teamlead.views.documents.phases import MovedDocument


@click.command(
    cls=Decision,
    epilog=examples(
        'teamlead state transition ANALYZING "the team is complete"',
        'teamlead state transition EXECUTING "the review found too much"',
        'teamlead state transition REVISION "keep the old name as an alias"',
    ),
)
@click.argument("phase", metavar="STATE")
@click.argument("reason")
@session_option
@json_option
def transition(phase: str, reason: str, *, session: str | None, as_json: bool) -> None:
    """Move a session into the phase STATE, for a REASON that its journal keeps.

    What the table of phases does not allow, or what is missing something, is refused, and nothing changes.
    The lead enters the phases of the stages by itself as soon as nothing is missing.

    Exit codes: 0 done, 2 no such state or no reason, 5 not allowed, or something is missing.
    """
    after = _phase(phase)
    if not reason.strip():
        raise UsageError("the reason is empty", remedy=f'teamlead state transition {after} "why"')
    desk = desk_for(session, plannings=False)
    put(desk, MovePhase(after, reason))
    now = look(desk.folder)["phase"]
    told = f"session {desk.folder.id} was moved to {after}" + (f", and is {now}" if now != after else "")
    if as_json:
        echo_json(MovedDocument(**steered(desk, told), phase=now))
        return
    click.echo(safe(told))
    tell_next(desk.folder)


def _phase(word: str) -> Phase:
    known: dict[str, Phase] = {phase: phase for phase in get_args(Phase)}
    written = word.strip().upper()
    if written not in known:
        near = nearest(written, known)
        hint = f"did you mean {near}?" if near else f"one of: {', '.join(known)}"
        raise UsageError(f"there is no state {word!r}", remedy=hint)
    return known[written]

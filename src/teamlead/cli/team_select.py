"""`teamlead team select`: which team fits a task. Reads heads only, so that it answers at once."""

from collections.abc import Mapping, Sequence

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, safe, table, tell
from teamlead.cli.teams_found import found_teams, here, tell_unusable
from teamlead.errors import NEEDS_PERSON, UsageError
from teamlead.system.text import printable
from teamlead.teams.library import Library
from teamlead.teams.selection import Keywords, Scored, best, scores


@click.command(
    epilog=examples(
        'teamlead team select "the login page shows an error"',
        'teamlead team select "로그인 버그가 생겼다" --json',
        'teamlead team select "write a poem" > .teamlead/teams/proposed.md',
    )
)
@click.argument("task")
@json_option
@click.pass_context
def select(ctx: click.Context, task: str, *, as_json: bool) -> None:
    """Say which team fits TASK: the one of whose keywords most are in it.

    All scores are shown; of several with the same, the first in the list is taken. Where no keyword is met, a
    team of the roles there are is proposed, as a preset on stdout. Nothing is started.

    Exit codes: 0 a team fits, 2 the task is empty, 3 none fits and one is proposed.
    """
    if not task.strip():
        raise UsageError("the task is empty", remedy='say what is to be done: teamlead team select "..."')
    teams = found_teams(here())
    usable = [Keywords(each.name, each.head.keywords) for each in teams.found if each.usable]
    scored = scores(task, usable)
    chosen = best(scored)
    proposal = "" if chosen else _proposed(task)
    if as_json:
        echo_json(_document(task, teams, scored, chosen, proposal))
    else:
        rows = table([("TEAM", "SCORE", "KEYWORDS MET"), *map(_row, scored)])
        click.echo(rows, err=chosen is None)
        tell_unusable(teams)
        if chosen:
            click.echo(f"{safe(chosen.team)} fits: {safe(', '.join(chosen.met))}")
        else:
            click.echo(printable(proposal), nl=False)
            tell("No keyword of any team is in the task. This team is proposed; nothing was started.")
    if chosen is None:
        ctx.exit(NEEDS_PERSON)


def _row(scored: Scored) -> tuple[str, ...]:
    return scored.team, str(scored.score), ", ".join(scored.met)


def _proposed(task: str) -> str:
    from teamlead.teams.proposal import propose  # noqa: PLC0415 - slow to import, and seldom needed

    return propose(task)


def _document(
    task: str, teams: Library, scored: Sequence[Scored], chosen: Scored | None, proposal: str
) -> Mapping[str, object]:
    from teamlead.views.documents.teams import TeamScorePart, TeamSelectDocument  # noqa: PLC0415 - as above
    from teamlead.views.teams import unusable_views  # noqa: PLC0415 - as above

    return TeamSelectDocument(
        task=task,
        chosen=chosen.team if chosen else "",
        scores=[TeamScorePart(name=each.team, score=each.score, keywords=each.met) for each in scored],
        proposal=proposal,
        problems=unusable_views(teams),
    )

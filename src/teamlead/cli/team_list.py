"""`teamlead team list`: the teams there are here."""

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, table
from teamlead.cli.teams_found import found_teams, here, tell_unusable
from teamlead.teams.library import Found
from teamlead.views.documents.teams import TeamListDocument
from teamlead.views.teams import team_view, unusable_views


@click.command("list", epilog=examples("teamlead team list", "teamlead team list --json"))
@json_option
def list_teams(*, as_json: bool) -> None:
    """List the teams, and where each comes from.

    Of several that fit a task equally well, the first is taken.
    """
    teams = found_teams(here())
    if as_json:
        echo_json(TeamListDocument(teams=list(map(team_view, teams.found)), problems=unusable_views(teams)))
        return
    click.echo(table([("TEAM", "FROM", "WHAT IT DOES"), *map(_row, teams.found)]))
    tell_unusable(teams)


def _row(found: Found) -> tuple[str, ...]:
    replaced = f" (in place of: {', '.join(found.hides)})" if found.hides else ""
    what = found.head.description if found.usable else "cannot be used"
    return found.name, f"{found.shown}{replaced}", what

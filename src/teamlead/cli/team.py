"""`teamlead team`: the teams there are, and which one fits a task."""

import click

from teamlead.cli.lazy import Entry, LazyGroup
from teamlead.cli.output import examples

COMMANDS: dict[str, Entry] = {
    "list": Entry("Commands", "team_list:list_teams", "List the teams, and where each comes from."),
    "show": Entry("Commands", "team_show:show", "Print the preset of a team."),
    "check": Entry("Commands", "team_check:check", "List every problem of presets, each with its line."),
    "select": Entry("Commands", "team_select:select", "Say which team fits a task."),
}


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    no_args_is_help=True,
    epilog=examples(
        "teamlead team list",
        'teamlead team select "the login page shows an error"',
        "teamlead team show bugfix > .teamlead/teams/bugfix.md",
        "teamlead team check",
    ),
)
def team() -> None:
    """Look at teams: who works on a task, in which stages.

    A team is described by a preset, a Markdown file. Some are built in. A file in .teamlead/teams/ adds one
    in this repository, or replaces the one of the same name; so does a file in ~/.config/teamlead/teams/ in
    all of your repositories.
    """

"""`teamlead team check`: every problem of presets, with its line."""

from collections.abc import Iterator
from pathlib import Path

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, paint, safe
from teamlead.cli.team_show import team_named
from teamlead.cli.teams_found import found_teams, here
from teamlead.errors import PlanError, UsageError
from teamlead.markup.problems import Problem
from teamlead.system.repository import Repository
from teamlead.system.text import printable
from teamlead.teams.library import Found
from teamlead.teams.load import load_file, load_found
from teamlead.views.documents.teams import TeamCheckDocument
from teamlead.views.moments import counted
from teamlead.views.teams import problem_views


@click.command(
    epilog=examples(
        "teamlead team check",
        "teamlead team check bugfix",
        "teamlead team check my-team.md",
        "teamlead team check --json",
    )
)
@click.argument("team", required=False, metavar="[NAME|FILE]")
@json_option
@click.pass_context
def check(ctx: click.Context, team: str | None, *, as_json: bool) -> None:
    """List every problem of a preset, or of all, each with its line and a remedy.

    Without a name, of all that are here.

    What has a suffix or a slash, or exists, is a file.

    Exit codes: 0 no errors (there may be warnings), 2 errors, 4 no such team or file.
    """
    looked_at = list(_looked_at(team))
    every = [problem for _, problems in looked_at for problem in problems]
    errors = sum(problem.severity == "error" for problem in every)
    if as_json:
        views = [view for file, problems in looked_at for view in problem_views(file, problems)]
        echo_json(TeamCheckDocument(ok=not errors, files=[file for file, _ in looked_at], problems=views))
    else:
        for file, problems in looked_at:
            for problem in problems:
                click.echo(_shown(problem, file))
        counts = (counted(errors, "error"), counted(len(every) - errors, "warning"))
        subject = safe(looked_at[0][0]) if team else counted(len(looked_at), "preset")
        click.echo(f"{subject}: {', '.join(counts)}")
    if errors:
        ctx.exit(UsageError.exit_code)


def _looked_at(team: str | None) -> Iterator[tuple[str, list[Problem]]]:
    """Each preset by the place that its problems are told with."""
    if team is not None and _is_file(team):
        yield team, load_file(team).problems
        return
    repository = here()
    teams = found_teams(repository)
    if team is not None:
        yield _checked(team_named(teams, team), repository)
        return
    for found in (*teams.found, *teams.hidden):
        yield _checked(found, repository)


def _is_file(word: str) -> bool:
    return "/" in word or bool(Path(word).suffix) or Path(word).exists()


def _checked(found: Found, repository: Repository | None) -> tuple[str, list[Problem]]:
    place = found.name if found.origin == "built in" else found.shown
    try:
        loaded = load_found(found, repository.root if repository else None)
    except PlanError as error:
        return place, list(found.problems) or [Problem(1, "error", error.message, error.remedy)]
    return place, [*(each for each in found.problems if each not in loaded.problems), *loaded.problems]


def _shown(problem: Problem, file: str) -> str:
    text = printable(problem.show(file))
    colour = "red" if problem.severity == "error" else "yellow"
    severity = f" {problem.severity}: "
    return text.replace(severity, paint(severity, colour), 1)

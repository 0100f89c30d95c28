"""`teamlead team show`: a preset, as it is written and as it is read."""

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, tell
from teamlead.cli.teams_found import found_teams, here
from teamlead.errors import NotFound
from teamlead.sessions.preset_wishes import asked_by
from teamlead.settings.consent import not_allowed
from teamlead.system.repository import Repository
from teamlead.system.text import printable
from teamlead.teams.cards import nearest
from teamlead.teams.library import Found, Library
from teamlead.teams.load import Loaded, load_found
from teamlead.teams.wishes import wishes
from teamlead.views.documents.teams import TeamShowDocument
from teamlead.views.teams import card_views, member_views, problem_views, stage_view, team_view


@click.command(
    epilog=examples(
        "teamlead team show bugfix",
        "teamlead team show bugfix > .teamlead/teams/bugfix.md",
        "teamlead team show bugfix --json",
    )
)
@click.argument("name")
@json_option
def show(name: str, *, as_json: bool) -> None:
    """Print the preset of the team NAME as it is written. With --json, also how it is read.

    Exit codes: 0 there is one, 2 its file cannot be read, 4 there is none.
    """
    repository = here()
    found = team_named(found_teams(repository), name)
    loaded = load_found(found, repository.root if repository else None)
    if as_json:
        echo_json(_document(found, loaded, repository))
        return
    # The preset alone is on stdout, so that it can be saved and changed.
    click.echo(printable(loaded.preset.text), nl=False)
    tell(f"==> {found.name}: {found.shown} <==")
    if not loaded.ok:
        tell(f"It cannot be used: see `teamlead team check {found.name}`")
    elif not _allowed(found, repository):
        tell("It needs your consent before it is used: see `teamlead config allow`")


def team_named(teams: Library, name: str) -> Found:
    found = teams.named(name)
    if found is None:
        names = [each.name for each in teams.found]
        near = nearest(name, names)
        hint = f"did you mean {near!r}?" if near else f"known: {', '.join(names)}"
        raise NotFound(f"there is no team {name!r}", remedy=hint)
    return found


def _allowed(found: Found, repository: Repository | None) -> bool:
    asked = asked_by([found], repository.root) if repository and found.origin == "repository" else ()
    return not asked or repository is None or not not_allowed(repository.id, asked)


def _document(found: Found, loaded: Loaded, repository: Repository | None) -> TeamShowDocument:
    preset = loaded.preset
    return TeamShowDocument(
        team=team_view(found),
        members=member_views(preset),
        stages=list(map(stage_view, preset.stages)),
        cards=card_views(preset),
        asks_for=wishes(preset) if found.origin == "repository" else (),
        allowed=_allowed(found, repository),
        problems=problem_views(found.shown, loaded.problems),
        text=preset.text,
    )

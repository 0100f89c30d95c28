"""Whose work a task is that `start` is given in words: the team that is named, or that fits."""

import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import click

from teamlead.cli.output import safe, table, tell
from teamlead.cli.team_show import team_named
from teamlead.cli.teams_found import found_teams, tell_unusable
from teamlead.core.model import Plan
from teamlead.errors import PlanError, UsageError
from teamlead.sessions.opening import Team
from teamlead.sessions.preset_wishes import asked_by
from teamlead.settings.consent import Asked
from teamlead.system.repository import Repository
from teamlead.system.text import printable
from teamlead.system.user_folders import agent_at
from teamlead.teams.library import Found, Library
from teamlead.teams.load import Loaded, load, load_found
from teamlead.teams.named_members import Named, fitted
from teamlead.teams.proposal import NAME as PROPOSED
from teamlead.teams.proposal import propose
from teamlead.teams.selection import Keywords, Scored, best, scores
from teamlead.teams.tasks import formed


class Staffed(NamedTuple):
    plan: Plan
    team: Team


def names_a_file(argument: str) -> bool:
    """Else it is a task in words."""
    with suppress(OSError):
        if Path(argument).is_file():
            return True
    blank = any(character.isspace() for character in argument)
    return not blank and ("/" in argument or bool(Path(argument).suffix))


def of_team(repository: Repository, name: str | None, task: str, *, ask: bool) -> Staffed | None:
    """`name`: None chooses. None: no team fits, and the one that is proposed was not taken."""
    _require_task(task)
    if name is None:
        teams = found_teams(repository)
        tell_unusable(teams)
        name = _chosen(teams, task)
    return of_named_team(repository, name, task) if name else _of_proposal(task, ask=ask)


def of_named_team(repository: Repository, name: str, task: str, members: Sequence[Named] = ()) -> Staffed:
    """`members`: whom somebody named, in the place of those of the preset."""
    _require_task(task)
    teams = found_teams(repository)
    if name == PROPOSED and teams.named(name) is None:
        return _staffed(load(propose(task), PROPOSED), task, (), members)
    found = team_named(teams, name)
    asked = asked_by([found], repository.root)
    return _staffed(usable_preset(found, repository), task, asked, members)


def _require_task(task: str) -> None:
    if not task.strip():
        raise UsageError("the task is empty", remedy='teamlead start "what is to be done"')


def usable_preset(found: Found, repository: Repository | None) -> Loaded:
    """Raises PlanError, with all that is wrong with it."""
    loaded = load_found(found, repository.root if repository else None)
    if not loaded.ok:
        problems = tuple(problem.show(found.shown) for problem in loaded.problems)
        raise PlanError(
            f"the team {found.name!r} cannot be used", problems, remedy=f"teamlead team check {found.name}"
        )
    return loaded


def _staffed(loaded: Loaded, task: str, asked: tuple[Asked, ...], members: Sequence[Named] = ()) -> Staffed:
    preset = fitted(loaded.preset, members, lambda agent: agent_at(agent, Path.cwd()))
    work = formed(preset, task)
    return Staffed(work.plan, Team(work.team, work.pipeline, asked))


def _chosen(teams: Library, task: str) -> str | None:
    usable = [Keywords(each.name, each.head.keywords) for each in teams.found if each.usable]
    scored = scores(task, usable)
    chosen = best(scored)
    click.echo(table([("TEAM", "SCORE", "KEYWORDS MET"), *map(_row, scored)]), err=True)
    if chosen is None:
        return None
    tell(f"{chosen.team} fits: {', '.join(chosen.met)}. For another: --team NAME")
    return chosen.team


def _row(scored: Scored) -> tuple[str, ...]:
    return scored.team, str(scored.score), ", ".join(scored.met)


def _of_proposal(task: str, *, ask: bool) -> Staffed | None:
    """A person reads it before it works."""
    text = propose(task)
    click.echo(printable(text), nl=False, err=True)
    told = "No keyword of any team is in the task. This team is proposed"
    if ask:
        if click.confirm(f"{told}. Start it?", err=True):
            return _staffed(load(text, PROPOSED), task, ())
        return None
    tell(
        f"{told}; nothing was started. To take it: teamlead start --team {PROPOSED} {safe(shlex.quote(task))}"
    )
    return None

"""`teamlead config`: what is settled, where, and what of a repository's wishes you have allowed."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from teamlead.cli.decision import Decision
from teamlead.cli.options import json_option, yes_option
from teamlead.cli.output import echo_json, examples, safe, table
from teamlead.errors import Refused
from teamlead.prompts.library import examine
from teamlead.sessions.preconditions import all_asked
from teamlead.sessions.preset_wishes import asked_by_presets
from teamlead.settings import consent
from teamlead.settings.consent import Asked
from teamlead.settings.loading import Origin, Settings, load
from teamlead.settings.schema import Key, key_of
from teamlead.settings.template import as_toml
from teamlead.system.repository import Repository, claim, discover
from teamlead.views.documents.setup import AskedPart, ConfigDocument, SettingPart


@click.group(no_args_is_help=True, epilog=examples("teamlead config show", "teamlead config allow"))
def config() -> None:
    """Show settings, or allow what a repository asks for.

    Settings come from flags, then .teamlead/config.toml in the repository, then your own
    ~/.config/teamlead/config.toml, then the defaults. Without your consent, a repository only tightens your
    own.
    """


@config.command(epilog=examples("teamlead config show", "teamlead config show --json"))
@json_option
def show(as_json: bool) -> None:
    """Show each setting's value, and where it comes from.

    Below, it lists what the repository asks for and you have not allowed.
    """
    repository = discover(Path.cwd())
    settings = load(repository.root)
    asked = (*all_asked(settings, examine(repository.root)[0]), *asked_by_presets(repository.root))
    missing = consent.not_allowed(repository.id, asked)
    if as_json:
        echo_json(_document(settings, asked, missing))
        return
    rows = [
        (name, as_toml(_key(name), value), _told(settings.origin(name), repository))
        for name, value in settings.values.items()
    ]
    click.echo(table([("SETTING", "VALUE", "FROM"), *rows]))
    if missing:
        click.echo("Not allowed yet (yours -> the repository's), see `teamlead config allow`:", err=True)
        for wish in missing:
            click.echo(f"  {safe(str(wish))}", err=True)


@config.command(cls=Decision, epilog=examples("teamlead config allow", "teamlead config allow --yes"))
@yes_option
def allow(yes: bool) -> None:
    """Allow what this repository's configuration, prompts and teams ask for.

    Your consent is needed for what runs commands, what loosens a setting of yours, and what does neither (the
    choice of a model, for example). All of it is printed first, beside your own settings. If any of it
    changes later, you are asked again.
    """
    repository = discover(Path.cwd())
    settings, templates = load(repository.root), examine(repository.root)[0]
    asked = (*all_asked(settings, templates), *asked_by_presets(repository.root))
    if not asked:
        click.echo("This repository asks for nothing that needs your consent: there is nothing to allow.")
        return
    click.echo(f"{safe(str(repository.root))} asks for this. It would hold on this machine, with your rights")
    click.echo("(yours -> the repository's):")
    for wish in asked:
        click.echo(f"  {safe(str(wish))}")
        for line in wish.difference:
            click.echo(f"    {safe(line)}")
    if not consent.not_allowed(repository.id, asked):
        click.echo("You have allowed this already.")
        return
    if not yes:
        _confirm()
    consent.allow(claim(repository).id, asked)
    click.echo("Allowed, until some of it changes.")


def _confirm() -> None:
    if not sys.stdin.isatty():
        raise Refused("there is no terminal to ask at", remedy="run it at a terminal, or pass --yes")
    if not click.confirm("Allow it?", err=True):
        raise Refused("nothing was allowed")


def _document(settings: Settings, asked: Sequence[Asked], missing: Sequence[Asked]) -> ConfigDocument:
    return ConfigDocument(
        settings=[_setting(settings, name) for name in settings.values],
        asked=[
            AskedPart(name=each.name, own=each.own, theirs=each.theirs, allowed=each not in missing)
            for each in asked
        ],
        allowed=not missing,
    )


def _setting(settings: Settings, name: str) -> SettingPart:
    origin = settings.origin(name)
    return SettingPart(
        name=name,
        value=settings.values[name],
        origin=origin.kind,
        path=str(origin.path or ""),
        line=origin.line or None,
        description=_key(name).description,
    )


def _key(name: str) -> Key:
    key = key_of(name)
    assert key is not None
    return key


def _told(origin: Origin, repository: Repository) -> str:
    if origin.path is None:
        return origin.kind
    shown = origin.path
    if shown.is_relative_to(repository.root):
        shown = shown.relative_to(repository.root)
    return f"{origin.kind}: {shown}:{origin.line}" if origin.line else f"{origin.kind}: {shown}"

"""`teamlead config`: what is settled, where, and what a repository may run."""

import sys
from pathlib import Path

import click

from teamlead.cli.output import echo_json, examples, safe, table
from teamlead.errors import Refused
from teamlead.settings import consent
from teamlead.settings.loading import Origin, Settings, load
from teamlead.settings.schema import Key, key_of
from teamlead.settings.template import as_toml
from teamlead.system.repository import Repository, claim, discover


@click.group(no_args_is_help=True, epilog=examples("teamlead config show", "teamlead config allow"))
def config() -> None:
    """Show settings, or allow a repository's commands.

    Settings come from flags, then .teamlead/config.toml in the repository, then your own
    ~/.config/teamlead/config.toml, then the defaults.
    """


@config.command(epilog=examples("teamlead config show", "teamlead config show --json"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def show(as_json: bool) -> None:
    """Show each setting's value, and where it comes from."""
    repository = discover(Path.cwd())
    settings = load(repository.root)
    allowed = consent.is_allowed(repository.id, settings)
    if as_json:
        echo_json(_document(settings, allowed=allowed))
        return
    rows = [
        (name, as_toml(_key(name), value), _told(settings.origin(name), repository))
        for name, value in settings.values.items()
    ]
    click.echo(table([("SETTING", "VALUE", "FROM"), *rows]))
    if not allowed:
        click.echo("Commands of this repository are not allowed yet: teamlead config allow", err=True)


@config.command(epilog=examples("teamlead config allow", "teamlead config allow --yes"))
@click.option("--yes", is_flag=True, help="Do not ask. For scripts that know what the repository runs.")
def allow(yes: bool) -> None:
    """Allow the commands that this repository's configuration names.

    It prints them first. Whenever one of them changes, you are asked again.
    """
    repository = discover(Path.cwd())
    settings = load(repository.root)
    commands = consent.asked(settings)
    if not commands:
        click.echo("This repository's configuration names no command: there is nothing to allow.")
        return
    click.echo(f"The configuration of {safe(str(repository.root))} wants to run, on this machine and as you:")
    click.echo(table([(f"  {key}:", command) for key, command in commands]))
    if consent.is_allowed(repository.id, settings):
        click.echo("You have allowed this already.")
        return
    if not yes:
        _confirm()
    consent.allow(claim(repository).id, settings)
    click.echo("Allowed, until one of them changes.")


def _confirm() -> None:
    if not sys.stdin.isatty():
        raise Refused("nobody is here to confirm", remedy="run it on a terminal, or pass --yes")
    if not click.confirm("Allow them?", err=True):
        raise Refused("nothing was allowed")


def _document(settings: Settings, *, allowed: bool) -> dict[str, object]:
    rows = []
    for name, value in settings.values.items():
        origin = settings.origin(name)
        rows.append(
            {
                "name": name,
                "value": value,
                "origin": origin.kind,
                "path": str(origin.path) if origin.path else None,
                "line": origin.line or None,
                "description": _key(name).description,
            }
        )
    commands = [asked._asdict() for asked in consent.asked(settings)]
    return {"settings": rows, "repository_commands": commands, "allowed": allowed}


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

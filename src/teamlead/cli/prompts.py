"""`teamlead prompts`: what agents and models are told, and what takes its place here."""

from pathlib import Path

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, safe, table
from teamlead.errors import NotFound, UsageError
from teamlead.forms.catalogue import FORMS
from teamlead.prompts.catalogue import CATALOGUE, named
from teamlead.prompts.library import BUILT_IN, Templates, examine
from teamlead.prompts.template import Template
from teamlead.system.repository import discover
from teamlead.system.text import printable
from teamlead.views.documents.setup import (
    PlaceholderPart,
    PromptCheckDocument,
    PromptListDocument,
    PromptPart,
    PromptShowDocument,
    ShownPromptPart,
)
from teamlead.views.moments import counted


@click.group(
    no_args_is_help=True,
    epilog=examples(
        "teamlead prompts list",
        "teamlead prompts show judge",
        "teamlead prompts show judge --default > .teamlead/prompts/judge.md",
        "teamlead prompts check",
    ),
)
def prompts() -> None:
    """Show what agents are told, or check your own wording.

    A file .teamlead/prompts/NAME.md replaces the built-in prompt NAME in this repository. A file
    ~/.config/teamlead/prompts/NAME.md replaces it in all of your repositories.
    """


@prompts.command("list", epilog=examples("teamlead prompts list", "teamlead prompts list --json"))
@json_option
def list_prompts(as_json: bool) -> None:
    """List the prompts, and where each comes from."""
    found = _in_effect()
    if as_json:
        echo_json(PromptListDocument(prompts=[_view(found.of(name)) for name in CATALOGUE]))
        return
    rows = [(name, entry.purpose, found.of(name).source) for name, entry in CATALOGUE.items()]
    click.echo(table([("NAME", "ASKED TO", "FROM"), *rows]))


@prompts.command(
    epilog=examples(
        "teamlead prompts show judge",
        "teamlead prompts show planner",
        "teamlead prompts show worker --default > .teamlead/prompts/worker.md",
    )
)
@click.argument("role")
@click.option("--default", is_flag=True, help="Print the built-in prompt, even if it is replaced here.")
@json_option
def show(role: str, *, default: bool, as_json: bool) -> None:
    """Print a prompt as it is used here; ROLE is a role, or the name of a prompt.

    Text in double braces is filled in for each task. A section is left out if nothing is filled in there.
    """
    names = named(role)
    if not names:
        raise NotFound(f"there is no prompt {role!r}", remedy=f"known: {', '.join(CATALOGUE)}")
    effective = Templates() if default else _in_effect()
    found = [effective.of(name) for name in names]
    if as_json:
        shown = [ShownPromptPart(**_view(e), answer=_answer(e.name), text=e.text) for e in found]
        echo_json(PromptShowDocument(prompts=shown))
        return
    for template in found:
        # One alone comes without a line of ours, so that it can be saved and changed.
        click.echo(f"==> {template.name}: {safe(template.source)} <==", err=len(found) == 1)
        click.echo(printable(template.text).rstrip("\n") + "\n" * (len(found) > 1))


def _answer(name: str) -> str:
    """The form that it asks for; empty: it asks for none."""
    form = CATALOGUE[name].form
    return FORMS[form].asks if form else ""


@prompts.command(epilog=examples("teamlead prompts check", "teamlead prompts check --json"))
@json_option
@click.pass_context
def check(ctx: click.Context, *, as_json: bool) -> None:
    """Check the prompts that replace built-in ones here.

    A session checks the same before it starts. Exit codes: 0 there is no problem, 2 there is one.
    """
    found, problems = examine(_root())
    names = [template.source for template in found.overrides]
    if as_json:
        echo_json(PromptCheckDocument(paths=names, problems=problems))
    else:
        for problem in problems:
            click.echo(safe(problem))
        click.echo(f"{counted(len(names), 'prompt')} of your own, {counted(len(problems), 'problem')}")
    if problems:
        ctx.exit(UsageError.exit_code)


def _root() -> Path:
    return discover(Path.cwd()).root


def _in_effect() -> Templates:
    """Also those that cannot be used: one looks at them to mend them."""
    return examine(_root())[0]


def _view(template: Template) -> PromptPart:
    purpose, slots, _ = CATALOGUE[template.name]
    return PromptPart(
        name=template.name,
        purpose=purpose,
        path="" if template.source == BUILT_IN else template.source,
        placeholders=[
            PlaceholderPart(name=name, meaning=slot.meaning, needed=slot.needed)
            for name, slot in slots.items()
        ],
    )

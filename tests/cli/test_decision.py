from collections.abc import Iterator, Sequence

import click

from teamlead.cli.decision import Decision
from teamlead.cli.main import cli

DECIDE = {
    "start",
    "session init",
    "resume",
    "pause",
    "cancel",
    "plan new",
    "plan add",
    "resolve",
    "tell",
    "retry",
    "skip",
    "reassign",
    "release",
    "approve",
    "reject",
    "revise",
    "state transition",
    "mend",
    "salvage drop",
    "clean",
    "guard install",
    "config allow",
}
"""For a person alone: they decide, steer, spend, or take away."""

LOOK = {
    "plan list",
    "plan show",
    "plan check",
    "plan graph",
    "rehearse",
    "demo",
    "status",
    "session status",
    "state status",
    "state check-lock",
    "list",
    "watch",
    "logs",
    "diff",
    "evidence",
    "prove",
    "refs verify",
    "report",
    "escalations",
    "result check",
    "result aggregate",
    "result schema",
    "salvage list",
    "salvage show",
    "salvage restore",
    "init",
    "doctor",
    "agents",
    "mcp",
    "guard rules",
    "guard read",
    "guard edit",
    "guard verify",
    "guard log",
    "guard hook",
    "prompts list",
    "prompts show",
    "prompts check",
    "config show",
    "team list",
    "team show",
    "team check",
    "team select",
}
"""For agents and checks, too: they look, or do something in a place of their own."""


def commands(group: click.Group = cli, path: Sequence[str] = ()) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, [*path, name])
        else:
            yield " ".join([*path, name]), command


def test_of_every_command_it_is_said_whether_it_decides() -> None:
    assert sorted(name for name, _ in commands()) == sorted(DECIDE | LOOK)


def test_whatever_decides_is_for_a_person() -> None:
    assert {name for name, command in commands() if isinstance(command, Decision)} == DECIDE
